// Assembles the pixel blocks of one data connection into frames and enforces the protocol: order of
// messages, numbers, lengths, and the limit of frames in flight. Pure.
//
// Owns the connection's frame buffers and allocates each when first needed. Frames are handed out
// as unique_ptr and returned with recycle().
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "receiver/frame/frame.h"
#include "sail/core/wire/data/data_messages.h"

namespace receiver {

class FrameAssembler {
 public:
  // Frames in flight over TCP: bytes arrive in order, so a few frames keep the connection busy.
  static constexpr int kFramesInFlight = 4;
  // Frames in use at a time: those in flight, the frame on screen, and the one that replaces it.
  static constexpr int frames(int frames_in_flight) { return frames_in_flight + 2; }
  // Returns the most memory that all frames can take, including the base of the next frame.
  static size_t memory(const FrameSource& source, int frames_in_flight = kFramesInFlight);

  explicit FrameAssembler(const FrameSource& source, int frames_in_flight = kFramesInFlight);
  // Frames that are being decoded are abandoned.
  ~FrameAssembler();
  FrameAssembler(const FrameAssembler&) = delete;
  FrameAssembler& operator=(const FrameAssembler&) = delete;

  // Starts a frame. Returns the previous frame if it did not end, else null.
  sail::DataResult<std::unique_ptr<Frame>> begin(const sail::FrameBegin& message);
  // Returns the buffer for the bytes of the run.
  sail::DataResult<std::span<uint8_t>> place(const sail::BlockRun& run,
                                             std::span<const uint32_t> lengths);
  // The bytes of the last place() have arrived.
  void placed();
  // Ends the frame, complete or incomplete.
  struct Ended {
    std::unique_ptr<Frame> frame;
    bool whole = false;
  };
  sail::DataResult<Ended> end(const sail::FrameEnd& message);

  // Counts a frame that will not arrive (completely) as begun. The next frame may build on the
  // frames before the lost one. Returns what arrived of the lost frame, or null.
  sail::DataResult<std::unique_ptr<Frame>> lose(const FrameKey& key);

  // Return the frame begun or lost last, and the frame that the next may build on; zeros: none.
  FrameKey newest() const { return key_; }
  FrameKey whole() const { return last_; }

  // The peer received the report of one of its frames and may send another.
  void count_reported() { --unreported_; }
  int unreported() const { return unreported_; }
  void recycle(std::unique_ptr<Frame> frame);

 private:
  // Counts the frame as in flight.
  std::optional<sail::DataError> take_key(const FrameKey& key);
  std::optional<sail::DataError> check(const sail::BlockRun& run,
                                       std::span<const uint32_t> lengths) const;
  sail::DataResult<std::unique_ptr<Frame>> free_frame();
  // Fills the gaps of the frame with blocks of the previous frame.
  void build_on_last(Frame& frame) const;
  void forget_last();

  const FrameSource source_;
  const int frames_in_flight_;
  FrameKey key_;                    // key of the frame begun last
  std::unique_ptr<Frame> current_;  // null between frames
  uint64_t base_ = 0;               // number of the frame that the current one builds on
  uint32_t here_ = 0;               // blocks of the current frame that arrived
  sail::BlockRun run_;              // the last run placed
  std::vector<uint32_t> lengths_;   // lengths of the run's blocks
  int unreported_ = 0;              // frames begun without a report to the peer

  std::shared_ptr<sail::BlockRowPools> rows_;
  std::shared_ptr<DecodedBlocks> decoded_;  // null for codecs without decoding
  int frames_made_ = 0;
  std::vector<std::unique_ptr<Frame>> free_;
  // Rows of the last complete frame; declared after the pools, which must outlive them.
  FrameKey last_;  // key of that frame; zeros: none
  sail::BlockGrid last_grid_;
  codecs::PictureColor last_color_;
  std::vector<sail::BlockRowRef> last_rows_;
};

}  // namespace receiver
