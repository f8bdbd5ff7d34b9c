#include "sail/apps/status_line.h"

#include <gtest/gtest.h>

#include "sail/media/film_time.h"

namespace sail {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

TEST(StatusLine, Times) {
  EXPECT_EQ(format_time(0), "0:00.0");
  EXPECT_EQ(format_time(-5), "0:00.0");
  EXPECT_EQ(format_time(3 * kSecond + 499'999'999), "0:03.4");
  EXPECT_EQ(format_time(123 * kSecond), "2:03.0");
  EXPECT_EQ(format_time(3723 * kSecond), "1:02:03.0");
}

TEST(StatusLine, SaysWhatMatters) {
  PlayStatus status{3 * kSecond, 5 * kSecond, false, 1, 24.96, 2};
  EXPECT_EQ(format_status(status), "0:03.0 / 0:05.0  25.0 fps  2 dropped");
  status.paused = true;
  status.rate = 1.25;
  status.duration_ns = 0;
  EXPECT_EQ(format_status(status), "0:03.0  25.0 fps  2 dropped  rate 1.25  paused");
}

}  // namespace
}  // namespace sail
