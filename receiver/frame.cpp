#include "receiver/frame.h"

#include <algorithm>

#include "codecs/dxt.h"

namespace receiver {
namespace {

size_t bytes_of(const sail::Rect& block) {
  return codecs::dxt_bytes(codecs::CodecId::kDxt1, block.width, block.height);
}

size_t row_bytes(const sail::BlockGrid& grid, int row) {
  const int last = grid.columns() - 1;
  return static_cast<size_t>(last) * bytes_of(grid.block_rect(0, row)) +
         bytes_of(grid.block_rect(last, row));
}

}  // namespace

Frame::Frame(const sail::BlockGrid& grid, uint32_t stream, uint64_t session)
    : grid_(grid),
      stream_(stream),
      session_(session),
      here_(grid.count()),
      bytes_(std::make_unique_for_overwrite<uint8_t[]>(memory(grid))) {}

size_t Frame::memory(const sail::BlockGrid& grid) {
  const int last = grid.rows() - 1;
  return row_bytes(grid, 0) * static_cast<size_t>(last) + row_bytes(grid, last);
}

size_t Frame::block_bytes(const sail::BlockGrid& grid, int column, int row) {
  return bytes_of(grid.block_rect(column, row));
}

void Frame::begin(const FrameKey& key) {
  key_ = key;
  assembled_ns_ = 0;
  here_count_ = 0;
  std::fill(here_.begin(), here_.end(), false);
}

size_t Frame::offset(int column, int row) const {
  return static_cast<size_t>(row) * row_bytes(grid_, 0) +
         static_cast<size_t>(column) * bytes_of(grid_.block_rect(0, row));
}

std::span<uint8_t> Frame::places(int row, int first_column, int count) {
  const size_t begin = offset(first_column, row);
  const int last = first_column + count - 1;
  return {bytes_.get() + begin, offset(last, row) + block_bytes(grid_, last, row) - begin};
}

void Frame::mark_here(int row, int first_column, int count) {
  for (int column = first_column; column < first_column + count; ++column) {
    here_[index(column, row)] = true;
  }
  here_count_ += static_cast<uint32_t>(count);
}

}  // namespace receiver
