// Puts the pixel blocks of one data connection together to frames and holds the peer to the
// protocol: order of messages, numbers, lengths, and no more frames in flight than agreed. Pure.
//
// Owns the connection's frame buffers: at most kFrames, each taken when first needed. Frames are
// handed out by unique_ptr and come back by give_back().
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "receiver/frame.h"
#include "sail/wire/data_messages.h"

namespace receiver {

class FrameAssembler {
 public:
  static constexpr int kFramesInFlight = 4;
  // Those in flight, the one shown, and the one that it takes the place of.
  static constexpr int kFrames = kFramesInFlight + 2;
  // What all frames together may come to take; to be checked against kMaxStreamMemory.
  static size_t memory(const sail::BlockGrid& grid) { return kFrames * Frame::memory(grid); }

  FrameAssembler(const sail::BlockGrid& grid, uint32_t stream, uint64_t session);

  // A frame begins. The result is the frame before when it never became whole, else null.
  sail::DataResult<std::unique_ptr<Frame>> begin(const sail::FrameBegin& message);
  // Where the bytes of the run go.
  sail::DataResult<std::span<uint8_t>> place(const sail::BlockRun& run,
                                             std::span<const uint32_t> lengths);
  // The bytes of the last place() are there. The frame, when that made it whole.
  std::unique_ptr<Frame> placed();
  // The frame ends. The result is the frame when it never became whole, else null.
  sail::DataResult<std::unique_ptr<Frame>> end(const sail::FrameEnd& message);

  // The peer was told what became of one of its frames: it may send another.
  void count_reported() { --unreported_; }
  void give_back(std::unique_ptr<Frame> frame);

 private:
  std::optional<sail::DataError> check(const sail::BlockRun& run,
                                       std::span<const uint32_t> lengths) const;

  sail::BlockGrid grid_;
  uint32_t stream_;
  uint64_t session_;
  FrameKey key_;                    // of the frame begun last
  bool open_ = false;               // it has not ended
  uint32_t announced_ = 0;          // blocks it comes with
  std::unique_ptr<Frame> current_;  // null once it is whole
  sail::BlockRun run_;              // the last one placed
  int unreported_ = 0;              // frames begun that the peer has no report of
  int frames_made_ = 0;
  std::vector<std::unique_ptr<Frame>> free_;
};

}  // namespace receiver
