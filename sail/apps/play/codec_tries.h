// Decides when a way to send a video is tried again after it has failed: undecoded, if receivers
// could not decode it in time, or through memory that they could not read. Pure; one thread; times
// are steady.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "sail/core/time/clock.h"

namespace sail {

class CodecTries {
 public:
  static constexpr int64_t kFirstPauseNs = 60 * kSecondNs;
  static constexpr int64_t kLongestPauseNs = 3600 * kSecondNs;
  // Other receivers end a pause no earlier.
  static constexpr int64_t kShortestPauseNs = 5 * kSecondNs;
  // A receiver that has not been named for this time does not show the video any more.
  static constexpr int64_t kGoneNs = 3 * kSecondNs;

  // The receiver shows a part of the video. Call about once a second for each receiver.
  void take(const std::string& receiver, int64_t now_ns);
  // The way is tried again.
  void begin(int64_t now_ns);
  // The way does not suit the receivers. Returns the pause until the next try: a minute, if the
  // last try went well for longer than the pause before it; else twice that pause.
  int64_t fail(int64_t now_ns);
  // A pause has begun.
  bool waits() const { return waits_; }
  // The pause is over, or one of the receivers that failed does not show the video any more, but
  // others do.
  bool due(int64_t now_ns) const;

 private:
  bool shows(const std::string& receiver, int64_t now_ns) const;

  std::map<std::string, int64_t> named_ns_;  // last time, by receiver
  std::set<std::string> failed_with_;        // receivers of the last failure
  int64_t pause_ns_ = 0;                     // 0: no failure yet
  int64_t begun_ns_ = 0;
  int64_t failed_ns_ = 0;
  bool waits_ = false;
};

}  // namespace sail
