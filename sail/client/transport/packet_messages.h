// The messages that a stream's sender and receiver exchange in packets, besides the symbols of
// frames: probes when they are due, and copies of messages that are also on the connection. Pure;
// times are steady ns.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "sail/core/wire/data/repeated_messages.h"

namespace sail {

class PacketMessages {
 public:
  // A connection begins: a probe is due at once, to measure the round trip.
  void start();
  void stop();

  // --- to the receiver
  // A message was written to the connection: repeats it. once: the receiver loses nothing.
  void repeat_message(std::span<const uint8_t> message, int64_t now_ns, bool once) {
    if (once) {
      repeated_.add_once(message, now_ns);
    } else {
      repeated_.add(message, now_ns);
    }
  }
  // A packet was sent, so a probe need not be sent soon.
  void note_packet(int64_t now_ns) { own_at_ns_ = sent_at_ns_ = now_ns; }
  // The same for the multicast group, from which the receiver may get nothing.
  void note_group_packet(int64_t at_ns) {
    sent_at_ns_ = std::max(sent_at_ns_, std::min(at_ns, own_at_ns_ + kGroupAloneNs));
  }
  // Time of the next probe. waiting: a frame is not known to be complete.
  int64_t probe_at_ns(bool waiting) const;
  // Returns true if a probe must be sent now.
  bool take_probe(int64_t now_ns, bool waiting);
  // Time of the next repetition; INT64_MAX: none.
  int64_t repeat_at_ns() const { return repeated_.due_ns().value_or(INT64_MAX); }
  // Returns the packet with messages that must be sent now; empty: none. Valid until the next call.
  std::span<const uint8_t> take_repeat(int64_t now_ns);

  // --- from the receiver
  // Keeps a packet's messages. Returns false if they are invalid, or if too many wait.
  bool take(std::span<const uint8_t> messages);
  bool has_taken() const { return taken_ > 0; }
  // Delivers the messages kept. on_message may call stop().
  void deliver(const std::function<void(const MessageBuffer::Message&)>& on_message);

 private:
  // One packet with messages.
  struct ReceivedPacket {
    std::array<uint8_t, RepeatedMessages::kMaxBytes> text;
    size_t bytes = 0;
  };

  // How long packets of the group may take the place of probes.
  static constexpr int64_t kGroupAloneNs = 20'000'000;

  int64_t own_at_ns_ = 0;   // steady time of the last packet of the link
  int64_t sent_at_ns_ = 0;  // steady time of the last packet of the link or the group
  RepeatedMessages repeated_;
  // When full, packets are dropped; the peer repeats them.
  std::array<ReceivedPacket, 24> packets_;
  size_t taken_ = 0;
};

}  // namespace sail
