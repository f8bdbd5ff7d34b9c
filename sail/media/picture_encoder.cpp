#include "sail/media/picture_encoder.h"

#include <cstring>
#include <numeric>

namespace sail {

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
  return view;
}

PictureBlocks::PictureBlocks(const BlockGrid& grid, const StreamCodec& codec)
    : grid_(grid), lengths_(grid.count()) {
  size_t bytes = 0;
  for (int row = 0; row < grid.rows(); ++row) {
    row_offsets_.push_back(bytes);
    for (int column = 0; column < grid.columns(); ++column) {
      const Rect source_rect = grid.block_rect(column, row);
      bytes += codecs::max_block_bytes(codec.id, source_rect.width, source_rect.height);
    }
  }
  bytes_.resize(bytes);
}

void PictureBlocks::close_gaps() {
  const auto columns = static_cast<size_t>(grid_.columns());
  const std::span<const uint32_t> lengths(lengths_);
  used_ = 0;
  for (size_t row = 0; row < row_offsets_.size(); ++row) {
    const auto of_row = lengths.subspan(row * columns, columns);
    const size_t bytes = std::accumulate(of_row.begin(), of_row.end(), size_t{0});
    if (used_ != row_offsets_[row]) {
      std::memmove(bytes_.data() + used_, bytes_.data() + row_offsets_[row], bytes);
    }
    used_ += bytes;
  }
}

PictureEncoder::PictureEncoder(const CodecSpec& codec)
    : codec_(codec), encoder_(codec.codec.id, codec.codec.compression) {}

void PictureEncoder::encode_row(const Picture& picture, int row, PictureBlocks& blocks) {
  const codecs::ImageView image = view_of(picture);
  const BlockGrid& grid = blocks.grid_;
  const size_t first = static_cast<size_t>(row) * static_cast<size_t>(grid.columns());
  auto out = std::span(blocks.bytes_).subspan(blocks.row_offsets_[static_cast<size_t>(row)]);
  for (int column = 0; column < grid.columns(); ++column) {
    const Rect rect = grid.block_rect(column, row);
    const codecs::PrefixBytes lengths = encoder_.encode(
        image, 0, rect.x, rect.y, rect.width, rect.height, {.mode = codec_.mode, .j2k = {}}, out);
    blocks.lengths_[first + static_cast<size_t>(column)] = lengths[0];
    out = out.subspan(lengths[0]);
  }
}

}  // namespace sail
