// When what a sound card asks for begins to be heard. Cards ask with some jitter, and by a clock of
// their own that runs a little faster or slower than wall time: a loop of second order follows both
// (F. Adriaensen, "Using a DLL to filter time", 2005). Pure.
#pragma once

#include <cstddef>
#include <cstdint>

namespace receiver {

class CardClock {
 public:
  // rate: samples a second, as the card means them.
  explicit CardClock(int rate);

  // The card asks for its next buffer, of so many samples, at that wall time. The wall time at
  // which it would have asked without jitter.
  int64_t next(int64_t now_ns, size_t samples);

 private:
  const double usual_ns_;  // a sample
  double sample_ns_;       // as it is by wall time
  double off_ns_ = 0;      // of next_ns_, a fraction
  int64_t next_ns_ = 0;
  bool running_ = false;
};

}  // namespace receiver
