#include "sail/core/time/clock.h"

#include <gtest/gtest.h>

namespace sail {
namespace {

TEST(SteadyNow, NeverGoesBack) {
  int64_t last = steady_now_ns();
  for (int i = 0; i < 1000; ++i) {
    const int64_t now = steady_now_ns();
    ASSERT_GE(now, last);
    last = now;
  }
}

}  // namespace
}  // namespace sail
