#include "sail/media/film/step_search.h"

#include <algorithm>
#include <cmath>

namespace sail {
namespace {

// Slope of log(bytes) over log(step), assumed while there is only one point.
constexpr double kUsualPower = -0.8;
// Typical for photographs: this step gives two bits per pixel.
constexpr double kUsualStep = 0.012;
constexpr double kUsualBits = 2;
constexpr double kFinestOfLevel = 0.25;
// Extrapolate at most by this factor.
constexpr double kFarthest = 16;
// If a coarser step hardly reduces the bytes, make it coarser by at least this factor.
constexpr double kCoarser = 1.15;

}  // namespace

StepSearch::StepSearch(double budget_bytes, double pixels, int bits)
    : budget_bytes_(std::max(budget_bytes, 1.0)),
      wanted_bytes_(budget_bytes_),
      finest_step_(static_cast<float>(std::ldexp(kFinestOfLevel, -bits))) {
  const double bits_per_pixel = 8 * budget_bytes_ / std::max(pixels, 1.0);
  const double guess = kUsualStep * std::pow(bits_per_pixel / kUsualBits, 1 / kUsualPower);
  step_ = std::clamp(static_cast<float>(guess), finest_step_, kCoarsestStep);
}

bool StepSearch::at_limit(double bytes) const {
  return bytes <= budget_bytes_ ? step_ <= finest_step_ : step_ >= kCoarsestStep;
}

void StepSearch::tried(double bytes) {
  const Point point{std::log(step_), std::max(bytes, 1.0)};
  auto* const end = points_.begin() + tries_;
  auto* const place = std::find_if(points_.begin(), end,
                                   [&](const Point& other) { return other.bytes < point.bytes; });
  std::move_backward(place, end, end + 1);
  *place = point;
  ++tries_;
  settled_ = std::abs(bytes / budget_bytes_ - 1) <= kSampleTolerance || at_limit(bytes);
  if (settled_) return;
  step_ = step_for(wanted_bytes_);
  settled_ = tries_ >= kMaxTries;
}

bool StepSearch::accepts(double bytes) {
  ++wholes_;
  const double ratio = bytes / budget_bytes_;
  if (std::abs(ratio - 1) <= kTolerance || at_limit(bytes)) return true;
  if (wholes_ > 1 && ratio <= kMostOver) return true;
  const double former = step_;
  wanted_bytes_ /= std::max(ratio, 1 / budget_bytes_);
  step_ = step_for(wanted_bytes_);
  if (ratio > kMostOver) {
    const auto coarser = static_cast<float>(former * kCoarser);
    step_ = std::clamp(std::max(step_, coarser), finest_step_, kCoarsestStep);
  }
  return false;
}

float StepSearch::step_for(double bytes) const {
  const auto* const end = points_.begin() + tries_;
  // Interpolate between the neighbouring points, or extrapolate from the two nearest.
  const auto* below =
      std::find_if(points_.begin(), end, [&](const Point& point) { return point.bytes < bytes; });
  below = std::clamp(below, points_.begin() + 1, std::max(end - 1, points_.begin() + 1));
  const Point& over = *(below - 1);
  const Point& under = *below;
  double log_step = over.log_step + std::log(bytes / over.bytes) / kUsualPower;
  if (tries_ > 1 && over.bytes > under.bytes && over.log_step < under.log_step) {
    const double slope = (under.bytes - over.bytes) / (under.log_step - over.log_step);
    log_step =
        std::clamp(over.log_step + (bytes - over.bytes) / slope,
                   over.log_step - std::log(kFarthest), under.log_step + std::log(kFarthest));
  }
  return std::clamp(static_cast<float>(std::exp(log_step)), finest_step_, kCoarsestStep);
}

}  // namespace sail
