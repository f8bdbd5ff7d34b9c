// Converts wheel rotation to whole notches, as desktops expect them.
#pragma once

#include <algorithm>
#include <cmath>

namespace sail {

class WheelNotches {
 public:
  // Adds rotation and returns the whole notches so far; the fraction is kept.
  int add(double turned) {
    turned_ += turned;
    const double whole = std::trunc(turned_);
    turned_ -= whole;
    return static_cast<int>(std::clamp<double>(whole, -kMostAtOnce, kMostAtOnce));
  }

 private:
  static constexpr int kMostAtOnce = 20;
  double turned_ = 0;
};

}  // namespace sail
