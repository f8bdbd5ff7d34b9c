#include "ui/bridge/held_frame.h"

#include <span>

#include "codecs/picture/block_encoder.h"
#include "sail/core/wire/data/access_units.h"

namespace ui {

HeldFrame::Taken HeldFrame::take(const receiver::Frame& frame) {
  const FarShape shape{.stream = frame.stream(),
                       .codec = frame.codec(),
                       .frame_size = frame.grid().frame_size(),
                       .block_size = frame.grid().block_size()};
  // Only JPEG 2000 halves blocks.
  if (shape.block_size != frame.full_grid().block_size()) return Taken::kUnusable;
  const bool same = !empty() && shape == shape_;
  if (same && frame.session() == session_ && frame.key().number <= number_) return Taken::kRepeated;
  if (!same) begin(shape);
  session_ = frame.session();
  number_ = frame.key().number;
  color_ = frame.color();
  if (!copy_blocks(frame)) {
    lengths_.clear();
    return Taken::kUnusable;
  }
  if (units_) chain_ = units_->take(bytes_);
  return Taken::kNew;
}

void HeldFrame::begin(const FarShape& shape) {
  shape_ = shape;
  chain_ = nullptr;
  units_.reset();
  if (!codecs::is_carried(shape.codec.id)) return;
  units_.emplace(
      codecs::max_block_bytes(shape.codec.id, shape.frame_size.width, shape.frame_size.height));
}

bool HeldFrame::copy_blocks(const receiver::Frame& frame) {
  bytes_.clear();
  lengths_.clear();
  const sail::BlockGrid& grid = frame.grid();
  for (int row = 0; row < grid.rows(); ++row) {
    for (int column = 0; column < grid.columns(); ++column) {
      if (!frame.has(column, row)) return false;
      const std::span<const uint8_t> block = frame.block(column, row);
      bytes_.insert(bytes_.end(), block.begin(), block.end());
      lengths_.push_back(static_cast<uint32_t>(block.size()));
    }
  }
  return true;
}

sail_encoded_frame HeldFrame::last() {
  return encoded(bytes_, lengths_);
}

sail_encoded_frame HeldFrame::whole() {
  if (chain_ == nullptr) return last();
  joined_.resize(sail::kUnitsHeadBytes);
  sail::encode_units_head(std::span(joined_).first<sail::kUnitsHeadBytes>(), chain_->head);
  for (const sail::CarriedUnit& unit : chain_->after(0)) {
    joined_.insert(joined_.end(), unit.bytes.begin(), unit.bytes.end());
  }
  joined_length_.assign(1, static_cast<uint32_t>(joined_.size()));
  return encoded(joined_, joined_length_);
}

sail_encoded_frame HeldFrame::encoded(const std::vector<uint8_t>& bytes,
                                      const std::vector<uint32_t>& lengths) const {
  return {.bytes = bytes.data(),
          .byte_count = bytes.size(),
          .lengths = lengths.data(),
          .block_count = lengths.size(),
          .matrix = static_cast<sail_color_matrix>(color_.matrix),
          .range = static_cast<sail_color_range>(color_.range),
          .present_ns = 0,
          .again = 0};
}

}  // namespace ui
