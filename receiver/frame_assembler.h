// Puts the pixel blocks of one data connection together to frames and holds the peer to the
// protocol: order of messages, numbers, lengths, and no more frames in flight than agreed. Pure.
//
// Owns the connection's frame buffers, each taken when first needed. Frames are handed out by
// unique_ptr and come back by give_back().
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
  // Where bytes wait for one another on the way, few frames keep the way busy.
  static constexpr int kFramesInFlight = 4;
  // Frames that are out at the same time: those in flight, the one shown, and the one that it takes
  // the place of.
  static constexpr int frames(int frames_in_flight) { return frames_in_flight + 2; }
  // What all frames together may come to take, with what the next frame builds on.
  static size_t memory(const FrameSource& source, int frames_in_flight = kFramesInFlight);

  explicit FrameAssembler(const FrameSource& source, int frames_in_flight = kFramesInFlight);

  // A frame begins. The result is the frame before when it did not end, else null.
  sail::DataResult<std::unique_ptr<Frame>> begin(const sail::FrameBegin& message);
  // Where the bytes of the run go.
  sail::DataResult<std::span<uint8_t>> place(const sail::BlockRun& run,
                                             std::span<const uint32_t> lengths);
  // The bytes of the last place() are there.
  void placed();
  // The frame ends, whole or not.
  struct Ended {
    std::unique_ptr<Frame> frame;
    bool whole = false;
  };
  sail::DataResult<Ended> end(const sail::FrameEnd& message);

  // The frame will not come (any further): it counts as begun, and the next may build on what the
  // ones before brought. What there is of it, or null.
  sail::DataResult<std::unique_ptr<Frame>> lose(const FrameKey& key);

  // The frame begun or lost last, and the one that the next may build on; zeros: none.
  FrameKey newest() const { return key_; }
  FrameKey whole() const { return last_; }

  // The peer was told what became of one of its frames: it may send another.
  void count_reported() { --unreported_; }
  int unreported() const { return unreported_; }
  void give_back(std::unique_ptr<Frame> frame);

 private:
  // Counts it as the frame in flight.
  std::optional<sail::DataError> take_key(const FrameKey& key);
  std::optional<sail::DataError> check(const sail::BlockRun& run,
                                       std::span<const uint32_t> lengths) const;
  sail::DataResult<std::unique_ptr<Frame>> free_frame();
  // Fills the gaps with the blocks of the frame before.
  void build_on_last(Frame& frame) const;
  void forget_last();

  const FrameSource source_;
  const int frames_in_flight_;
  FrameKey key_;                    // of the frame begun last
  std::unique_ptr<Frame> current_;  // null between frames
  uint64_t base_ = 0;               // that it builds on
  uint32_t here_ = 0;               // blocks of it that came
  sail::BlockRun run_;              // the last one placed
  std::vector<uint32_t> lengths_;   // of its blocks
  int unreported_ = 0;              // frames begun that the peer has no report of

  std::shared_ptr<sail::BlockRowPools> rows_;
  std::shared_ptr<DecodedBlocks> decoded_;  // null for codecs that need none
  int frames_made_ = 0;
  std::vector<std::unique_ptr<Frame>> free_;
  // The rows of the last frame that became whole, after the pools, which outlive them.
  FrameKey last_;  // its key; zeros: none
  sail::BlockGrid last_grid_;
  std::vector<sail::BlockRowRef> last_rows_;
};

}  // namespace receiver
