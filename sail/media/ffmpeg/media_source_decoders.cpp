#include "sail/media/ffmpeg/media_source_decoders.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "sail/core/text/limits.h"
#include "sail/media/ffmpeg/media_source_formats.h"
#include "sail/media/source/jp2_boxes.h"
#include "sail/media/still/still_kind.h"
#include "sail/media/still/still_library.h"

namespace sail {
namespace {

AVPixelFormat format_of(const StillPixels& pixels) {
  constexpr int kByteBits = 8, kRgba = 4;
  if (pixels.bits > kByteBits) return AV_PIX_FMT_RGB48;
  return pixels.bands == kRgba ? AV_PIX_FMT_RGBA : AV_PIX_FMT_RGB24;
}

}  // namespace

bool is_truncated_j2k(std::span<const uint8_t> picture) {
  const auto boxed = find_codestream(picture);
  return boxed && codecs::is_j2k_truncated(boxed->codestream);
}

void add_end_of_codestream(AVPacket& picture) {
  constexpr std::array<uint8_t, 2> kEnd{0xff, 0xd9};
  const std::span bytes(picture.data, static_cast<size_t>(std::max(picture.size, 0)));
  const auto boxed = find_codestream(bytes);
  if (!boxed || boxed->codestream.size() < kEnd.size()) return;
  const bool is_last = &boxed->codestream.back() == &bytes.back();
  if (!is_last || std::ranges::equal(bytes.last<kEnd.size()>(), kEnd)) return;
  if (av_grow_packet(&picture, kEnd.size()) < 0) return;
  std::ranges::copy(kEnd, picture.data + picture.size - kEnd.size());
}

bool HtDecoder::accepts(std::span<const uint8_t> picture) {
  const auto boxed = find_codestream(picture);
  return boxed && (boxed->reordered || codecs::needs_part_15(boxed->codestream));
}

Result<AvFramePtr> HtDecoder::decode(std::span<const uint8_t> picture,
                                     const AVCodecParameters& container) {
  const auto boxed = find_codestream(picture);
  if (!boxed) return fail(ErrorCode::kBadData, "the picture has no codestream");
  if (!boxed->fault.empty()) return fail(ErrorCode::kBadData, "the picture " + boxed->fault);
  const auto refuse = [](const std::string& fault) {
    return fail(ErrorCode::kBadData, "the picture is a codestream that " + fault);
  };
  const auto header = codecs::read_j2k_header(boxed->codestream);
  if (!header) return refuse(codecs::j2k_fault(boxed->codestream));
  if (header->width > kMaxFrameSide || header->height > kMaxFrameSide) {
    return fail(ErrorCode::kLimit,
                fmt::format("the picture is {}x{}: at most {} pixels per side can be shown",
                            header->width, header->height, kMaxFrameSide));
  }
  auto made = frames_.make(AV_PIX_FMT_BGRA, {header->width, header->height});
  if (!made) return made;
  AVFrame* frame = made->get();
  const codecs::J2kTarget target{
      .width = header->width,
      .height = header->height,
      .color = codestream_color(*header, *boxed, container_matrix(container),
                                container_range(container)),
      .pixels = {.pixels = frame->data[0], .stride = frame->linesize[0]}};
  if (!decoder_->decode(boxed->codestream, target)) {
    return refuse(codecs::j2k_fault(boxed->codestream, target));
  }
  if (notice_.empty()) {
    const std::string notice = codestream_notice(*header, *boxed);
    if (!notice.empty()) notice_ = "the picture " + notice;
  }
  frame->colorspace = AVCOL_SPC_RGB;
  frame->color_range = AVCOL_RANGE_JPEG;
  frame->color_trc = container.color_trc;
  frame->color_primaries = container.color_primaries;
  return made;
}

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
  const auto stills = still_library();
  if (!stills) return stills.error();
  const auto pixels = (*stills)->read(picture, wish_, threads_);
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
