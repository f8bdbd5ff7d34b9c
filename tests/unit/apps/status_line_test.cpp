#include "sail/apps/status_line.h"

#include <gtest/gtest.h>

#include "sail/base/clock.h"
#include "sail/media/film_time.h"

namespace sail {
namespace {

TEST(StatusLine, Times) {
  EXPECT_EQ(format_time(0), "0:00.0");
  EXPECT_EQ(format_time(-5), "0:00.0");
  EXPECT_EQ(format_time(3 * kSecondNs + 499'999'999), "0:03.4");
  EXPECT_EQ(format_time(123 * kSecondNs), "2:03.0");
  EXPECT_EQ(format_time(3723 * kSecondNs), "1:02:03.0");
}

TEST(StatusLine, SaysWhatMatters) {
  PlayStatus status{3 * kSecondNs, 5 * kSecondNs, false, 1, 24.96, 2};
  EXPECT_EQ(format_status(status), "0:03.0 / 0:05.0  25.0 fps  2 dropped");
  status.paused = true;
  status.rate = 1.25;
  status.duration_ns = 0;
  EXPECT_EQ(format_status(status), "0:03.0  25.0 fps  2 dropped  rate 1.25  paused");
}

}  // namespace
}  // namespace sail
