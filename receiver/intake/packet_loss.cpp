#include "receiver/intake/packet_loss.h"

#include <algorithm>

namespace receiver {
namespace {

constexpr uint64_t kWordBits = 64;
static_assert(PacketLoss::kLaterPackets < PacketLoss::kWindow);

}  // namespace

PacketLoss::PacketLoss() : came_(kWindow / kWordBits) {}

bool PacketLoss::came(uint64_t number) const {
  const uint64_t bit = number % kWindow;
  return (came_[bit / kWordBits] >> (bit % kWordBits) & 1) != 0;
}

void PacketLoss::set_came(uint64_t number, bool came) {
  const uint64_t bit = number % kWindow;
  const uint64_t mask = uint64_t{1} << (bit % kWordBits);
  uint64_t& word = came_[bit / kWordBits];
  word = came ? word | mask : word & ~mask;
}

bool PacketLoss::add(uint64_t number, size_t bytes, int64_t now_ns) {
  if (number > highest_) {
    // First count losses, before the ring forgets these numbers.
    if (number > kLaterPackets) judge(number - kLaterPackets);
    forget_between(highest_ + 1, number);
    highest_ = number;
  } else {
    if (highest_ - number >= kWindow || came(number)) {
      ++counters_.packets_duplicated;
      return false;
    }
    ++counters_.packets_reordered;
    if (number <= judged_) --counters_.packets_lost;
  }
  set_came(number, true);
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
    if (came(judged_)) {
      count_came();
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

void PacketLoss::count_came() {
  if (burst_ > 0) ++counters_.bursts[sail::burst_class(burst_)];
  burst_ = 0;
}

void PacketLoss::forget_between(uint64_t first, uint64_t last) {
  if (last - first >= kWindow) {
    std::fill(came_.begin(), came_.end(), 0);
    return;
  }
  for (uint64_t number = first; number <= last;) {
    if (number % kWordBits == 0 && last - number >= kWordBits) {
      came_[number % kWindow / kWordBits] = 0;
      number += kWordBits;
    } else {
      set_came(number++, false);
    }
  }
}

}  // namespace receiver
