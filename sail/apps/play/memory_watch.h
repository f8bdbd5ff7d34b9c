// Finds out whether all receivers that show a video share this host's memory, where pixels cost
// less as they are than encoded. Pure; one thread; times are steady.
#pragma once

#include <sail/sail.h>

#include <cstdint>
#include <map>
#include <string>

#include "sail/apps/play/codec_tries.h"
#include "sail/core/time/clock.h"

namespace sail {

class MemoryWatch {
 public:
  // How long the receivers must have been on this host, at first and after a receiver of another
  // host has left.
  static constexpr int64_t kFirstRestNs = kSecondNs / 2;
  static constexpr int64_t kRestNs = 10 * kSecondNs;

  // The receiver shows a part of the video. Call about once a second for each receiver.
  void take(const sail_link_stats& link, int64_t now_ns);
  // Returns true if the answer of shared() has changed; reason() says why. While no receiver shows
  // the video, nothing changes. After a receiver has refused the memory, tries follow as by
  // CodecTries.
  bool update(int64_t now_ns);

  bool shared() const { return shared_; }
  // shared(), and two or more receivers show the video. Whether these are several is decided when
  // they begin to share, and changes when it has been different for kRestNs: a window that moves is
  // shown by two receivers for a moment.
  bool several() const { return several_; }
  // A sentence about the last change; empty: none yet.
  const std::string& reason() const { return reason_; }

 private:
  struct Receiver {
    int64_t at_ns = 0;
    bool here = false;    // on this host, with frames by TCP
    bool known = false;   // connected
    std::string trouble;  // why it does not read the memory; empty: no trouble
  };
  bool leave(std::string reason);
  void count(int64_t now_ns);

  std::map<std::string, Receiver> receivers_;
  CodecTries tries_;
  bool shared_ = false;
  bool several_ = false;
  bool left_ = false;           // it was shared before
  int64_t here_since_ns_ = 0;   // all receivers are on this host; 0: not all
  int64_t other_since_ns_ = 0;  // several() does not fit the receivers; 0: it does
  std::string reason_;
};

}  // namespace sail
