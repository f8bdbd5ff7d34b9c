#include "receiver/frame.h"

#include <utility>

#include "codecs/dxt.h"

namespace receiver {

Frame::Frame(const FrameSource& source, std::shared_ptr<sail::BlockRowPools> rows)
    : source_(source),
      grid_(source.grid),
      rows_(std::move(rows)),
      blocks_(static_cast<size_t>(source.grid.rows())) {}

size_t Frame::memory(const sail::BlockGrid& grid, codecs::CodecId codec) {
  // Texel blocks that the cut into pixel blocks splits do not occur: sides are multiples of 4.
  return codecs::dxt_bytes(codec, grid.frame_size().width, grid.frame_size().height);
}

void Frame::begin(const FrameKey& key, int reduction) {
  key_ = key;
  reduction_ = reduction;
  grid_ = {sail::reduced_size(source_.grid.frame_size(), reduction), source_.grid.block_size()};
  assembled_ns_ = 0;
  for (sail::BlockRowRef& row : blocks_) row = {};
}

sail::BlockRow& Frame::fresh_row(int row) {
  sail::BlockRowRef& blocks = blocks_[static_cast<size_t>(row)];
  if (!blocks) blocks = rows_->take(row);
  return *blocks;
}

}  // namespace receiver
