#include "sail/client/transport/packet_pacer.h"

#include <algorithm>

#include "sail/core/time/clock.h"

namespace sail {
namespace {

// Two sends less than 1/kJoinedOfWindow of a window apart count as one send.
constexpr int64_t kJoinedOfWindow = 6;

}  // namespace

double PacketPacer::grant(int64_t now_ns, const Need& need) {
  stretch_ =
      std::clamp(kBatchBytes * kSecondNs / (need.mean_bytes_per_s * kBatchNs), 1.0, kMostStretch);
  const int64_t left_ns = std::max(need.until_ns - now_ns, batch_ns());
  const double wanted = std::clamp(need.bytes * kSecondNs / static_cast<double>(left_ns),
                                   need.mean_bytes_per_s, need.mean_bytes_per_s * kMostOfMean);
  bytes_per_s_ = std::max(std::min(wanted, need.limit_bytes_per_s), 1.0);
  // A slightly late batch is caught up. Longer delays are not; a higher rate makes up for them.
  paid_until_ns_ = std::max(paid_until_ns_, now_ns - batch_ns() / 3);
  const auto unpaid_ns = static_cast<double>(now_ns + batch_ns() - paid_until_ns_);
  const double by_rate = bytes_per_s_ * unpaid_ns / kSecondNs;
  if (bytes_per_s_ < wanted && by_rate < need.bytes) limited_ = true;
  const double most =
      need.mean_bytes_per_s * kMostOfMean * static_cast<double>(window_ns()) / kSecondNs;
  const double by_window = most - sent_in_window(now_ns);
  next_ns_ = std::max(paid_until_ns_, now_ns + batch_ns() / 4);
  if (by_window <= 0) {
    // Wait until the oldest send leaves the window.
    const auto oldest = std::find_if(sent_.begin(), sent_.end(), [&](const Sent& sent) {
      return sent.at_ns > now_ns - window_ns();
    });
    if (oldest != sent_.end()) next_ns_ = std::max(next_ns_, oldest->at_ns + window_ns());
  }
  return std::min(by_rate, by_window);
}

void PacketPacer::sent(int64_t now_ns, double bytes) {
  if (bytes <= 0) return;
  paid_until_ns_ += static_cast<int64_t>(bytes * kSecondNs / bytes_per_s_);
  next_ns_ = std::max(next_ns_, paid_until_ns_);
  if (now_ns - sent_.back().at_ns >= window_ns() / kJoinedOfWindow) {
    std::shift_left(sent_.begin(), sent_.end(), 1);
    sent_.back() = {};
  }
  sent_.back().at_ns = now_ns;
  sent_.back().bytes += bytes;
}

double PacketPacer::sent_in_window(int64_t now_ns) const {
  double bytes = 0;
  for (const Sent& sent : sent_) {
    if (sent.at_ns > now_ns - window_ns()) bytes += sent.bytes;
  }
  return bytes;
}

bool PacketPacer::take_limited() {
  const bool limited = limited_;
  limited_ = false;
  return limited;
}

}  // namespace sail
