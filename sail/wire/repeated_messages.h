// What is said of frames on a connection whose frames come as packets, said in packets as well. The
// connection stands still for a round trip and more when it loses a packet of its own, and frames
// that are whole would wait for it, or for one another, and be dropped. So each message goes a few
// times, the newest ones always together and in order, and who hears one again passes over it.
// Pure; times in steady ns.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "sail/wire/data_messages.h"
#include "sail/wire/limits.h"
#include "sail/wire/message_buffer.h"

namespace sail {

class RepeatedMessages {
 public:
  // Frames that come in while one packet after the other is lost.
  static constexpr size_t kKept = 6;
  static constexpr size_t kMaxMessageBytes = kFrameReadyBytes;
  static constexpr size_t kMaxBytes = kKept * kMaxMessageBytes;
  static constexpr int kTimes = 3;
  static constexpr int64_t kAgainNs = 5'000'000;

  // A frame_ready, a frame_report or a frame_show. To be sent now.
  void add(std::span<const uint8_t> message, int64_t now_ns);
  // When they are to be sent. Nothing: often enough.
  std::optional<int64_t> due_ns() const;
  // They are sent, oldest first, as one packet's text. Good until the next call.
  std::span<const uint8_t> take(int64_t now_ns);

 private:
  struct Message {
    std::array<uint8_t, kMaxMessageBytes> bytes;
    size_t size = 0;
  };
  std::array<Message, kKept> messages_{};  // in a circle
  size_t added_ = 0;
  int times_left_ = 0;
  int64_t due_ns_ = 0;
  std::array<uint8_t, kMaxBytes> text_{};
};

// What a packet says, oldest first. Bodies are in its text.
struct SaidMessages {
  std::array<MessageBuffer::Message, RepeatedMessages::kKept> messages;
  size_t count = 0;

  auto begin() const { return messages.begin(); }
  auto end() const { return messages.begin() + count; }
};
// Nothing when the text has anything else in it than whole messages, or too many.
std::optional<SaidMessages> cut_messages(std::span<const uint8_t> text);

// What came already, in a packet or on the connection.
class HeardMessages {
 public:
  // Whether it is none of the last ones.
  bool is_new(DataType type, std::span<const uint8_t> body);

 private:
  // Of more frames than can come while the connection stands still.
  static constexpr size_t kRemembered = size_t{4} * kMaxFramesInFlight;
  std::array<uint64_t, kRemembered> checksums_{};  // in a circle
  size_t next_ = 0;
};

}  // namespace sail
