#include "sail/core/base/rate_limited_log.h"

#include <gtest/gtest.h>

#include <functional>

#include "sail/core/time/clock.h"

namespace sail {
namespace {

// Returns standard error during the action, without the prefix of each line.
std::string written(const std::function<void()>& action) {
  testing::internal::CaptureStderr();
  action();
  const std::string all = testing::internal::GetCapturedStderr();
  std::string texts;
  constexpr std::string_view kHead = " test: ";
  for (size_t at = 0; (at = all.find(kHead, at)) != std::string::npos;) {
    at += kHead.size();
    texts += all.substr(at, all.find('\n', at) + 1 - at);
  }
  return texts;
}

class RateLimitedLogTest : public testing::Test {
 protected:
  // Standard error is caught when the log is made.
  std::string run(const std::function<void(RateLimitedLog&)>& action) {
    return written([&] {
      RateLimitedLog rare(Log("test", LogLevel::kInfo));
      action(rare);
    });
  }
};

TEST_F(RateLimitedLogTest, AFloodIsOneLineAMinuteAndACount) {
  EXPECT_EQ(run([](RateLimitedLog& rare) {
              for (int second = 0; second < 130; ++second) {
                rare.warning("guess", "10.0.0.7", second * kSecondNs, "guess {}", second);
              }
            }),
            "guess 0\n"
            "guess 60 (and 59 more since the last such message)\n"
            "guess 120 (and 59 more since the last such message)\n");
}

TEST_F(RateLimitedLogTest, KindsAndPlacesHaveLinesOfTheirOwn) {
  EXPECT_EQ(run([](RateLimitedLog& rare) {
              rare.warning("guess", "a", 0, "guess of a");
              rare.warning("guess", "b", 0, "guess of b");
              rare.warning("line", "a", 0, "line of a");
              rare.warning("line", "a", 0, "another");
            }),
            "guess of a\nguess of b\nline of a\n");
}

TEST_F(RateLimitedLogTest, TheEndOfAFloodIsToldOnce) {
  EXPECT_EQ(run([](RateLimitedLog& rare) {
              for (int i = 0; i < 5; ++i) rare.warning("bad line", "a", 0, "first");
              rare.warning("quiet", "", 0, "once");
              rare.flush(59 * kSecondNs);
              rare.flush(60 * kSecondNs);
              rare.flush(180 * kSecondNs);
              rare.warning("bad line", "a", 180 * kSecondNs, "again");
            }),
            "first\nonce\nbad line: 4 more from a\nagain\n");
}

TEST_F(RateLimitedLogTest, ManyPlacesShareALine) {
  std::string expected;
  for (size_t i = 0; i < RateLimitedLog::kMostPlaces; ++i) expected += fmt::format("from {}\n", i);
  expected += fmt::format("from {}\n", RateLimitedLog::kMostPlaces);
  EXPECT_EQ(run([](RateLimitedLog& rare) {
              for (size_t i = 0; i < 5 * RateLimitedLog::kMostPlaces; ++i) {
                rare.warning("guess", std::to_string(i), 0, "from {}", i);
              }
            }),
            expected);
}

TEST_F(RateLimitedLogTest, PlacesThatAreQuietMakeRoom) {
  EXPECT_EQ(run([](RateLimitedLog& rare) {
              for (size_t i = 0; i < RateLimitedLog::kMostPlaces; ++i) {
                rare.warning("guess", std::to_string(i), 0, "old {}", i);
              }
              testing::internal::GetCapturedStderr();
              testing::internal::CaptureStderr();
              rare.warning("guess", "new", 60 * kSecondNs, "new");
              rare.warning("guess", "newer", 60 * kSecondNs, "newer");
            }),
            "new\nnewer\n");
}

}  // namespace
}  // namespace sail
