#include "sail/media/ffmpeg/media_source_still.h"

#include <algorithm>
#include <utility>

#include "sail/media/still/still_kind.h"
#include "sail/media/still/vips_library.h"

namespace sail {
namespace {

AVPixelFormat format_of(const StillPixels& pixels) {
  constexpr int kByteBits = 8, kRgba = 4;
  if (pixels.bits > kByteBits) return AV_PIX_FMT_RGB48;
  return pixels.bands == kRgba ? AV_PIX_FMT_RGBA : AV_PIX_FMT_RGB24;
}

}  // namespace

StillDecoder::StillDecoder(const StillWish& wish, int threads) : wish_(wish), threads_(threads) {
  wish_.complete = true;
}

bool StillDecoder::accepts(AVCodecID codec, bool numbered, std::span<const uint8_t> picture) {
  const bool still =
      codec == AV_CODEC_ID_PNG || codec == AV_CODEC_ID_MJPEG || codec == AV_CODEC_ID_WEBP;
  if (codec != AV_CODEC_ID_TIFF && !(still && numbered)) return false;
  const StillTraits traits = still_traits(picture);
  return traits.kind != StillKind::kNone && !traits.film && !traits.for_ffmpeg;
}

Result<AvFramePtr> StillDecoder::decode(std::span<const uint8_t> picture) {
  if (!start_vips(threads_)) return fail(ErrorCode::kInternal, "cannot start libvips");
  const auto pixels = read_still({.name = "the picture", .bytes = picture}, wish_);
  take_vips_words();
  if (!pixels) return pixels.error();
  if (!wish_.range) wish_.range = pixels->range;
  if (notice_.empty()) notice_ = pixels->notice;
  auto frame = frames_.make(format_of(*pixels), pixels->size);
  if (!frame) return frame;
  const size_t bytes = pixels->row_bytes();
  for (int row = 0; row < pixels->size.height; ++row) {
    std::copy_n(pixels->samples.get() + static_cast<size_t>(row) * bytes, bytes,
                (*frame)->data[0] + static_cast<ptrdiff_t>(row) * (*frame)->linesize[0]);
  }
  (*frame)->colorspace = AVCOL_SPC_RGB;
  (*frame)->color_range = AVCOL_RANGE_JPEG;
  return frame;
}

}  // namespace sail
