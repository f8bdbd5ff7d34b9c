#include "sail/net/token_guard.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "sail/base/clock.h"
#include "sail/base/token.h"

namespace sail {
namespace {

TEST(TokenGuard, WithoutATokenEverybodyIsWelcome) {
  TokenGuard guard("");
  EXPECT_TRUE(guard.everybody_is_welcome());
  EXPECT_FALSE(guard.judge("anything", "10.0.0.1", 0).wrong);
}

TEST(TokenGuard, AFewMistakesAreAnsweredAtOnceAndMoreLaterAndLater) {
  TokenGuard guard("word");
  int64_t last_ms = 0;
  for (int i = 1; i <= 15; ++i) {
    const auto judged = guard.judge(fmt::format("guess {}", i), "10.0.0.1", kSecondNs);
    ASSERT_TRUE(judged.wrong);
    EXPECT_EQ(judged.wrong->code, ErrorCode::kUnauthorized);
    EXPECT_EQ(judged.delay_ms == 0, i <= TokenGuard::kFreeGuesses) << i;
    EXPECT_GE(judged.delay_ms, last_ms);
    last_ms = judged.delay_ms;
  }
  EXPECT_EQ(last_ms, TokenGuard::kLongestDelayMs);
  EXPECT_EQ(guard.judge("guess", "10.0.0.2", kSecondNs).delay_ms, 0) << "another network";
  const auto right = guard.judge("word", "10.0.0.1", kSecondNs);
  EXPECT_FALSE(right.wrong);
  EXPECT_EQ(right.delay_ms, 0);
  EXPECT_FALSE(guard.judge(marked_token("word"), "10.0.0.1", kSecondNs).wrong);
}

TEST(TokenGuard, WhoGoesOnGuessingIsNotListenedToForAMinute) {
  TokenGuard guard("word");
  const std::string host = "2001:db8::1";
  for (int i = 0; i < 1000; ++i) guard.judge(fmt::format("guess {}", i), host, 0);
  const auto right = guard.judge("word", "2001:db8::2", 0);
  ASSERT_TRUE(right.wrong) << "the same network";
  EXPECT_EQ(right.wrong->code, ErrorCode::kLimit);
  EXPECT_FALSE(guard.judge("word", "2001:db8:0:1::1", 0).wrong) << "another one";
  // Guesses in the meantime do not make it longer.
  for (int i = 0; i < 1000; ++i) guard.judge(fmt::format("guess {}", i), host, i);
  EXPECT_FALSE(guard.judge("word", host, TokenGuard::kForgetNs + kSecondNs).wrong);
  EXPECT_EQ(guard.judge("guess", host, 60 * kSecondNs + kSecondNs).delay_ms, 0);
}

TEST(TokenGuard, GuessesOfALongTimeAreFew) {
  TokenGuard guard("word");
  int looked_at = 0;
  for (int64_t ms = 0; ms < 600'000; ms += 10) {
    const auto judged = guard.judge(fmt::format("guess {}", ms), "10.0.0.1", ms * 1'000'000);
    if (judged.wrong->code == ErrorCode::kUnauthorized) ++looked_at;
  }
  EXPECT_LE(looked_at, 20 + 10 * 20);
  EXPECT_GE(looked_at, 20 + 9 * 20) << "they are forgotten in time";
}

TEST(TokenGuard, PeopleOfThisHostDoNotLockEachOtherOut) {
  TokenGuard guard("word");
  for (int i = 0; i < 1000; ++i) guard.judge(fmt::format("guess {}", i), "127.0.0.1", 0);
  EXPECT_FALSE(guard.judge("word", "127.0.0.1", 0).wrong);
  EXPECT_EQ(guard.judge("another", "127.0.0.1", 0).delay_ms, TokenGuard::kLongestDelayMs);
}

TEST(TokenGuard, SayingTheSameAgainOrNothingIsNoGuess) {
  TokenGuard guard("word");
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(guard.judge("old word", "10.0.0.1", 0).delay_ms, 0);
    EXPECT_TRUE(guard.judge("", "10.0.0.2", 0).wrong);
  }
  EXPECT_FALSE(guard.judge("word", "10.0.0.1", 0).wrong);
  EXPECT_EQ(guard.judge("first", "10.0.0.2", 0).delay_ms, 0);
}

TEST(TokenGuard, ManyNetworksTakeBoundedTime) {
  TokenGuard guard("word");
  for (int i = 0; i < 20'000; ++i) {
    EXPECT_TRUE(guard.judge("guess", fmt::format("10.0.{}.{}", i / 250, i % 250), i).wrong);
  }
  EXPECT_FALSE(guard.judge("word", "10.9.9.9", 20'000).wrong);
}

}  // namespace
}  // namespace sail
