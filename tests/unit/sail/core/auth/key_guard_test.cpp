#include "sail/core/auth/key_guard.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "sail/core/time/clock.h"

namespace sail {
namespace {

const WallKey kKey{"", "open sesame, please"};
constexpr auto kWrong = KeyGuard::Proof::kWrong;

TEST(KeyGuard, WithoutAKeyEverybodyIsWelcome) {
  KeyGuard guard(WallKey{});
  EXPECT_TRUE(guard.allows_everybody());
  EXPECT_FALSE(guard.judge(kWrong, "10.0.0.1", 0).wrong);
}

TEST(KeyGuard, AFewMistakesAreAnsweredAtOnceAndMoreLaterAndLater) {
  KeyGuard guard(kKey);
  int64_t last_ms = 0;
  for (int i = 1; i <= 15; ++i) {
    const auto judged = guard.judge(kWrong, "10.0.0.1", kSecondNs);
    ASSERT_TRUE(judged.wrong);
    EXPECT_EQ(judged.wrong->code, ErrorCode::kUnauthorized);
    EXPECT_EQ(judged.delay_ms == 0, i <= KeyGuard::kFreeGuesses) << i;
    EXPECT_GE(judged.delay_ms, last_ms);
    last_ms = judged.delay_ms;
  }
  EXPECT_EQ(last_ms, KeyGuard::kLongestDelayMs);
  EXPECT_EQ(guard.judge(kWrong, "10.0.0.2", kSecondNs).delay_ms, 0) << "another network";
  const auto right = guard.judge(KeyGuard::Proof::kRight, "10.0.0.1", kSecondNs);
  EXPECT_FALSE(right.wrong);
  EXPECT_EQ(right.delay_ms, 0);
}

TEST(KeyGuard, WhoGoesOnGuessingIsNotListenedToForAMinute) {
  KeyGuard guard(kKey);
  const std::string host = "2001:db8::1";
  for (int i = 0; i < 1000; ++i) guard.judge(kWrong, host, 0);
  const auto right = guard.judge(KeyGuard::Proof::kRight, "2001:db8::2", 0);
  ASSERT_TRUE(right.wrong) << "the same network";
  EXPECT_EQ(right.wrong->code, ErrorCode::kLimit);
  EXPECT_FALSE(guard.judge(KeyGuard::Proof::kRight, "2001:db8:0:1::1", 0).wrong) << "another one";
  // Further guesses do not extend the time.
  for (int i = 0; i < 1000; ++i) guard.judge(kWrong, host, i);
  EXPECT_FALSE(guard.judge(KeyGuard::Proof::kRight, host, KeyGuard::kForgetNs + kSecondNs).wrong);
  EXPECT_EQ(guard.judge(kWrong, host, 60 * kSecondNs + kSecondNs).delay_ms, 0);
}

TEST(KeyGuard, GuessesOfALongTimeAreFew) {
  KeyGuard guard(kKey);
  int looked_at = 0;
  for (int64_t ms = 0; ms < 600'000; ms += 10) {
    const auto judged = guard.judge(kWrong, "10.0.0.1", ms * 1'000'000);
    if (judged.wrong->code == ErrorCode::kUnauthorized) ++looked_at;
  }
  EXPECT_LE(looked_at, 20 + 10 * 20);
  EXPECT_GE(looked_at, 20 + 9 * 20) << "they are forgotten in time";
}

TEST(KeyGuard, OfAMillionGuessesFewAreLookedAtAndNobodyElseWaits) {
  KeyGuard guard(kKey);
  int looked_at = 0;
  for (int i = 0; i < 1'000'000; ++i) {
    const auto judged = guard.judge(kWrong, fmt::format("10.0.0.{}", i % 100), int64_t{i} * 10'000);
    ASSERT_TRUE(judged.wrong);
    if (judged.wrong->code == ErrorCode::kUnauthorized) ++looked_at;
  }
  // Each network has twenty guesses, and one for every three of these ten seconds.
  EXPECT_LE(looked_at, 100 * (KeyGuard::kMostGuesses + 4));
  const auto right = guard.judge(KeyGuard::Proof::kRight, "10.0.1.1", 10 * kSecondNs);
  EXPECT_FALSE(right.wrong);
  EXPECT_EQ(right.delay_ms, 0);
}

TEST(KeyGuard, PeopleOfThisHostDoNotLockEachOtherOut) {
  KeyGuard guard(kKey);
  for (int i = 0; i < 1000; ++i) guard.judge(kWrong, "127.0.0.1", 0);
  EXPECT_FALSE(guard.judge(KeyGuard::Proof::kRight, "127.0.0.1", 0).wrong);
  EXPECT_EQ(guard.judge(kWrong, "127.0.0.1", 0).delay_ms, KeyGuard::kLongestDelayMs);
}

TEST(KeyGuard, WhoProvesNothingHasNotGuessed) {
  KeyGuard guard(kKey);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_TRUE(guard.judge(KeyGuard::Proof::kNone, "10.0.0.2", 0).wrong);
  }
  EXPECT_EQ(guard.judge(kWrong, "10.0.0.2", 0).delay_ms, 0);
}

TEST(KeyGuard, ManyNetworksTakeBoundedTime) {
  KeyGuard guard(kKey);
  for (int i = 0; i < 20'000; ++i) {
    EXPECT_TRUE(guard.judge(kWrong, fmt::format("10.0.{}.{}", i / 250, i % 250), i).wrong);
  }
  EXPECT_FALSE(guard.judge(KeyGuard::Proof::kRight, "10.9.9.9", 20'000).wrong);
}

TEST(KeyGuard, OneNetworkMoreThanItKeepsMakesItForgetThemAll) {
  KeyGuard guard(kKey);
  for (int i = 0; i < KeyGuard::kMostGuesses; ++i) (void)guard.judge(kWrong, "10.9.9.9", 0);
  for (size_t i = 1; i < KeyGuard::kMostNetworks; ++i) {
    (void)guard.judge(kWrong, fmt::format("10.0.{}.{}", i / 250, i % 250), 0);
  }
  EXPECT_TRUE(guard.judge(KeyGuard::Proof::kRight, "10.9.9.9", 0).wrong);
  (void)guard.judge(kWrong, "10.8.8.8", 0);
  EXPECT_FALSE(guard.judge(KeyGuard::Proof::kRight, "10.9.9.9", 0).wrong);
}

}  // namespace
}  // namespace sail
