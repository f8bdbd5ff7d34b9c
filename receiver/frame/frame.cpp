#include "receiver/frame/frame.h"

#include <algorithm>
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
  hidden_.clear();
}

void Frame::hide(int column, int row_number) {
  if (hidden_.empty()) hidden_.resize(grid_.count());
  hidden_[index(column, row_number)] = true;
}

sail::BlockRow& Frame::fresh_row(int row) {
  sail::BlockRowRef& blocks = blocks_[static_cast<size_t>(row)];
  if (!blocks) blocks = rows_->take(row);
  return *blocks;
}

codecs::ImageView Frame::picture(int column, int row) const {
  const sail::Rect rect = grid_.block_rect(column, row);
  const auto [id, compression] = source_.codec;
  auto format = codecs::PixelFormat::kBgra;
  if (decoded_) format = plain_block(column, row)->format;
  if (codecs::is_planar(id, compression, color_.matrix)) format = codecs::PixelFormat::kI420;
  auto view = codecs::packed_view(format, rect.width, rect.height, plain(column, row));
  view.matrix = color_.matrix;
  view.range = color_.range;
  return view;
}

void BlockSet::fill(const sail::BlockGrid& grid) {
  grid_ = grid;
  blocks_.assign(grid.count(), true);
}

void BlockSet::add_changed(const Frame* before, const Frame& next) {
  const sail::BlockGrid& grid = next.grid();
  const bool comparable = before != nullptr && before->grid() == grid &&
                          before->codec() == next.codec() && before->session() == next.session() &&
                          !before->hides_any();
  if (!comparable) return fill(grid);
  if (blocks_.empty() || grid_ != grid) blocks_.assign(grid.count(), false);
  grid_ = grid;
  auto block = blocks_.begin();
  for (int row = 0; row < grid.rows(); ++row) {
    if (before->row(row) == next.row(row)) {
      block += grid.columns();
      continue;
    }
    for (int column = 0; column < grid.columns(); ++column, ++block) {
      if (before->version(column, row) != next.version(column, row)) *block = true;
    }
  }
}

void BlockSet::remove(const sail::Rect& source_rect) {
  if (blocks_.empty()) return;
  const sail::Rect touched = grid_.blocks_touching(source_rect);
  for (int row = touched.y; row < touched.bottom(); ++row) {
    std::fill_n(blocks_.begin() + row * grid_.columns() + touched.x, touched.width, false);
  }
}

bool BlockSet::any() const {
  return std::find(blocks_.begin(), blocks_.end(), true) != blocks_.end();
}

bool BlockSet::touch(const sail::Rect& source_rect) const {
  if (blocks_.empty()) return false;
  const sail::Rect touched = grid_.blocks_touching(source_rect);
  for (int row = touched.y; row < touched.bottom(); ++row) {
    const auto first = blocks_.begin() + row * grid_.columns() + touched.x;
    if (std::find(first, first + touched.width, true) != first + touched.width) return true;
  }
  return false;
}

}  // namespace receiver
