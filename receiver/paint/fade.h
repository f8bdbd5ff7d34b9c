// The progress of a fade from one layout to the next: a function of presentation times only, in
// steps, so that all tiles of the wall mix in the same proportion in the same swap. Pure. Steady
// time.
#pragma once

#include <cstdint>

namespace receiver {

class Fade {
 public:
  static constexpr int64_t kStepNs = 16'666'667;
  static constexpr int kWhole = 256;
  static constexpr int64_t kNever = INT64_MAX;

  // Begins at this time, with weight 0. A fade in progress is replaced.
  void begin(int64_t at_ns, int64_t duration_ns);
  // The next move_to() gives the end, whatever the time is.
  void cut() { duration_ns_ = 0; }
  // Moves on to the step of this presentation time, never backwards, skipping steps. Returns
  // whether the weight is another one than before.
  bool move_to(int64_t at_ns);
  // Whether the former layout is still needed: begin() was called, and end() was not.
  bool on() const { return on_; }
  void end() { on_ = false; }

  // Returns the weight of the new layout's pictures, 0 … kWhole.
  int weight() const { return weight_; }
  bool over() const { return weight_ == kWhole; }
  // Returns when the next step begins; kNever: there is none.
  int64_t next_ns() const;

 private:
  bool on_ = false;
  int64_t at_ns_ = 0;
  int64_t duration_ns_ = 0;
  int64_t step_ = 0;
  int weight_ = kWhole;
};

}  // namespace receiver
