#include "receiver/intake/packet_loss.h"

#include <algorithm>

namespace receiver {
namespace {

constexpr uint64_t kWordBits = 64;
static_assert(PacketLoss::kLaterPackets < PacketLoss::kWindow);

}  // namespace

PacketLoss::PacketLoss() : arrived_(kWindow / kWordBits) {}

bool PacketLoss::has_arrived(uint64_t number) const {
  const uint64_t bit = number % kWindow;
  return (arrived_[bit / kWordBits] >> (bit % kWordBits) & 1) != 0;
}

void PacketLoss::set_arrived(uint64_t number, bool has_arrived) {
  const uint64_t bit = number % kWindow;
  const uint64_t mask = uint64_t{1} << (bit % kWordBits);
  uint64_t& word = arrived_[bit / kWordBits];
  word = has_arrived ? word | mask : word & ~mask;
}

bool PacketLoss::add(uint64_t number, size_t bytes, int64_t now_ns) {
  if (number > highest_) {
    // First count losses, before the ring forgets these numbers.
    if (number > kLaterPackets) judge(number - kLaterPackets);
    forget_between(highest_ + 1, number);
    highest_ = number;
  } else {
    if (highest_ - number >= kWindow || has_arrived(number)) {
      ++counters_.packets_duplicated;
      return false;
    }
    ++counters_.packets_reordered;
    if (number > before_ && number <= judged_) --counters_.packets_lost;
  }
  set_arrived(number, true);
  ++counters_.packets_arrived;
  counters_.bytes_arrived += bytes;
  on_time(now_ns);
  return true;
}

void PacketLoss::on_time(int64_t now_ns) {
  if (now_ns - mark_ns_ < kReorderingNs) return;
  judge(mark_);
  mark_ = highest_;
  mark_ns_ = now_ns;
}

void PacketLoss::judge(uint64_t last) {
  while (judged_ < last && judged_ < highest_) {
    ++judged_;
    if (has_arrived(judged_)) {
      count_arrivals();
    } else {
      count_lost(1);
    }
  }
  // No packet above the highest number has arrived.
  if (judged_ < last) {
    count_lost(last - judged_);
    judged_ = last;
  }
}

void PacketLoss::count_lost(uint64_t packets) {
  counters_.packets_lost += packets;
  burst_ += packets;
}

void PacketLoss::count_arrivals() {
  if (burst_ > 0) ++counters_.bursts[sail::burst_class(burst_)];
  burst_ = 0;
}

void PacketLoss::forget_between(uint64_t first, uint64_t last) {
  if (last - first >= kWindow) {
    std::fill(arrived_.begin(), arrived_.end(), 0);
    return;
  }
  for (uint64_t number = first; number <= last;) {
    if (number % kWordBits == 0 && last - number >= kWordBits) {
      arrived_[number % kWindow / kWordBits] = 0;
      number += kWordBits;
    } else {
      set_arrived(number++, false);
    }
  }
}

}  // namespace receiver
