// Estimates when samples that a sound card requests will begin to play. The card's requests have
// jitter, and its clock runs slightly faster or slower than wall time. A second-order delay-locked
// loop follows both (F. Adriaensen, "Using a DLL to filter time", 2005). Pure.
#pragma once

#include <cstddef>
#include <cstdint>

namespace receiver {

class CardClock {
 public:
  // rate: nominal sample rate of the card, in Hz.
  explicit CardClock(int rate);

  // Call this when the card requests its next buffer of `samples` samples at wall time now_ns.
  // Returns the wall time of the request without jitter.
  int64_t next(int64_t now_ns, size_t samples);

 private:
  const double usual_ns_;  // nominal duration of a sample
  double sample_ns_;       // measured duration of a sample, in wall time
  double off_ns_ = 0;      // fraction to add to next_ns_
  int64_t next_ns_ = 0;
  bool running_ = false;
};

}  // namespace receiver
