// How often a stream's pictures are to be halved on account of a link: once more when for a second
// less than half of the frames could be sent on it, and back after a while in which nearly all
// could. A try that fails doubles that while.
//
// Pure. No thread of its own.
#pragma once

#include <cstdint>

namespace sail {

class PictureStep {
 public:
  // most: how often they can be halved.
  explicit PictureStep(int most) : most_(most) {}

  // With each frame: whether it was sent, or the link was still busy with one before. True when
  // steps() is another from now on.
  bool add(int64_t now_ns, bool sent);

  int steps() const { return steps_; }

 private:
  void begin_period(int64_t now_ns);
  void set_steps(int64_t now_ns, int steps);

  int most_;
  int steps_ = 0;

  // Frames since it began; none: it begins with the next.
  int64_t period_ns_ = 0;
  int frames_ = 0;
  int sent_ = 0;
  int64_t last_ns_ = 0;

  int64_t clear_since_ns_ = 0;
  int64_t patience_ns_ = kLeastPatienceNs;
  int64_t tried_ns_ = 0;  // when it last went back; 0: never

  static constexpr int64_t kLeastPatienceNs = 4'000'000'000;
};

}  // namespace sail
