// With which quantiser step a frame of JPEG 2000 takes its bytes. Every frame is searched for by
// itself, on a sample of its blocks first, so that a film is the same in every byte wherever its
// conversion was begun. Pure.
//
// Bytes fall about linearly with the step's logarithm, a bit a coefficient for each doubling, so
// that lines through what was tried find the step in two or three tries.
#pragma once

#include <array>
#include <cstddef>

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
  struct Point {
    double log_step;
    double bytes;
  };

  bool at_limit(double bytes) const;
  // Where the sample takes so many bytes, by the points.
  float step_for(double bytes) const;

  double budget_bytes_;
  double wanted_bytes_;  // of the sample's curve: the budget, less what the sample hides
  float finest_step_;
  float step_;
  std::array<Point, kMaxTries> points_{};  // by falling bytes
  size_t tries_ = 0;
  int wholes_ = 0;
  bool settled_ = false;
};

}  // namespace sail
