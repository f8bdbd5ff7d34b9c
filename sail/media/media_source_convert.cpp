#include "sail/media/media_source_convert.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "sail/base/geometry.h"

namespace sail {
namespace {

constexpr int kRowAlignment = 64;
constexpr Size kHighDefinition = {1280, 720};

sail_pixel_format native_format(int format) {
  switch (format) {
    case AV_PIX_FMT_YUV420P:
    case AV_PIX_FMT_YUVJ420P:
      return SAIL_I420;
    case AV_PIX_FMT_YUV422P:
    case AV_PIX_FMT_YUVJ422P:
      return SAIL_I422;
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
    default:
      return sail_pixel_format{};
  }
}

bool is_native(int format) {
  return native_format(format) != sail_pixel_format{};
}

bool is_422(const AVPixFmtDescriptor& format) {
  return format.log2_chroma_w == 1 && format.log2_chroma_h == 0;
}

AVPixelFormat nearest_native(const AVPixFmtDescriptor& format) {
  constexpr uint64_t kToRgb = AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_ALPHA;
  if ((format.flags & kToRgb) != 0) return AV_PIX_FMT_BGRA;
  return is_422(format) ? AV_PIX_FMT_YUV422P : AV_PIX_FMT_YUV420P;
}

// What a frame goes on as. 4:2:2 turned sideways would be subsampled down the picture, which no
// format is.
AVPixelFormat target_format(int format, const AVPixFmtDescriptor& described, int quarter_turns) {
  if (is_422(described) && quarter_turns % 2 != 0) return AV_PIX_FMT_YUV420P;
  return is_native(format) ? static_cast<AVPixelFormat>(format) : nearest_native(described);
}

sail_color_matrix matrix_of(const AVFrame& frame) {
  switch (frame.colorspace) {
    case AVCOL_SPC_BT470BG:
    case AVCOL_SPC_SMPTE170M:
    case AVCOL_SPC_FCC:
      return SAIL_BT601;
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
  // Grey pictures are PNGs and the like, not studio video.
  const AVPixFmtDescriptor* format = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format));
  return format && format->nb_components <= 2;
}

bool has_alpha(int format) {
  const AVPixFmtDescriptor* found = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(format));
  return found && (found->flags & (AV_PIX_FMT_FLAG_ALPHA | AV_PIX_FMT_FLAG_PAL)) != 0;
}

// Where alpha would be there may be anything.
bool has_unused_byte(int format) {
  return format == AV_PIX_FMT_RGB0 || format == AV_PIX_FMT_BGR0;
}

// RGBA or BGRA: alpha is the fourth byte of both.
void lay_over_black(AVFrame& frame) {
  for (int y = 0; y < frame.height; ++y) {
    uint8_t* pixel = frame.data[0] + static_cast<ptrdiff_t>(y) * frame.linesize[0];
    for (int x = 0; x < frame.width; ++x, pixel += 4) {
      const unsigned alpha = pixel[3];
      if (alpha == 255) continue;
      for (int channel = 0; channel < 3; ++channel) {
        pixel[channel] = static_cast<uint8_t>((pixel[channel] * alpha + 127) / 255);
      }
      pixel[3] = 255;
    }
  }
}

struct Plane {
  uint8_t* pixels;
  ptrdiff_t stride;
  int width;   // samples
  int height;  // rows
};

// One sample is kBytes bytes; target is as wide as source is high, or alike for a half turn.
template <size_t kBytes>
void turn_plane(const Plane& source, const Plane& target, int quarter_turns) {
  for (int y = 0; y < target.height; ++y) {
    uint8_t* to = target.pixels + y * target.stride;
    for (int x = 0; x < target.width; ++x, to += kBytes) {
      int from_x = source.width - 1 - x;
      int from_y = source.height - 1 - y;
      if (quarter_turns == 1) {
        from_x = y;
        from_y = source.height - 1 - x;
      } else if (quarter_turns == 3) {
        from_x = source.width - 1 - y;
        from_y = x;
      }
      std::memcpy(to, source.pixels + from_y * source.stride + from_x * static_cast<int>(kBytes),
                  kBytes);
    }
  }
}

}  // namespace

Result<AvFramePtr> FrameConverter::convert(AvFramePtr frame, int quarter_turns) {
  const bool transparent = has_alpha(frame->format);
  const bool upright = frame->linesize[0] > 0;
  const AVPixFmtDescriptor* format = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame->format));
  if (!format) return fail(ErrorCode::kBadData, "unknown pixel format");
  Size wanted_size = size_.value_or(Size{frame->width, frame->height});
  if (size_ && quarter_turns % 2 != 0) std::swap(wanted_size.width, wanted_size.height);
  const bool scaled = wanted_size != Size{frame->width, frame->height};
  AVPixelFormat wanted = target_format(frame->format, *format, quarter_turns);
  if (keep_alpha_ && has_unused_byte(frame->format)) wanted = AV_PIX_FMT_BGRA;
  if (wanted != frame->format || !upright || scaled) {
    auto converted = rescale(std::move(frame), wanted, wanted_size);
    if (!converted) return converted;
    frame = std::move(*converted);
  }
  if (transparent && !keep_alpha_) {
    // The decoder may still need what it has decoded.
    if (av_frame_make_writable(frame.get()) < 0) return fail(ErrorCode::kLimit, "out of memory");
    lay_over_black(*frame);
  }
  if (quarter_turns == 0) return frame;
  return turn(std::move(frame), quarter_turns);
}

