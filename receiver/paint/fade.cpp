#include "receiver/paint/fade.h"

#include <algorithm>
#include <utility>

namespace receiver {

void Fade::begin(int64_t at_ns, int64_t duration_ns) {
  on_ = true;
  at_ns_ = at_ns;
  duration_ns_ = duration_ns;
  step_ = 0;
  weight_ = 0;
}

bool Fade::move_to(int64_t at_ns) {
  step_ = std::max(step_, (at_ns - at_ns_) / kStepNs);
  const int64_t into_ns = step_ * kStepNs;
  const int weight =
      into_ns >= duration_ns_ ? kWhole : static_cast<int>(kWhole * into_ns / duration_ns_);
  return std::exchange(weight_, weight) != weight;
}

int64_t Fade::next_ns() const {
  return on_ && !over() ? at_ns_ + (step_ + 1) * kStepNs : kNever;
}

}  // namespace receiver
