// Repeats messages about frames (frame_ready, frame_report, frame_show) in UDP packets. The TCP
// connection stalls for a round trip or more when it loses a packet; whole frames would wait for
// each other's messages and be dropped. So the newest messages are sent several times in packets,
// always together and in order, and the other side ignores duplicates. A peer that is known to lose
// nothing needs only the newest message, once. Pure; times in steady ns.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "sail/core/text/limits.h"
#include "sail/core/wire/data/data_messages.h"
#include "sail/core/wire/data/message_buffer.h"

namespace sail {

class RepeatedMessages {
 public:
  // Messages kept: at least as many as frames arrive while consecutive packets are lost.
  static constexpr size_t kKept = 6;
  static constexpr size_t kMaxMessageBytes = kFrameReadyBytes;
  static constexpr size_t kMaxBytes = kKept * kMaxMessageBytes;
  static constexpr int kTimes = 3;
  static constexpr int64_t kAgainNs = 5'000'000;

  // Adds a frame_ready, frame_report or frame_show, which is due at once. times: how many packets
  // have it if no other message follows.
  void add(std::span<const uint8_t> message, int64_t now_ns, int times = kTimes);
  // The same, without repetition: the next packet has only this message.
  void add_once(std::span<const uint8_t> message, int64_t now_ns);
  // Time of the next repetition; empty: no repetition is due any more.
  std::optional<int64_t> due_ns() const;
  // Returns the messages, oldest first, as the body of one packet. Valid until the next call.
  std::span<const uint8_t> take(int64_t now_ns);

 private:
  struct Message {
    std::array<uint8_t, kMaxMessageBytes> bytes;
    size_t size = 0;
  };
  std::array<Message, kKept> messages_{};  // ring buffer
  size_t added_ = 0;
  size_t in_packet_ = kKept;  // how many of the newest messages a packet has
  int times_left_ = 0;
  int64_t due_ns_ = 0;
  std::array<uint8_t, kMaxBytes> text_{};
};

// The messages in a packet, oldest first. Bodies refer to the packet's text.
struct SentMessages {
  std::array<MessageBuffer::Message, RepeatedMessages::kKept> messages;
  size_t count = 0;

  auto begin() const { return messages.begin(); }
  auto end() const { return messages.begin() + count; }
};
// Empty if the text is not a sequence of whole messages, or has too many.
std::optional<SentMessages> cut_messages(std::span<const uint8_t> text);

// Filters duplicates: messages that arrived before, in a packet or on the connection.
class ReceivedMessages {
 public:
  // Returns true, and remembers the message, unless it is among the last kRemembered ones.
  bool is_new(DataType type, std::span<const uint8_t> body);

 private:
  // Must exceed the number of messages that can arrive as packets while the connection is stalled.
  static constexpr size_t kRemembered = size_t{4} * kMaxFramesInFlight;
  std::array<uint64_t, kRemembered> checksums_{};  // ring buffer
  size_t next_ = 0;
};

}  // namespace sail
