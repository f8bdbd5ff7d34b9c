#include "sail/media/source/unit_frames.h"

#include <algorithm>
#include <utility>

#include "sail/core/time/clock.h"

namespace sail {
namespace {

constexpr size_t kMostUnitBytes = size_t{64} << 20;

}  // namespace

UnitFrames::UnitFrames(Depth depth)
    : depth_(depth), next_number_(static_cast<uint64_t>(steady_now_ns() / 1000)) {
  begin_block();
}

void UnitFrames::begin_block() {
  block_.resize(kUnitsHeadBytes);
  unit_count_ = 0;
}

void UnitFrames::restart(int64_t wanted_ns) {
  waiting_.clear();
  begin_block();
  wanted_ns_ = wanted_ns;
  shown_ns_.reset();
  begun_ = ended_ = false;
  ++next_number_;  // the gap tells decoders that the unit before is not needed
}

void UnitFrames::add(AccessUnit unit, int64_t duration_ns, bool shown) {
  if (!begun_ && !unit.key) {
    ++left_out_;
    return;
  }
  begun_ = true;
  if (block_.size() + unit.bytes.size() > kMostUnitBytes || unit_count_ == kMaxUnits) {
    give_up();
    if (!unit.key) return;
    begun_ = true;
  }
  const auto later = std::find_if(waiting_.begin(), waiting_.end(), [&](const Waiting& other) {
    return other.time_ns >= unit.time_ns;
  });
  const bool taken = later != waiting_.end() && later->time_ns == unit.time_ns;
  // A picture without a time of its own is decoded, but not shown.
  if (shown && !taken && (!shown_ns_ || unit.time_ns > *shown_ns_)) {
    waiting_.insert(later, {unit.time_ns, duration_ns});
  }
  append(unit);
}

void UnitFrames::append(const AccessUnit& unit) {
  AccessUnit numbered = unit;
  numbered.number = next_number_++;
  const size_t at = block_.size();
  block_.resize(at + kUnitFieldsBytes);
  encode_unit_fields(std::span(block_).subspan(at).first<kUnitFieldsBytes>(), numbered);
  block_.insert(block_.end(), unit.bytes.begin(), unit.bytes.end());
  ++unit_count_;
}

void UnitFrames::give_up() {
  left_out_ += unit_count_;
  restart(wanted_ns_);
}

bool UnitFrames::ready() const {
  const auto behind = static_cast<size_t>(depth_.reorder + depth_.ahead);
  return ended_ ? !waiting_.empty() : waiting_.size() > behind;
}

std::optional<UnitFrames::Frame> UnitFrames::next() {
  while (ready() && waiting_.size() > 1 && waiting_[1].time_ns <= wanted_ns_) {
    waiting_.erase(waiting_.begin());
  }
  if (!ready()) return std::nullopt;
  Frame frame{.time_ns = waiting_.front().time_ns,
              .duration_ns = waiting_.front().duration_ns,
              .block = std::exchange(block_, std::move(spare_))};
  waiting_.erase(waiting_.begin());
  begin_block();
  shown_ns_ = frame.time_ns;
  encode_units_head(std::span(frame.block).first<kUnitsHeadBytes>(), {.shows_ns = frame.time_ns,
                                                                      .reorder = depth_.reorder,
                                                                      .ahead = depth_.ahead,
                                                                      .last = ended_});
  return frame;
}

uint64_t UnitFrames::take_left_out() {
  return std::exchange(left_out_, 0);
}

}  // namespace sail
