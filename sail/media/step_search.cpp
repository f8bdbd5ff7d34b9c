#include "sail/media/step_search.h"

#include <algorithm>
#include <cmath>

namespace sail {
namespace {

constexpr double kUsualSlope = -0.8;
constexpr double kSteepest = -3;
constexpr double kFlattest = -0.3;
// What photographs take: two bits a pixel with this step.
constexpr double kUsualStep = 0.012;
constexpr double kUsualBits = 2;
constexpr double kFinestOfLevel = 0.25;
// Where bytes hardly fall with the step, it still gets coarser.
constexpr double kCoarser = 1.15;

}  // namespace

StepSearch::StepSearch(double budget_bytes, double pixels, int bits)
    : budget_bytes_(std::max(budget_bytes, 1.0)),
      finest_step_(static_cast<float>(std::ldexp(kFinestOfLevel, -bits))),
      slope_(kUsualSlope) {
  const double bits_per_pixel = 8 * budget_bytes_ / std::max(pixels, 1.0);
  const double guess = kUsualStep * std::pow(bits_per_pixel / kUsualBits, 1 / kUsualSlope);
  step_ = std::clamp(static_cast<float>(guess), finest_step_, kCoarsestStep);
}

bool StepSearch::at_limit(double bytes) const {
  return bytes <= budget_bytes_ ? step_ <= finest_step_ : step_ >= kCoarsestStep;
}

void StepSearch::tried(double bytes) {
  ++tries_;
  settled_ = std::abs(bytes / budget_bytes_ - 1) <= kSampleTolerance || at_limit(bytes);
  if (settled_) return;
  correct(bytes);
  settled_ = tries_ >= kMaxTries;
}

bool StepSearch::accepts(double bytes) {
  ++wholes_;
  const double ratio = bytes / budget_bytes_;
  if (std::abs(ratio - 1) <= kTolerance || at_limit(bytes)) return true;
  if (wholes_ > 1 && ratio <= kMostOver) return true;
  const double former = step_;
  correct(bytes);
  if (ratio > kMostOver) {
    step_ = std::clamp(std::max(step_, static_cast<float>(former * kCoarser)), finest_step_,
                       kCoarsestStep);
  }
  return false;
}

void StepSearch::correct(double bytes) {
  const double log_step = std::log(step_);
  const double log_bytes = std::log(std::max(bytes, 1.0));
  if (any_ && log_step != last_log_step_) {
    slope_ = std::clamp((log_bytes - last_log_bytes_) / (log_step - last_log_step_), kSteepest,
                        kFlattest);
  }
  any_ = true;
  last_log_step_ = log_step;
  last_log_bytes_ = log_bytes;
  const double next = std::exp(log_step + (std::log(budget_bytes_) - log_bytes) / slope_);
  step_ = std::clamp(static_cast<float>(next), finest_step_, kCoarsestStep);
}

}  // namespace sail
