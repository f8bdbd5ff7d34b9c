#include "sail/core/base/rate_limited_log.h"

namespace sail {

std::optional<uint64_t> RateLimitedLog::admit(std::string_view kind, std::string_view place,
                                              int64_t now_ns) {
  Key key{kind, place};
  auto found = events_.find(key);
  if (found == events_.end() && events_.size() >= kMostPlaces) {
    flush(now_ns);
    if (events_.size() >= kMostPlaces) key.second.clear();
    found = events_.find(key);
  }
  if (found == events_.end()) {
    events_.emplace(std::move(key), Event{now_ns, 0});
    return 0;
  }
  Event& event = found->second;
  if (now_ns - event.since_ns < kEveryNs) {
    ++event.suppressed;
    return std::nullopt;
  }
  event.since_ns = now_ns;
  return std::exchange(event.suppressed, 0);
}

void RateLimitedLog::flush(int64_t now_ns) {
  for (auto it = events_.begin(); it != events_.end();) {
    const auto& [key, event] = *it;
    if (now_ns - event.since_ns < kEveryNs) {
      ++it;
      continue;
    }
    if (event.suppressed > 0) {
      const auto& [kind, place] = key;
      log_.warning("{}: {} more{}{}", kind, event.suppressed, place.empty() ? "" : " from ", place);
    }
    it = events_.erase(it);
  }
}

void RateLimitedLog::write(std::string_view text, uint64_t suppressed) const {
  if (suppressed == 0) {
    log_.warning("{}", text);
  } else {
    log_.warning("{} (and {} more since the last such message)", text, suppressed);
  }
}

}  // namespace sail
