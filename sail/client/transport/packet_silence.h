// Measures how long a link's packets have been unanswered while this process was running, and
// decides whether the link uses TCP instead. Pure; times are steady, in nanoseconds.
#pragma once

#include <algorithm>
#include <cstdint>

namespace sail {

class PacketSilence {
 public:
  static constexpr int64_t kTooLongNs = 1'000'000'000;
  // Longest time between two checks of a running process. A longer gap counts only this much: the
  // process was stopped, and answers wait to be read.
  static constexpr int64_t kLongestStepNs = 200'000'000;

  // Call when a connection begins.
  void begin(int64_t now_ns) {
    answered_ = false;
    restart(now_ns);
  }
  // Call for each answer.
  void answer(int64_t now_ns) {
    answered_ = true;
    restart(now_ns);
  }
  // Call a few times a second. waiting: an answer is due.
  void update(int64_t now_ns, bool waiting) {
    silent_ns_ += std::min(now_ns - updated_ns_, kLongestStepNs);
    updated_ns_ = now_ns;
    // Before the first answer, the answer to probes is due.
    if (answered_ && !waiting) silent_ns_ = 0;
  }
  bool too_long() const { return silent_ns_ > kTooLongNs; }
  // True if this connection has had an answer.
  bool answered() const { return answered_; }

 private:
  void restart(int64_t now_ns) {
    silent_ns_ = 0;
    updated_ns_ = now_ns;
  }

  bool answered_ = false;
  int64_t silent_ns_ = 0;
  int64_t updated_ns_ = 0;
};

// Decides whether a network blocks UDP. One unanswered connection proves nothing: a machine at
// either end may have been stopped.
class PacketTries {
 public:
  static constexpr int kMost = 2;  // consecutive connections without an answer

  // Call when a connection is given up for unanswered packets. answered: earlier packets were
  // answered.
  void fail(bool answered) { failures_ = answered ? 0 : failures_ + 1; }
  void succeed() { failures_ = 0; }
  bool udp_blocked() const { return failures_ >= kMost; }

 private:
  int failures_ = 0;
};

}  // namespace sail
