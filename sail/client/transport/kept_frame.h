// A frame whose packets may be sent, and sent again. Kept until the receiver has it or no longer
// needs it.
#pragma once

#include <cstdint>
#include <vector>

#include "sail/client/transport/frame_messages.h"
#include "sail/client/transport/outgoing_symbols.h"
#include "sail/core/wire/data/packets.h"

namespace sail {

struct KeptFrame {
  FrameName name;          // default: free
  FrameMessages messages;  // empty once it is too late to send any of it
  OutgoingSymbols symbols;
  HeldBlocks held;           // blocks that the receiver has once this frame is complete
  int64_t submitted_ns = 0;  // wall time
  int64_t deadline_ns = 0;   // wall time at which the receiver drops the frame; 0: never
  uint32_t sent = 0;         // number of source symbols sent, from the first
  bool all_sent = false;
  uint32_t repeated = 0;          // number of retransmitted symbols
  std::vector<uint32_t> sent_us;  // time of the last transmission, by symbol
  std::vector<uint8_t> parities;  // number of repair symbols, by FEC block

  bool free() const { return name.frame == 0; }
};

}  // namespace sail
