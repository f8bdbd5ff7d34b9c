// A wheel's turns as whole notches, as desktops know them.
#pragma once

#include <algorithm>
#include <cmath>

namespace sail {

class WheelNotches {
 public:
  // The whole notches turned since; what is less is kept for the next time.
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
