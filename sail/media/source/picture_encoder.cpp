#include "sail/media/source/picture_encoder.h"

#include <cstdlib>
#include <iterator>

namespace sail {

size_t picture_bytes(const Picture& picture) {
  if (picture.compressed) return picture.compressed->bytes.size();
  const codecs::ImageView view = view_of(picture);
  size_t bytes = 0;
  for (size_t i = 0; i < std::size(view.planes); ++i) {
    if (!view.planes[i]) continue;
    const int step = i == 0 ? 1 : codecs::chroma_rows_step(view.format);
    bytes += static_cast<size_t>(std::abs(view.strides[i])) *
             static_cast<size_t>((view.height + step - 1) / step);
  }
  return bytes;
}

codecs::ImageView view_of(const Picture& picture) {
  codecs::ImageView view;
  view.format = static_cast<codecs::PixelFormat>(picture.pixels.format);
  view.width = picture.size.width;
  view.height = picture.size.height;
  for (size_t i = 0; i < std::size(view.planes); ++i) {
    view.planes[i] = picture.pixels.planes[i];
    view.strides[i] = picture.pixels.strides[i];
  }
  view.matrix = static_cast<codecs::ColorMatrix>(picture.pixels.matrix);
  view.range = static_cast<codecs::ColorRange>(picture.pixels.range);
  if (codecs::is_deep(view.format)) view.bits = picture.pixels.bits;
  return view;
}

void PictureBlocks::join() {
  lengths_.clear();
  bytes_.clear();
  for (const std::vector<uint8_t>& block : blocks_) {
    lengths_.push_back(static_cast<uint32_t>(block.size()));
    bytes_.insert(bytes_.end(), block.begin(), block.end());
  }
}

PictureEncoder::PictureEncoder(const CodecSpec& codec)
    : codec_(codec), encoder_(codec.codec.id, codec.codec.compression) {}

size_t PictureEncoder::encode(const Picture& picture, size_t block, float step,
                              PictureBlocks& blocks) {
  const BlockGrid& grid = blocks.grid();
  const auto columns = static_cast<size_t>(grid.columns());
  const Rect rect =
      grid.block_rect(static_cast<int>(block % columns), static_cast<int>(block / columns));
  const size_t most = codecs::max_block_bytes(codec_.codec.id, rect.width, rect.height);
  if (scratch_.size() < most) scratch_.resize(most);
  const codecs::BlockQuality quality{
      .mode = codec_.mode,
      .j2k = {.lossless = codec_.rate.unit == CodecRate::Unit::kLossless, .step = step}};
  const codecs::PrefixBytes lengths = encoder_.encode(view_of(picture), 0, rect.x, rect.y,
                                                      rect.width, rect.height, quality, scratch_);
  blocks.put(block, std::span(scratch_).first(lengths[0]));
  return lengths[0];
}

}  // namespace sail
