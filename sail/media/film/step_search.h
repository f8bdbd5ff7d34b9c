// Finds the quantiser step with which a JPEG 2000 frame takes its budget of bytes. Each frame is
// searched independently, first on a sample of its blocks. So a film is identical in every byte, no
// matter where its conversion was resumed. Pure.
//
// The bytes fall about linearly with the step's logarithm: by one bit per coefficient for each
// doubling. So lines through the tried points find the step in two or three tries.
#pragma once

#include <array>
#include <cstddef>

namespace sail {

class StepSearch {
 public:
  // `pixels`: of the frame; `bits`: per sample. Used for the first guess and the finest step: a
  // step below a quarter of a level only costs bytes.
  StepSearch(double budget_bytes, double pixels, int bits);

  // The step to try next; finally, the step to encode with.
  float step() const { return step_; }
  // True when step() is good enough to encode the whole frame.
  bool settled() const { return settled_; }
  // Reports the frame's size with step(), extrapolated from its sample. At most kMaxTries are
  // needed.
  void tried(double bytes);

  // Reports the size of the whole frame with step(). True: accept it. False: encode again with the
  // new step(). That happens once if the size is off by more than kTolerance, and repeatedly while
  // it exceeds kMostOver times the budget, unless the step is the coarsest.
  bool accepts(double bytes);

  static constexpr int kMaxTries = 4;
  static constexpr double kSampleTolerance = 0.02;
  static constexpr double kTolerance = 0.08;
  static constexpr double kMostOver = 1.5;
  static constexpr float kCoarsestStep = 0.5F;

 private:
  struct Point {
    double log_step;
    double bytes;
  };

  bool at_limit(double bytes) const;
  // Returns the step with which the sample would take that many bytes, from the tried points.
  float step_for(double bytes) const;

  double budget_bytes_;
  double wanted_bytes_;  // on the sample's curve: the budget, corrected by the sample's error
  float finest_step_;
  float step_;
  std::array<Point, kMaxTries> points_{};  // sorted by decreasing bytes
  size_t tries_ = 0;
  int wholes_ = 0;
  bool settled_ = false;
};

}  // namespace sail
