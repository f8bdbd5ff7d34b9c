#include "sail/media/ffmpeg/media_source_formats.h"

#include <algorithm>
#include <array>

#include "codecs/base/format.h"
#include "sail/core/base/geometry.h"

namespace sail {
namespace {

constexpr Size kHighDefinition = {1280, 720};

struct DeepFormats {
  int bits;
  AVPixelFormat yuv420;
  AVPixelFormat yuv422;
  AVPixelFormat yuv444;
  AVPixelFormat rgb;
};
constexpr std::array<DeepFormats, 5> kDeepFormats = {{
    {9, AV_PIX_FMT_YUV420P9LE, AV_PIX_FMT_YUV422P9LE, AV_PIX_FMT_YUV444P9LE, AV_PIX_FMT_GBRP9LE},
    {10, AV_PIX_FMT_YUV420P10LE, AV_PIX_FMT_YUV422P10LE, AV_PIX_FMT_YUV444P10LE,
     AV_PIX_FMT_GBRP10LE},
    {12, AV_PIX_FMT_YUV420P12LE, AV_PIX_FMT_YUV422P12LE, AV_PIX_FMT_YUV444P12LE,
     AV_PIX_FMT_GBRP12LE},
    {14, AV_PIX_FMT_YUV420P14LE, AV_PIX_FMT_YUV422P14LE, AV_PIX_FMT_YUV444P14LE,
     AV_PIX_FMT_GBRP14LE},
    {16, AV_PIX_FMT_YUV420P16LE, AV_PIX_FMT_YUV422P16LE, AV_PIX_FMT_YUV444P16LE,
     AV_PIX_FMT_GBRP16LE},
}};

const AVPixFmtDescriptor& descriptor(int format) {
  return *av_pix_fmt_desc_get(static_cast<AVPixelFormat>(format));
}

bool has_flag(const AVPixFmtDescriptor& format, uint64_t flag) {
  return (format.flags & flag) != 0;
}

bool is_422(const AVPixFmtDescriptor& format) {
  return format.log2_chroma_w == 1 && format.log2_chroma_h == 0;
}
bool is_444(const AVPixFmtDescriptor& format) {
  return format.nb_components >= 3 && format.log2_chroma_w == 0 && format.log2_chroma_h == 0;
}

bool is_native(int format, bool for_j2k) {
  const sail_pixel_format native = native_format(format);
  if (native == sail_pixel_format{}) return false;
  return for_j2k || !codecs::is_for_j2k_only(static_cast<codecs::PixelFormat>(native));
}

AVPixelFormat shallow_stage(int format, const AVPixFmtDescriptor& shape, const FormatWish& wish) {
  constexpr uint64_t kToRgb = AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_ALPHA;
  // The unused byte contains arbitrary values, which must not become alpha.
  const bool unused_byte = format == AV_PIX_FMT_RGB0 || format == AV_PIX_FMT_BGR0;
  if (wish.rgb || (wish.keep_alpha && unused_byte)) return AV_PIX_FMT_BGRA;
  // Turned sideways, 4:2:2 would be subsampled vertically. No supported format has such chroma.
  const bool keep_rows = is_422(shape) && !wish.sideways;
  if (is_422(shape) && wish.sideways) return AV_PIX_FMT_YUV420P;
  if (is_native(format, wish.for_j2k)) return static_cast<AVPixelFormat>(format);
  if (wish.for_j2k && format == AV_PIX_FMT_GBRP) return AV_PIX_FMT_RGB24;
  if (has_flag(shape, kToRgb)) return AV_PIX_FMT_BGRA;
  return keep_rows ? AV_PIX_FMT_YUV422P : AV_PIX_FMT_YUV420P;
}

AVPixelFormat deep_stage(int format, const AVPixFmtDescriptor& shape, bool sideways) {
  if (is_xyz(format)) return AV_PIX_FMT_XYZ12LE;
  if (has_flag(shape, AV_PIX_FMT_FLAG_ALPHA)) return AV_PIX_FMT_RGBA64LE;
  const auto* deep = std::ranges::find_if(
      kDeepFormats, [&](const DeepFormats& one) { return one.bits >= shape.comp[0].depth; });
  const bool beyond =
      deep == kDeepFormats.end() || has_flag(shape, AV_PIX_FMT_FLAG_FLOAT | AV_PIX_FMT_FLAG_BAYER);
  if (has_flag(shape, AV_PIX_FMT_FLAG_RGB)) {
    const bool planar = has_flag(shape, AV_PIX_FMT_FLAG_PLANAR);
    return beyond || !planar ? AV_PIX_FMT_RGB48LE : deep->rgb;
  }
  if (beyond) return AV_PIX_FMT_YUV420P16LE;
  if (is_444(shape)) return deep->yuv444;
  return is_422(shape) && !sideways ? deep->yuv422 : deep->yuv420;
}

}  // namespace

sail_pixel_format native_format(int format) {
  switch (format) {
    case AV_PIX_FMT_YUV420P:
    case AV_PIX_FMT_YUVJ420P:
      return SAIL_I420;
    case AV_PIX_FMT_YUV422P:
    case AV_PIX_FMT_YUVJ422P:
      return SAIL_I422;
    case AV_PIX_FMT_YUV444P:
    case AV_PIX_FMT_YUVJ444P:
      return SAIL_I444;
    case AV_PIX_FMT_NV12:
      return SAIL_NV12;
    case AV_PIX_FMT_NV16:
      return SAIL_NV16;
    case AV_PIX_FMT_RGBA:
    case AV_PIX_FMT_RGB0:
      return SAIL_RGBA;
    case AV_PIX_FMT_BGRA:
    case AV_PIX_FMT_BGR0:
      return SAIL_BGRA;
    case AV_PIX_FMT_RGB24:
      return SAIL_RGB;
    case AV_PIX_FMT_RGB48LE:
      return SAIL_RGB_DEEP;
    default:
      break;
  }
  for (const DeepFormats& deep : kDeepFormats) {
    if (format == deep.yuv420) return SAIL_I420_DEEP;
    if (format == deep.yuv422) return SAIL_I422_DEEP;
    if (format == deep.yuv444) return SAIL_I444_DEEP;
  }
  return sail_pixel_format{};
}

int depth_of(int format) {
  return descriptor(format).comp[0].depth;
}

AVPixelFormat stage_format(const AVFrame& frame, const FormatWish& wish) {
  constexpr int kShallowBits = 8;
  const AVPixFmtDescriptor& shape = descriptor(frame.format);
  const bool deep = shape.comp[0].depth > kShallowBits;
  if (wish.for_j2k && deep) return deep_stage(frame.format, shape, wish.sideways);
  return shallow_stage(frame.format, shape, wish);
}

bool needs_packing(AVPixelFormat format) {
  return is_xyz(format) || format == AV_PIX_FMT_RGBA64LE ||
         std::ranges::any_of(kDeepFormats,
                             [&](const DeepFormats& deep) { return deep.rgb == format; });
}

bool is_shallow_rgb(int format) {
  return format == AV_PIX_FMT_RGB24 || format == AV_PIX_FMT_RGBA;
}

sail_color_matrix matrix_of(const AVFrame& frame) {
  if (is_xyz(frame.format)) return SAIL_XYZ;
  switch (frame.colorspace) {
    case AVCOL_SPC_BT470BG:
    case AVCOL_SPC_SMPTE170M:
    case AVCOL_SPC_FCC:
      return SAIL_BT601;
    case AVCOL_SPC_BT2020_NCL:
    case AVCOL_SPC_BT2020_CL:
      return SAIL_BT2020;
    case AVCOL_SPC_UNSPECIFIED:
      return frame.width >= kHighDefinition.width || frame.height >= kHighDefinition.height
                 ? SAIL_BT709
                 : SAIL_BT601;
    default:
      return SAIL_BT709;
  }
}

bool is_full_range(const AVFrame& frame) {
  switch (frame.format) {
    case AV_PIX_FMT_YUVJ420P:
    case AV_PIX_FMT_YUVJ422P:
    case AV_PIX_FMT_YUVJ444P:
    case AV_PIX_FMT_YUVJ440P:
    case AV_PIX_FMT_YUVJ411P:
      return true;
    default:
      break;
  }
  if (frame.color_range != AVCOL_RANGE_UNSPECIFIED) return frame.color_range == AVCOL_RANGE_JPEG;
  // Grey pictures are PNG or similar, not studio video.
  return descriptor(frame.format).nb_components <= 2;
}

void set_color(AVFrame& frame, codecs::PictureColor color) {
  if (is_rgb(frame.format)) return;
  // This format implies full range.
  if (frame.format == AV_PIX_FMT_YUVJ420P) frame.format = AV_PIX_FMT_YUV420P;
  frame.color_range =
      color.range == codecs::ColorRange::kFull ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
  switch (color.matrix) {
    case codecs::ColorMatrix::kBt601:
      frame.colorspace = AVCOL_SPC_SMPTE170M;
      break;
    case codecs::ColorMatrix::kBt2020:
      frame.colorspace = AVCOL_SPC_BT2020_NCL;
      break;
    default:
      frame.colorspace = AVCOL_SPC_BT709;
  }
}

bool is_rgb(int format) {
  return has_flag(descriptor(format), AV_PIX_FMT_FLAG_RGB);
}

bool has_alpha(int format) {
  return has_flag(descriptor(format), AV_PIX_FMT_FLAG_ALPHA | AV_PIX_FMT_FLAG_PAL);
}

bool is_xyz(int format) {
  return format == AV_PIX_FMT_XYZ12LE || format == AV_PIX_FMT_XYZ12BE;
}

std::optional<codecs::ColorMatrix> container_matrix(const AVCodecParameters& picture) {
  using codecs::ColorMatrix;
  if (picture.format == AV_PIX_FMT_XYZ12LE || picture.format == AV_PIX_FMT_XYZ12BE) {
    return ColorMatrix::kXyz;
  }
  switch (picture.color_space) {
    case AVCOL_SPC_RGB:
      return ColorMatrix::kRgb;
    case AVCOL_SPC_BT709:
      return ColorMatrix::kBt709;
    case AVCOL_SPC_FCC:
    case AVCOL_SPC_BT470BG:
    case AVCOL_SPC_SMPTE170M:
      return ColorMatrix::kBt601;
    case AVCOL_SPC_BT2020_NCL:
    case AVCOL_SPC_BT2020_CL:
      return ColorMatrix::kBt2020;
    default:
      return std::nullopt;
  }
}

std::optional<codecs::ColorRange> container_range(const AVCodecParameters& picture) {
  switch (picture.color_range) {
    case AVCOL_RANGE_MPEG:
      return codecs::ColorRange::kLimited;
    case AVCOL_RANGE_JPEG:
      return codecs::ColorRange::kFull;
    default:
      return std::nullopt;
  }
}

}  // namespace sail
