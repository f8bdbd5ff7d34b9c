// With which quantiser step a frame of JPEG 2000 takes its bytes. Every frame is searched for by
// itself, on a sample of its blocks first, so that a film is the same in every byte wherever its
// conversion was begun. Bytes fall with the step about like a power of it: a secant through the
// last two tries, in logarithms, finds it in two or three. Pure.
#pragma once

#include <cstdint>

namespace sail {

class StepSearch {
 public:
  // `pixels`, `bits`: of the frame and of a sample, for the first guess and for how fine a step may
  // become: what is finer than an eighth of a level only costs bytes.
  StepSearch(double budget_bytes, double pixels, int bits);

  // The one to try, and at last to code with.
  float step() const { return step_; }
  // Whether step() is good enough to code the whole frame with it.
  bool settled() const { return settled_; }
  // What the frame takes with step(), by its sample. At most kMaxTries are needed.
  void tried(double bytes);

  // The whole frame took so many bytes with step(): true when it is to be written so. Else step()
  // is another one to code it with: once when it is off by more than kTolerance, and as often as it
  // is above kMostOver times its budget, which only the coarsest step may be.
  bool accepts(double bytes);

  static constexpr int kMaxTries = 4;
  static constexpr double kSampleTolerance = 0.02;
  static constexpr double kTolerance = 0.08;
  static constexpr double kMostOver = 1.5;
  static constexpr float kCoarsestStep = 0.5F;

 private:
  // Remembers what step() gave and takes the step that the secant names.
  void correct(double bytes);
  bool at_limit(double bytes) const;

  double budget_bytes_;
  float finest_step_;
  float step_;
  double slope_;  // of the bytes' logarithm by the step's
  bool any_ = false;
  double last_log_step_ = 0;
  double last_log_bytes_ = 0;
  int tries_ = 0;
  int wholes_ = 0;
  bool settled_ = false;
};

}  // namespace sail
