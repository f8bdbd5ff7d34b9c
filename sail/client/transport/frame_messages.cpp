#include "sail/client/transport/frame_messages.h"

#include <algorithm>
#include <utility>

namespace sail {

void FrameMessages::begin(OutgoingFrame outgoing, uint32_t stream, uint64_t base,
                          const SealedMemory* read_there) {
  outgoing_ = std::move(outgoing);
  stream_ = stream;
  read_there_ = read_there;
  next_row_ = 0;
  block_count_ = 0;
  parts_.clear();
  bytes_ = 0;
  // Allocate the full size at once, because parts refer to this memory.
  heads_.resize(outgoing_.plan->head_bytes() + kUnitsHeadBytes);
  heads_added_ = 0;
  heads_used_ = encode_to(heads_, stream_,
                          FrameBegin{.frame = outgoing_.frame->number(),
                                     .epoch = outgoing_.epoch,
                                     .submitted_ns = outgoing_.submitted_ns,
                                     .base = base,
                                     .reduction = static_cast<uint8_t>(outgoing_.plan->reduction()),
                                     .color = outgoing_.frame->color(),
                                     .delay_us = outgoing_.delay_us});
}

void FrameMessages::release() {
  outgoing_ = {};
  parts_.clear();
  bytes_ = 0;
}

void FrameMessages::add_rows(HeldBlocks& held, const WallClock& clock) {
  if (whole()) return;
  const int rows = outgoing_.plan->rows();
  while (next_row_ < rows && outgoing_.frame->has_row(next_row_)) add_row(next_row_++, held);
  if (next_row_ < rows) return;
  heads_used_ += encode_to(std::span(heads_).subspan(heads_used_), stream_,
                           FrameEnd{.frame = outgoing_.frame->number(),
                                    .encoded_ns = outgoing_.frame->encoded_ns(),
                                    .sent_ns = clock.wall_now_ns(),
                                    .block_count = block_count_});
  add_heads();
}

// Adds the planned blocks of the row that the receiver lacks, in runs of adjacent blocks.
void FrameMessages::add_row(int row, HeldBlocks& held) {
  if (const UnitChain* chain = outgoing_.frame->units()) {
    return add_units(*chain, held.versions.front());
  }
  const BlockRowRef& blocks = outgoing_.frame->row(row);
  const auto columns = static_cast<size_t>(held.grid.columns());
  const auto versions =
      std::span(held.versions).subspan(static_cast<size_t>(row) * columns, columns);
  for (const ReceiverPlan::Run& run : outgoing_.plan->row(row)) {
    const int end = run.first_column + run.count;
    const auto is_new = [&](int column) {
      return versions[static_cast<size_t>(column)] != blocks->version(column);
    };
    for (int column = run.first_column; column < end;) {
      int next = column;
      for (; next < end && is_new(next); ++next) {
        versions[static_cast<size_t>(next)] = blocks->version(next);
      }
      if (next > column) {
        add_run(*blocks, {.frame = outgoing_.frame->number(),
                          .row = run.row,
                          .first_column = static_cast<uint16_t>(column),
                          .count = static_cast<uint16_t>(next - column)});
      }
      column = std::max(next, column + 1);
    }
  }
}

void FrameMessages::add_run(const BlockRow& blocks, const BlockRun& run) {
  // Reduction beyond the frame's own, done by cutting codestreams that hold several resolutions.
  const int reduction = outgoing_.plan->reduction() - outgoing_.frame->reduction();
  lengths_.clear();
  for (int i = 0; i < run.count; ++i) {
    lengths_.push_back(static_cast<uint32_t>(blocks.block(run.first_column + i, reduction).size()));
  }
  block_count_ += run.count;
  const auto first = blocks.block(run.first_column, reduction);
  if (read_there_ != nullptr && read_there_->contains(first)) {
    return add_places(blocks, run, reduction);
  }
  heads_used_ += encode_to(std::span(heads_).subspan(heads_used_), stream_, run, lengths_);
  add_heads();
  // Adjacent blocks are mostly contiguous in memory, too, and then form one part.
  for (int i = 0; i < run.count; ++i) {
    const auto bytes = blocks.block(run.first_column + i, reduction);
    if (bytes.empty()) continue;
    std::span<const uint8_t>& last = parts_.back();
    if (i > 0 && last.data() + last.size() == bytes.data()) {
      last = {last.data(), last.size() + bytes.size()};
    } else {
      parts_.push_back(bytes);
    }
    bytes_ += bytes.size();
  }
}

// A row lies in the memory as a whole, or not at all.
void FrameMessages::add_places(const BlockRow& blocks, const BlockRun& run, int reduction) {
  places_.clear();
  for (int i = 0; i < run.count; ++i) {
    const auto bytes = blocks.block(run.first_column + i, reduction);
    places_.push_back({.offset = static_cast<uint64_t>(bytes.data() - read_there_->bytes().data()),
                       .length = static_cast<uint32_t>(bytes.size())});
  }
  heads_used_ += encode_to(std::span(heads_).subspan(heads_used_), stream_, run, places_);
  add_heads();
}

void FrameMessages::add_units(const UnitChain& chain, uint64_t& held) {
  const auto units = chain.after(held);
  size_t bytes = kUnitsHeadBytes;
  for (const CarriedUnit& unit : units) bytes += unit.bytes.size();
  lengths_.assign(1, static_cast<uint32_t>(bytes));
  const BlockRun run{.frame = outgoing_.frame->number(), .row = 0, .first_column = 0, .count = 1};
  block_count_ = 1;
  heads_used_ += encode_to(std::span(heads_).subspan(heads_used_), stream_, run, lengths_);
  encode_units_head(std::span(heads_).subspan(heads_used_).first<kUnitsHeadBytes>(), chain.head);
  heads_used_ += kUnitsHeadBytes;
  add_heads();
  for (const CarriedUnit& unit : units) {
    parts_.push_back(unit.bytes);
    bytes_ += unit.bytes.size();
  }
  if (!units.empty()) held = chain.end();
}

void FrameMessages::add_heads() {
  parts_.push_back(std::span(heads_).subspan(heads_added_, heads_used_ - heads_added_));
  bytes_ += heads_used_ - heads_added_;
  heads_added_ = heads_used_;
}

}  // namespace sail
