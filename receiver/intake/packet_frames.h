// Parses the messages of frames that arrive as packets. The packets name the frame; messages of
// other frames are errors. Pure, except for the assembly time, which comes from the clock.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "receiver/intake/frame_intake.h"
#include "receiver/intake/message_reader.h"
#include "sail/core/wire/data/data_messages.h"
#include "sail/core/wire/data/packets.h"

namespace receiver {

class PacketFrames {
 public:
  // The intake must outlive this object.
  explicit PacketFrames(FrameIntake& intake) : intake_(intake), reader_(intake) {}

  // Take a frame's next bytes, its end, or the loss of its rest. An error ends the connection.
  std::optional<sail::DataError> take(const sail::FrameName& name, std::span<const uint8_t> bytes);
  std::optional<sail::DataError> complete(const sail::FrameName& name);
  std::optional<sail::DataError> lose(const sail::FrameName& name);

 private:
  FrameIntake& intake_;
  MessageReader reader_;
  FrameKey before_;  // the frame before the one being read
};

}  // namespace receiver
