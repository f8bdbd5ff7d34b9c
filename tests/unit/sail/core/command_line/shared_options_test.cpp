#include "sail/core/command_line/shared_options.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <time.h>

#include "sail/core/time/clock.h"

namespace sail {
namespace {

constexpr int64_t kHourNs = 3600 * kSecondNs;

class StartTimeTest : public testing::Test {
 protected:
  StartTimeTest() {
    setenv("TZ", "UTC", 1);
    tzset();
  }
  static int64_t start(const std::string& text) {
    const auto time_ns = parse_start_time(text, kNowNs);
    return time_ns ? *time_ns - kNowNs : INT64_MIN;
  }
  // 2026-03-01T19:30:00Z
  static constexpr int64_t kNowNs = int64_t{1772393400} * kSecondNs;
};

TEST_F(StartTimeTest, SecondsFromNowOrSince1970) {
  EXPECT_EQ(start("+5"), 5 * kSecondNs);
  EXPECT_EQ(start("+0.25"), kSecondNs / 4);
  EXPECT_EQ(start("@1772393410"), 10 * kSecondNs);
}

TEST_F(StartTimeTest, ATimeOfTodayOrTomorrow) {
  EXPECT_EQ(start("20:00"), kHourNs / 2);
  EXPECT_EQ(start("20:00:01"), kHourNs / 2 + kSecondNs);
  EXPECT_EQ(start("19:00"), 24 * kHourNs - kHourNs / 2);
}

TEST_F(StartTimeTest, ADay) {
  EXPECT_EQ(start("2026-03-02T19:30"), 24 * kHourNs);
  EXPECT_EQ(start("2026-03-01T19:30:30"), 30 * kSecondNs);
}

TEST_F(StartTimeTest, WhatIsNoTimeIsRefused) {
  for (const char* text :
       {"", "+", "@", "+x", "5", "25:00", "20:00x", "2026-13-01T00:00", "soon", "+1e300", "+nan"}) {
    EXPECT_EQ(start(text), INT64_MIN) << text;
  }
  for (const char* text : {"+40000000", "2028-01-01T00:00", "2026-01-01T00:00", "@0"}) {
    EXPECT_EQ(start(text), INT64_MIN) << text << " is too far away";
  }
}

}  // namespace
}  // namespace sail
