#include "sail/client/encode/rate_control.h"

#include <algorithm>
#include <cmath>

namespace sail {
namespace {

// Bytes are proportional to the step to the power of -kFall. Measured exponents are 0.5 to 0.9 at
// the rates of interest; an error only makes the next frame's correction slightly too large or too
// small. Blocks that are encoded again must fit, so they use the smaller exponent kLeastFall.
constexpr double kFall = 0.7;
constexpr double kLeastFall = 0.45;
// Frame rate that is assumed if it is unknown, and the minimum of a measured frame rate. Otherwise
// slow frames would get larger shares, take even longer to encode, and become slower still.
constexpr double kUntoldFps = 30;
constexpr double kShortestInterval = 1.0 / 240;
constexpr double kIntervalWeight = 0.1;  // weight of the newest interval in the mean
// Each frame repays a quarter of the debt, but at most a quarter of its own share. A surplus from
// earlier frames enlarges a frame by at most kMostGot.
constexpr double kDebtPaid = 0.25;
constexpr double kMostPaid = 0.25;
constexpr double kMostGot = 0.1;
constexpr double kMostDebt = 2;  // multiple of a frame's share
// If a frame is predicted to exceed its budget by this factor, the rest gets coarser at once. If a
// frame would leave much of its budget unused (a cut to a simple scene), the rest gets finer, but
// only a little: all parts of a frame should look alike.
constexpr double kTolerance = 1.1;
constexpr double kMostLeft = 1 / 1.2;
constexpr double kFinest = 1.0 / 3;  // relative to the frame's step
// Blocks not yet encoded are guaranteed this part of their share of the budget.
constexpr double kReserved = 0.5;
// Margin for headers and rounding.
constexpr double kMargin = 0.98;
constexpr double kMinRepeat = 1.3;  // minimum growth of the step when a block is encoded again
// Limits the effect of a frame's first block sizes on the prediction: this part of the budget
// counts as already spent exactly as predicted.
constexpr double kTrust = 0.05;
constexpr double kMaxStep = 1;

double size_factor(double step) {
  return std::pow(step, -kFall);
}
double step_factor(double size) {
  return std::pow(size, 1 / kFall);
}

}  // namespace

RateControl::RateControl(const CodecRate& rate, Size frame_size, double fps, size_t blocks)
    : rate_(rate),
      pixels_(static_cast<double>(frame_size.width) * frame_size.height),
      given_fps_(fps),
      interval_s_(1 / (fps > 0 ? fps : kUntoldFps)),
      min_step_(std::ldexp(1.0, -10)),
      past_(blocks),
      step_(first_step()) {}

double RateControl::frame_bytes() const {
  if (rate_.unit == CodecRate::Unit::kBitsPerPixel) return rate_.value * pixels_ / 8;
  return rate_.value * 1e6 / 8 * interval_s_;
}

// Photographs take about two bits per pixel at step 1/128, one less for each doubling of the step.
float RateControl::first_step() const {
  const double bits_per_pixel = frame_bytes() * 8 / pixels_;
  return static_cast<float>(std::clamp(std::exp2(-5 - bits_per_pixel), min_step_, kMaxStep / 8));
}

double RateControl::clamp_step(double step) const {
  return std::clamp(step, min_step_, kMaxStep);
}

double RateControl::weight(const Block& block) const {
  const Past& past = past_[block.index];
  if (past.share > 0) return past.weight * block.share / past.share;
  return known_share_ > 0 ? known_weight_ * block.share / known_share_ : 0;
}

void RateControl::remember(const Block& block, double step, size_t bytes) {
  Past& past = past_[block.index];
  known_weight_ -= past.weight;
  known_share_ -= past.share;
  past = {static_cast<double>(bytes) / size_factor(step), block.share};
  known_weight_ += past.weight;
  known_share_ += past.share;
}

// --- frames -------------------------------------------------------------------------------------

void RateControl::begin_frame(std::span<const Block> blocks, int bits, int64_t now_ns) {
  if (given_fps_ == 0 && last_ns_ != 0) {
    const double interval_s =
        std::clamp(static_cast<double>(now_ns - last_ns_) / 1e9, kShortestInterval, 1 / kUntoldFps);
    interval_s_ += kIntervalWeight * (interval_s - interval_s_);
  }
  last_ns_ = now_ns;
  min_step_ = std::ldexp(1.0, -(bits + 2));
  total_share_ = 0;
  for (const Block& block : blocks) total_share_ += block.share;
  open_share_ = total_share_;
  nominal_ = frame_bytes() * total_share_;
  const double paid = std::clamp(debt_ * kDebtPaid, -kMostGot * nominal_, kMostPaid * nominal_);
  budget_ = std::max(nominal_ - paid, 1.0);
  spent_ = spent_foretold_ = under_way_ = left_ = 0;
  if (!ignorant()) choose_step(blocks);
}

void RateControl::learn(const Block& block, float step, size_t bytes) {
  remember(block, step, bytes);
}

float RateControl::choose_step(std::span<const Block> blocks) {
  double sum = 0;
  for (const Block& block : blocks) sum += weight(block);
  step_ = clamp_step(step_factor(sum / budget_));
  left_ = sum * size_factor(step_);
  return static_cast<float>(step_);
}

void RateControl::end_frame() {
  debt_ = std::clamp(debt_ + spent_ - nominal_, -kMostDebt * nominal_, kMostDebt * nominal_);
}

// --- blocks -------------------------------------------------------------------------------------

float RateControl::step_for(const Block& block) {
  const std::lock_guard lock(mutex_);
  const double foretold = weight(block) * size_factor(step_);
  const double trust = kTrust * budget_;
  const double ratio = (spent_ + trust) / (spent_foretold_ + trust);
  const double open = left_ * ratio;  // this block and all later ones
  left_ = std::max(left_ - foretold, 0.0);
  double step = step_;
  const double others = spent_ + under_way_ * ratio;
  const bool wrong = others + open > kTolerance * budget_ || others + open < kMostLeft * budget_;
  if (wrong && open > 0) {
    const double room = std::max(budget_ - others, reserve(open_share_));
    step = clamp_step(step_ * std::max(step_factor(open / room), kFinest));
  }
  under_way_ += weight(block) * size_factor(step);
  return static_cast<float>(step);
}

// Returns the bytes that blocks with this share of the frame's pixels are guaranteed.
double RateControl::reserve(double share) const {
  return total_share_ > 0 ? kReserved * nominal_ * share / total_share_ : 0;
}

std::optional<float> RateControl::done(const Block& block, float step, size_t bytes) {
  const std::lock_guard lock(mutex_);
  const double foretold = weight(block) * size_factor(step);
  const double others = reserve(std::max(open_share_ - block.share, 0.0));
  const double room = kMostOfShare * kMargin * nominal_ - spent_ - others;
  const auto taken = static_cast<double>(bytes);
  if (taken > room && step < kMaxStep) {
    const double smaller = room > 0 ? std::pow(taken / room, 1 / kLeastFall) : kMaxStep / step;
    return static_cast<float>(clamp_step(step * std::max(smaller, kMinRepeat)));
  }
  under_way_ = std::max(under_way_ - foretold, 0.0);
  open_share_ = std::max(open_share_ - block.share, 0.0);
  spent_ += taken;
  spent_foretold_ += foretold;
  remember(block, step, bytes);
  return std::nullopt;
}

}  // namespace sail
