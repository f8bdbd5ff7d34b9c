#include "sail/apps/play/codec_tries.h"

#include <algorithm>

namespace sail {

void CodecTries::take(const std::string& receiver, int64_t now_ns) {
  std::erase_if(named_ns_, [&](const auto& named) { return now_ns - named.second > kGoneNs; });
  named_ns_[receiver] = now_ns;
}

void CodecTries::begin(int64_t now_ns) {
  waits_ = false;
  begun_ns_ = now_ns;
}

int64_t CodecTries::fail(int64_t now_ns) {
  const bool went_well = pause_ns_ == 0 || now_ns - begun_ns_ > pause_ns_;
  pause_ns_ = went_well ? kFirstPauseNs : std::min(2 * pause_ns_, kLongestPauseNs);
  failed_with_.clear();
  for (const auto& [receiver, at_ns] : named_ns_) {
    if (shows(receiver, now_ns)) failed_with_.insert(receiver);
  }
  failed_ns_ = now_ns;
  waits_ = true;
  return pause_ns_;
}

bool CodecTries::due(int64_t now_ns) const {
  if (!waits_ || now_ns - failed_ns_ < kShortestPauseNs) return false;
  if (now_ns - failed_ns_ >= pause_ns_) return true;
  const auto shown = [&](const std::string& receiver) { return shows(receiver, now_ns); };
  return std::ranges::any_of(named_ns_, [&](const auto& named) { return shown(named.first); }) &&
         !std::ranges::all_of(failed_with_, shown);
}

bool CodecTries::shows(const std::string& receiver, int64_t now_ns) const {
  const auto named = named_ns_.find(receiver);
  return named != named_ns_.end() && now_ns - named->second <= kGoneNs;
}

}  // namespace sail
