#include "sail/media/ffmpeg/media_source_ht.h"

#include <fmt/format.h>

#include "sail/core/text/limits.h"
#include "sail/media/ffmpeg/media_source_formats.h"
#include "sail/media/source/jp2_boxes.h"

namespace sail {

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
  frame->colorspace = AVCOL_SPC_RGB;
  frame->color_range = AVCOL_RANGE_JPEG;
  frame->color_trc = container.color_trc;
  frame->color_primaries = container.color_primaries;
  return made;
}

}  // namespace sail
