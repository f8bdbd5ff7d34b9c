#include "sail/client/transport/kept_frame.h"

#include <algorithm>
#include <utility>

namespace sail {

void OutgoingSymbols::clear() {
  parts_ = {};
  ends_.clear();
  count_ = 0;
  whole_ = false;
}

void OutgoingSymbols::set_parts(std::span<const Part> parts, size_t symbol_bytes, bool whole) {
  parts_ = parts;
  symbol_bytes_ = symbol_bytes;
  whole_ = whole;
  size_t end = ends_.empty() ? 0 : ends_.back();
  for (const Part part : parts.subspan(ends_.size())) ends_.push_back(end += part.size());
  // A partial symbol waits for more data unless the frame is complete.
  count_ = static_cast<uint32_t>((whole ? end + symbol_bytes - 1 : end) / symbol_bytes);
}

size_t OutgoingSymbols::bytes_of(uint32_t symbol) const {
  return std::min(symbol_bytes_, ends_.back() - symbol * symbol_bytes_);
}

void OutgoingSymbols::gather(uint32_t symbol, std::vector<Part>& list) const {
  size_t at = symbol * symbol_bytes_;
  const size_t end = at + bytes_of(symbol);
  auto part = static_cast<size_t>(std::upper_bound(ends_.begin(), ends_.end(), at) - ends_.begin());
  for (; at < end; ++part) {
    const size_t part_begin = ends_[part] - parts_[part].size();
    const size_t taken = std::min(ends_[part], end) - at;
    list.push_back(parts_[part].subspan(at - part_begin, taken));
    at += taken;
  }
}

bool begun_before(const FrameName& a, const FrameName& b) {
  return std::pair(a.frame, a.epoch) < std::pair(b.frame, b.epoch);
}

void KeptFrame::begin(const OutgoingFrame& outgoing) {
  name = outgoing.name();
  submitted_ns = outgoing.submitted_ns;
  deadline_ns =
      outgoing.delay_us == 0 ? 0 : outgoing.submitted_ns + int64_t{1000} * outgoing.delay_us;
  sent = 0;
  all_sent = false;
  repeated = 0;
  parities.clear();
  symbols.clear();
  sent_us.clear();
}

void KeptFrame::release() {
  if (shared) {
    sent = shared->sent;
    all_sent = shared->all_sent;
    held = shared->held;
    shared.reset();
  }
  symbols.clear();
  messages.release();
}

void FrameBase::forget() {
  base_ = 0;
  floor_ = kNoFrame;
}

uint64_t FrameBase::begin(KeptFrame& frame, const BlockGrid& grid) {
  if (held_.grid != grid) {
    held_.grid = grid;
    forget();
  }
  if (base_ != 0) {
    frame.held = held_;
  } else {
    frame.held.forget(grid);
    // Consecutive frames without a base have the same blocks if they use the same map.
    if (floor_.epoch != frame.name.epoch) floor_ = frame.name;
  }
  return base_;
}

void FrameBase::set_received(KeptFrame& frame) {
  if (begun_before(frame.name, floor_) || frame.name.frame < base_) return;
  base_ = frame.name.frame;
  std::swap(held_, frame.held);
}

}  // namespace sail
