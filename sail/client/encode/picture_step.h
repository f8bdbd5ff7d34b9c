// Decides how many times a stream's picture is halved because of a slow link. If less than half of
// a second's frames could be sent, the picture is halved again. After a time in which nearly
// all frames could be sent, one halving is undone. If that fails, this time doubles.
//
// Pure; no thread of its own.
#pragma once

#include <cstdint>

namespace sail {

class PictureStep {
 public:
  // most: maximum number of halvings.
  explicit PictureStep(int most) : most_(most) {}

  // Call for each frame. sent: the frame was sent; false if the link was still busy with an earlier
  // one. Returns true if steps() has changed.
  bool add(int64_t now_ns, bool sent);

  int steps() const { return steps_; }

 private:
  void begin_period(int64_t now_ns);
  void set_steps(int64_t now_ns, int steps);

  int most_;
  int steps_ = 0;

  // The current period; 0 frames: it starts with the next frame.
  int64_t period_ns_ = 0;
  int frames_ = 0;
  int sent_ = 0;
  int64_t last_ns_ = 0;

  int64_t clear_since_ns_ = 0;
  int64_t retry_after_ns_ = kMinRetryNs;
  int64_t tried_ns_ = 0;  // last time a halving was undone; 0: never

  static constexpr int64_t kMinRetryNs = 4'000'000'000;
};

}  // namespace sail
