// The frames whose packets may be sent: their bytes as symbols, the data that is kept until the
// receiver has them, and the frame on which later frames build.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sail/client/transport/frame_messages.h"
#include "sail/core/wire/data/packets.h"

namespace sail {

// Cuts a frame's messages into symbols of equal length without copying them. Pure.
class OutgoingSymbols {
 public:
  using Part = std::span<const uint8_t>;

  void clear();
  // Sets all parts available so far: the parts of the last call, then new ones. Their memory must
  // stay valid while the symbols are in use. whole: no more parts will follow.
  void set_parts(std::span<const Part> parts, size_t symbol_bytes, bool whole);

  // Number of symbols available so far. The frame's last symbol may be shorter.
  uint32_t count() const { return count_; }
  bool is_last(uint32_t symbol) const { return whole_ && symbol + 1 == count_; }
  size_t bytes_of(uint32_t symbol) const;
  // Appends the symbol's bytes to the list.
  void gather(uint32_t symbol, std::vector<Part>& list) const;

 private:
  std::span<const Part> parts_;
  std::vector<size_t> ends_;  // end offset of each part in the frame
  size_t symbol_bytes_ = 1;
  uint32_t count_ = 0;
  bool whole_ = false;
};

// A frame whose packets may be sent, and sent again. Kept until the receiver has it or no longer
// needs it.
struct KeptFrame {
  FrameName name;          // default: this object is free
  FrameMessages messages;  // empty once it is too late to send any of it
  OutgoingSymbols symbols;
  HeldBlocks held;           // blocks that the receiver has once this frame is complete
  uint64_t base = 0;         // of a group's frame: number of the frame on which it builds
  int64_t submitted_ns = 0;  // wall time
  int64_t deadline_ns = 0;   // wall time at which the receiver drops the frame; 0: never
  uint32_t sent = 0;         // number of source symbols sent, from the first
  bool all_sent = false;
  uint32_t repeated = 0;          // number of retransmitted symbols
  std::vector<uint32_t> sent_us;  // time of the last transmission, by symbol
  std::vector<uint8_t> parities;  // number of repair symbols, by FEC block
  bool by_group = false;          // belongs to a multicast group, not to a link
  // A link's frame that the group sends: its bytes, symbols and progress are there. sent_us then
  // has only what was repeated to the link; 0: not yet.
  std::shared_ptr<KeptFrame> shared{};

  bool free() const { return name.frame == 0; }
  // Nothing of this frame is sent yet. Keeps the memory of the frame before.
  void begin(const OutgoingFrame& outgoing);
  KeptFrame& source() { return shared ? *shared : *this; }
  // Releases the bytes, which will not be sent any more.
  void release();
};

// The frame on which later frames build: the newest one that the receiver is known to have
// completely. So a lost frame does not affect others. Pure.
class FrameBase {
 public:
  // The receiver may have no frame that others can build on.
  void forget();
  // A frame of this grid is begun: sets the blocks that the receiver has once it has the frame.
  // Returns the number of the frame on which it builds; 0: on none.
  uint64_t begin(KeptFrame& frame, const BlockGrid& grid);
  // The receiver has this frame completely.
  void set_received(KeptFrame& frame);
  // Number of the frame on which the next frame builds; 0: on none.
  uint64_t base() const { return base_; }
  // Blocks that the receiver has then.
  const HeldBlocks& held() const { return held_; }

 private:
  static constexpr FrameName kNoFrame{.frame = UINT64_MAX,
                                      .epoch = UINT64_MAX};  // after all frames

  uint64_t base_ = 0;  // 0: none
  HeldBlocks held_;
  // Frames before this one cannot serve as base: later frames do not repeat all of their blocks.
  FrameName floor_ = kNoFrame;
};

// Frames in the order in which they were begun.
bool begun_before(const FrameName& a, const FrameName& b);

}  // namespace sail
