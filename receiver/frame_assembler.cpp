#include "receiver/frame_assembler.h"

#include <fmt/core.h>

#include <utility>

namespace receiver {
namespace {

using sail::CloseReason;
using sail::DataError;

tl::unexpected<DataError> refuse(CloseReason reason, std::string text) {
  return tl::make_unexpected(DataError{reason, std::move(text)});
}

DataError bad(std::string text) {
  return {CloseReason::kBadMessage, std::move(text)};
}

}  // namespace

FrameAssembler::FrameAssembler(const sail::BlockGrid& grid, uint32_t stream, uint64_t session)
    : grid_(grid), stream_(stream), session_(session) {
  free_.reserve(kFrames);
}

sail::DataResult<std::unique_ptr<Frame>> FrameAssembler::begin(const sail::FrameBegin& message) {
  const FrameKey key{message.epoch, message.frame};
  if (key <= key_ || key.number < key_.number) {
    return refuse(CloseReason::kBadMessage,
                  fmt::format("frame {} of epoch {} comes after frame {} of epoch {}", key.number,
                              key.epoch, key_.number, key_.epoch));
  }
  if (message.block_count == 0 || message.block_count > grid_.count()) {
    return refuse(CloseReason::kBadMessage, fmt::format("a frame of {} blocks announces {}",
                                                        grid_.count(), message.block_count));
  }
  if (unreported_ == kFramesInFlight) {
    return refuse(CloseReason::kLimit,
                  fmt::format("more than {} frames in flight", kFramesInFlight));
  }
  std::unique_ptr<Frame> incomplete = std::move(current_);
  if (!free_.empty()) {
    current_ = std::move(free_.back());
    free_.pop_back();
  } else if (frames_made_ < kFrames) {
    current_ = std::make_unique<Frame>(grid_, stream_, session_);
    ++frames_made_;
  } else {
    return refuse(CloseReason::kLimit, "no frame buffer is free");
  }
  current_->begin(key);
  key_ = key;
  open_ = true;
  announced_ = message.block_count;
  ++unreported_;
  return incomplete;
}

std::optional<DataError> FrameAssembler::check(const sail::BlockRun& run,
                                               std::span<const uint32_t> lengths) const {
  if (!open_ || run.frame != key_.number) {
    return bad(fmt::format("blocks of frame {}, which is not being sent", run.frame));
  }
  if (run.count == 0 || run.row >= grid_.rows() || run.first_column + run.count > grid_.columns()) {
    return bad(fmt::format("blocks {} to {} of block row {} in a frame of {}×{} blocks",
                           run.first_column, run.first_column + run.count - 1, run.row,
                           grid_.columns(), grid_.rows()));
  }
  if (!current_ || current_->here_count() + run.count > announced_) {
    return bad(fmt::format("more than the {} blocks announced", announced_));
  }
  for (int i = 0; i < run.count; ++i) {
    const int column = run.first_column + i;
    if (current_->has(column, run.row)) {
      return bad(fmt::format("block {} of block row {} came twice", column, run.row));
    }
    const size_t bytes = Frame::block_bytes(grid_, column, run.row);
    if (lengths[static_cast<size_t>(i)] != bytes) {
      return bad(fmt::format("a block of {} bytes where DXT1 has {}",
                             lengths[static_cast<size_t>(i)], bytes));
    }
  }
  return std::nullopt;
}

sail::DataResult<std::span<uint8_t>> FrameAssembler::place(const sail::BlockRun& run,
                                                           std::span<const uint32_t> lengths) {
  if (auto error = check(run, lengths)) return tl::make_unexpected(*std::move(error));
  run_ = run;
  return current_->places(run.row, run.first_column, run.count);
}

std::unique_ptr<Frame> FrameAssembler::placed() {
  current_->mark_here(run_.row, run_.first_column, run_.count);
  if (current_->here_count() < announced_) return nullptr;
  return std::move(current_);
}

sail::DataResult<std::unique_ptr<Frame>> FrameAssembler::end(const sail::FrameEnd& message) {
  if (!open_ || message.frame != key_.number) {
    return refuse(CloseReason::kBadMessage,
                  fmt::format("the end of frame {}, which is not being sent", message.frame));
  }
  open_ = false;
  return std::move(current_);
}

void FrameAssembler::give_back(std::unique_ptr<Frame> frame) {
  free_.push_back(std::move(frame));
}

}  // namespace receiver
