#include "sail/core/base/rate_limited_log.h"

namespace sail {

std::optional<uint64_t> RateLimitedLog::admit(std::string_view kind, std::string_view place,
                                              int64_t now_ns) {
  Key key{kind, place};
  auto found = said_.find(key);
  if (found == said_.end() && said_.size() >= kMostPlaces) {
    settle(now_ns);
    if (said_.size() >= kMostPlaces) key.second.clear();
    found = said_.find(key);
  }
  if (found == said_.end()) {
    said_.emplace(std::move(key), Said{now_ns, 0});
    return 0;
  }
  Said& said = found->second;
  if (now_ns - said.since_ns < kEveryNs) {
    ++said.left_out;
    return std::nullopt;
  }
  said.since_ns = now_ns;
  return std::exchange(said.left_out, 0);
}

void RateLimitedLog::settle(int64_t now_ns) {
  for (auto it = said_.begin(); it != said_.end();) {
    const auto& [key, said] = *it;
    if (now_ns - said.since_ns < kEveryNs) {
      ++it;
      continue;
    }
    if (said.left_out > 0) {
      const auto& [kind, place] = key;
      log_.warning("{}: {} more{}{}", kind, said.left_out, place.empty() ? "" : " from ", place);
    }
    it = said_.erase(it);
  }
}

void RateLimitedLog::write(std::string_view text, uint64_t left_out) const {
  if (left_out == 0) {
    log_.warning("{}", text);
  } else {
    log_.warning("{} (and {} more since the last such message)", text, left_out);
  }
}

}  // namespace sail
