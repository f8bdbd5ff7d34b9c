// Reads the messages out of frames that came as packets: one frame's at a time, as its packets name
// it, and nothing else. Pure, but for the stamp of a frame that is whole.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "receiver/frame_intake.h"
#include "receiver/message_reader.h"
#include "sail/wire/data_messages.h"
#include "sail/wire/packets.h"

namespace receiver {

class PacketFrames {
 public:
  // The intake must outlive this.
  explicit PacketFrames(FrameIntake& intake) : intake_(intake), reader_(intake) {}

  // The frame's next bytes; those were all; there will be no more of it. An error ends the
  // connection.
  std::optional<sail::DataError> take(const sail::FrameName& name, std::span<const uint8_t> bytes);
  std::optional<sail::DataError> complete(const sail::FrameName& name);
  std::optional<sail::DataError> lose(const sail::FrameName& name);
  // Nothing of that older frame has come.
  std::optional<sail::DataError> miss(const sail::FrameName& name);

 private:
  FrameIntake& intake_;
  MessageReader reader_;
  FrameKey before_;  // the frame before the one that is read
};

}  // namespace receiver
