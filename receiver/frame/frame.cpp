#include "receiver/frame/frame.h"

#include <utility>

#include "codecs/picture/block_encoder.h"

namespace receiver {

Frame::Frame(const FrameSource& source, std::shared_ptr<sail::BlockRowPools> rows,
             std::shared_ptr<DecodedBlocks> decoded)
    : source_(source),
      grid_(source.grid),
      rows_(std::move(rows)),
      decoded_(std::move(decoded)),
      blocks_(static_cast<size_t>(source.grid.rows())),
      plain_(decoded_ ? source.grid.count() : 0) {}

size_t Frame::memory(const sail::BlockGrid& grid, codecs::CodecId codec) {
  size_t bytes = 0;
  for (int row = 0; row < grid.rows(); ++row) {
    for (int column = 0; column < grid.columns(); ++column) {
      const sail::Rect rect = grid.block_rect(column, row);
      bytes += codecs::max_block_bytes(codec, rect.width, rect.height);
    }
  }
  return bytes;
}

void Frame::begin(const FrameKey& key, int reduction, codecs::PictureColor color) {
  key_ = key;
  reduction_ = reduction;
  color_ = color;
  grid_ = sail::reduced_grid(source_.grid.frame_size(), source_.grid.block_size(), reduction,
                             sail::scaling_of(source_.codec.id));
  wanted_ = all();
  assembled_ns_ = 0;
}

void Frame::clear() {
  for (sail::BlockRowRef& row : blocks_) row = {};
  for (PlainBlockRef& plain : plain_) plain = {};
}

sail::BlockRow& Frame::fresh_row(int row) {
  sail::BlockRowRef& blocks = blocks_[static_cast<size_t>(row)];
  if (!blocks) blocks = rows_->take(row);
  return *blocks;
}

codecs::ImageView Frame::picture(int column, int row) const {
  const sail::Rect rect = grid_.block_rect(column, row);
  const auto format = decoded_ ? plain_block(column, row)->format : codecs::PixelFormat::kBgra;
  auto view = codecs::packed_view(format, rect.width, rect.height, plain(column, row));
  view.matrix = color_.matrix;
  view.range = color_.range;
  return view;
}

}  // namespace receiver