Result<AvFramePtr> FrameConverter::rescale(AvFramePtr frame, AVPixelFormat format, Size size) {
  const auto source_format = static_cast<AVPixelFormat>(frame->format);
  scaler_.reset(sws_getCachedContext(
      scaler_.release(), frame->width, frame->height, source_format, size.width, size.height,
      format, SWS_BILINEAR | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT, nullptr, nullptr, nullptr));
  const char* name = av_get_pix_fmt_name(source_format);
  if (!scaler_) {
    return fail(ErrorCode::kBadData, std::string("cannot convert pixel format ") + name);
  }
  const int full = is_full_range(*frame) ? 1 : 0;
  const int* matrix =
      sws_getCoefficients(matrix_of(*frame) == SAIL_BT601 ? SWS_CS_ITU601 : SWS_CS_ITU709);
  // The range stays as it is, except on the way to RGB, which is full.
  const bool to_rgb = (av_pix_fmt_desc_get(format)->flags & AV_PIX_FMT_FLAG_RGB) != 0;
  const int target_full = to_rgb ? 1 : full;
  sws_setColorspaceDetails(scaler_.get(), matrix, full, matrix, target_full, 0, 1 << 16, 1 << 16);

  AvFramePtr converted = make_frame(format, size.width, size.height, *frame);
  if (!converted) return fail(ErrorCode::kLimit, "out of memory");
  converted->color_range = full != 0 ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
  if (sws_scale(scaler_.get(), frame->data, frame->linesize, 0, frame->height, converted->data,
                converted->linesize) != size.height) {
    return fail(ErrorCode::kBadData, std::string("cannot convert pixel format ") + name);
  }
  return converted;
}

Result<AvFramePtr> FrameConverter::turn(AvFramePtr frame, int quarter_turns) {
  const bool sideways = quarter_turns != 2;
  const auto format = static_cast<AVPixelFormat>(frame->format);
  AvFramePtr turned = make_frame(format, sideways ? frame->height : frame->width,
                                 sideways ? frame->width : frame->height, *frame);
  if (!turned) return fail(ErrorCode::kLimit, "out of memory");
  const AVPixFmtDescriptor* shape = av_pix_fmt_desc_get(format);
  const auto plane = [shape](const AVFrame& of, int index) {
    return Plane{of.data[index], of.linesize[index],
                 AV_CEIL_RSHIFT(of.width, index == 0 ? 0 : shape->log2_chroma_w),
                 AV_CEIL_RSHIFT(of.height, index == 0 ? 0 : shape->log2_chroma_h)};
  };
  switch (native_format(format)) {
    case SAIL_RGBA:
    case SAIL_BGRA:
      turn_plane<4>(plane(*frame, 0), plane(*turned, 0), quarter_turns);
      break;
    case SAIL_RGB:
      turn_plane<3>(plane(*frame, 0), plane(*turned, 0), quarter_turns);
      break;
    case SAIL_NV12:
    case SAIL_NV16:
      turn_plane<1>(plane(*frame, 0), plane(*turned, 0), quarter_turns);
      turn_plane<2>(plane(*frame, 1), plane(*turned, 1), quarter_turns);
      break;
    case SAIL_I420:
    case SAIL_I422:
      turn_plane<1>(plane(*frame, 0), plane(*turned, 0), quarter_turns);
      turn_plane<1>(plane(*frame, 1), plane(*turned, 1), quarter_turns);
      turn_plane<1>(plane(*frame, 2), plane(*turned, 2), quarter_turns);
      break;
    default:  // none that native_format() gives
      break;
  }
  return turned;
}

AvFramePtr FrameConverter::make_frame(AVPixelFormat format, int width, int height,
                                      const AVFrame& like) {
  const int bytes = av_image_get_buffer_size(format, width, height, kRowAlignment);
  if (bytes < 0) return nullptr;
  if (!pool_ || bytes != pool_bytes_) {
    pool_.reset(av_buffer_pool_init(static_cast<size_t>(bytes) + kRowAlignment, nullptr));
    pool_bytes_ = bytes;
  }
  AvFramePtr frame(av_frame_alloc());
  if (!frame || !pool_) return nullptr;
  frame->buf[0] = av_buffer_pool_get(pool_.get());
  if (!frame->buf[0]) return nullptr;
  av_image_fill_arrays(frame->data, frame->linesize, frame->buf[0]->data, format, width, height,
                       kRowAlignment);
  frame->format = format;
  frame->width = width;
  frame->height = height;
  av_frame_copy_props(frame.get(), &like);
  // The rule for unnamed matrices asks for the size before any turn; settle it now.
  frame->colorspace = matrix_of(like) == SAIL_BT601 ? AVCOL_SPC_SMPTE170M : AVCOL_SPC_BT709;
  return frame;
}

sail_frame describe(const AVFrame& frame) {
  sail_frame pixels{};
  pixels.format = native_format(frame.format);
  for (int plane = 0; plane < 3; ++plane) {
    pixels.planes[plane] = frame.data[plane];
    pixels.strides[plane] = frame.linesize[plane];
  }
  pixels.matrix = matrix_of(frame);
  pixels.range = is_full_range(frame) ? SAIL_FULL : SAIL_LIMITED;
  return pixels;
}

}  // namespace sail
