// How long nobody has answered a link's packets, as far as this process was there to send them and
// to hear the answers, and whether to send by TCP instead. Pure; times in steady ns.
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

  // A connection begins.
  void begin(int64_t now_ns) {
    answered_ = false;
    hear(now_ns);
  }
  // An answer came.
  void answer(int64_t now_ns) {
    answered_ = true;
    hear(now_ns);
  }
  // To be called a few times a second. waiting: there is something to be answered.
  void look(int64_t now_ns, bool waiting) {
    silent_ns_ += std::min(now_ns - looked_at_ns_, kLongestStepNs);
    looked_at_ns_ = now_ns;
    // Until there was an answer, the answer to probes is waited for.
    if (answered_ && !waiting) silent_ns_ = 0;
  }
  bool too_long() const { return silent_ns_ > kTooLongNs; }
  // Since this connection began.
  bool answered() const { return answered_; }

 private:
  void hear(int64_t now_ns) {
    silent_ns_ = 0;
    looked_at_ns_ = now_ns;
  }

  bool answered_ = false;
  int64_t silent_ns_ = 0;
  int64_t looked_at_ns_ = 0;
};

// Whether a network lets no packets through. One connection without an answer may have met a
// machine that was stopped, on either side.
class PacketTries {
 public:
  static constexpr int kMost = 2;  // connections in a row

  // The packets of a connection went unanswered for too long; answered: none but the last ones.
  void fail(bool answered) { failures_ = answered ? 0 : failures_ + 1; }
  void succeed() { failures_ = 0; }
  bool hopeless() const { return failures_ >= kMost; }

 private:
  int failures_ = 0;
};

}  // namespace sail
