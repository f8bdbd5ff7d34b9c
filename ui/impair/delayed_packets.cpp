#include "ui/impair/delayed_packets.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace sail {
namespace {

using Held = std::unique_ptr<DelayedPackets::Packet>;

bool later(const Held& a, const Held& b) {
  return std::tie(a->leaves_ns, a->place) > std::tie(b->leaves_ns, b->place);
}

// Approximate memory of a packet in addition to its bytes.
constexpr size_t kOverhead = sizeof(DelayedPackets::Packet) + 64;
// Minimum capacity, so that recycled packets fit later ones.
constexpr size_t kUsualBytes = 1536;

}  // namespace

bool DelayedPackets::put(int64_t leaves_ns, uint32_t flow, std::span<const uint8_t> bytes) {
  const size_t wanted = std::max(bytes.size(), kUsualBytes);
  while (!free_.empty() && free_.back()->bytes.capacity() < wanted) {
    allocated_bytes_ -= free_.back()->bytes.capacity() + kOverhead;
    free_.pop_back();
  }
  Held packet;
  if (!free_.empty()) {
    packet = std::move(free_.back());
    free_.pop_back();
  } else {
    if (allocated_bytes_ + wanted + kOverhead > max_bytes_) return false;
    packet = std::make_unique<Packet>();
    packet->bytes.reserve(wanted);
    allocated_bytes_ += packet->bytes.capacity() + kOverhead;
  }
  packet->leaves_ns = leaves_ns;
  packet->place = places_++;
  packet->flow = flow;
  packet->bytes.assign(bytes.begin(), bytes.end());
  put_back(std::move(packet));
  return true;
}

std::optional<int64_t> DelayedPackets::next_ns() const {
  if (heap_.empty()) return std::nullopt;
  return heap_.front()->leaves_ns;
}

Held DelayedPackets::take_due(int64_t now_ns) {
  if (heap_.empty() || heap_.front()->leaves_ns > now_ns) return nullptr;
  std::pop_heap(heap_.begin(), heap_.end(), later);
  Held packet = std::move(heap_.back());
  heap_.pop_back();
  return packet;
}

void DelayedPackets::put_back(Held packet) {
  heap_.push_back(std::move(packet));
  std::push_heap(heap_.begin(), heap_.end(), later);
}

void DelayedPackets::recycle(Held packet) {
  free_.push_back(std::move(packet));
}

}  // namespace sail
