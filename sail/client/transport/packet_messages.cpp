#include "sail/client/transport/packet_messages.h"

#include <algorithm>

#include "sail/core/time/clock.h"

namespace sail {
namespace {

constexpr int64_t kProbeNs = 4 * kMillisecondNs;  // while a frame is not known to be complete
constexpr int64_t kIdleProbeNs = 100 * kMillisecondNs;

}  // namespace

void PacketMessages::start() {
  own_at_ns_ = sent_at_ns_ = 0;
}

void PacketMessages::stop() {
  taken_ = 0;
  repeated_ = {};
}

int64_t PacketMessages::probe_at_ns(bool waiting) const {
  return sent_at_ns_ + (waiting ? kProbeNs : kIdleProbeNs);
}

bool PacketMessages::take_probe(int64_t now_ns, bool waiting) {
  if (now_ns < probe_at_ns(waiting)) return false;
  note_packet(now_ns);
  return true;
}

std::span<const uint8_t> PacketMessages::take_repeat(int64_t now_ns) {
  if (now_ns < repeat_at_ns()) return {};
  return repeated_.take(now_ns);
}

bool PacketMessages::take(std::span<const uint8_t> messages) {
  if (taken_ == packets_.size() || !cut_messages(messages)) return false;
  ReceivedPacket& place = packets_[taken_++];
  std::ranges::copy(messages, place.text.begin());
  place.bytes = messages.size();
  return true;
}

void PacketMessages::deliver(const std::function<void(const MessageBuffer::Message&)>& on_message) {
  for (size_t i = 0; i < taken_; ++i) {
    const auto said = cut_messages(std::span(packets_[i].text).first(packets_[i].bytes));
    if (said) std::ranges::for_each(*said, std::ref(on_message));
  }
  taken_ = 0;
}

}  // namespace sail
