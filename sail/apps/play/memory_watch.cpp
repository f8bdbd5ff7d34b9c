#include "sail/apps/play/memory_watch.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace sail {
namespace {

constexpr int64_t kOneMinuteNs = 60 * kSecondNs;

}  // namespace

void MemoryWatch::take(const sail_link_stats& link, int64_t now_ns) {
  receivers_[link.receiver] = {.at_ns = now_ns,
                               .here = link.same_host == 1 && link.transport == SAIL_TCP,
                               .known = link.same_host >= 0,
                               .trouble = link.memory_trouble};
  tries_.take(link.receiver, now_ns);
}

bool MemoryWatch::leave(std::string reason) {
  here_since_ns_ = 0;
  if (!shared_) return false;
  shared_ = several_ = false;
  left_ = true;
  reason_ = std::move(reason);
  return true;
}

void MemoryWatch::count(int64_t now_ns) {
  if (several_ == (receivers_.size() > 1)) {
    other_since_ns_ = 0;
  } else if (other_since_ns_ == 0) {
    other_since_ns_ = now_ns;
  } else if (now_ns - other_since_ns_ >= kRestNs) {
    several_ = !several_;
    other_since_ns_ = 0;
  }
}

bool MemoryWatch::update(int64_t now_ns) {
  std::erase_if(receivers_,
                [&](const auto& one) { return now_ns - one.second.at_ns > CodecTries::kGoneNs; });
  if (receivers_.empty()) return false;
  const auto far = std::ranges::find_if(
      receivers_, [](const auto& one) { return one.second.known && !one.second.here; });
  if (far != receivers_.end()) {
    return leave(fmt::format("receiver '{}' does not share this host's memory", far->first));
  }
  const auto refusing =
      std::ranges::find_if(receivers_, [](const auto& one) { return !one.second.trouble.empty(); });
  if (shared_ && refusing != receivers_.end()) {
    const int64_t pause_ns = tries_.fail(now_ns);
    return leave(
        fmt::format("receiver '{}' cannot read this host's memory: {}; tried again after "
                    "{} min",
                    refusing->first, refusing->second.trouble, pause_ns / kOneMinuteNs));
  }
  if (shared_) {
    count(now_ns);
    return false;
  }
  // A receiver that is not connected may be on any host.
  if (!std::ranges::all_of(receivers_, [](const auto& one) { return one.second.here; })) {
    return leave("");
  }
  if (here_since_ns_ == 0) here_since_ns_ = now_ns;
  if (now_ns - here_since_ns_ < (left_ ? kRestNs : kFirstRestNs)) return false;
  if (tries_.waits() && !tries_.due(now_ns)) return false;
  tries_.begin(now_ns);
  shared_ = true;
  several_ = receivers_.size() > 1;
  other_since_ns_ = 0;
  reason_ = "all receivers read pixels in this host's memory";
  return true;
}

}  // namespace sail
