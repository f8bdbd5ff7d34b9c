#include "sail/core/loop/loop.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "sail/core/time/clock.h"
#include "tests/support/loop_test.h"

namespace sail {
namespace {

constexpr int64_t kMicrosecond = 1000;

TEST(FineTimer, FiresOnceAndNotBeforeItsTime) {
  Loop loop;
  int fired = 0;
  int64_t fired_ns = 0;
  FineTimer timer(loop, [&] {
    ++fired;
    fired_ns = steady_now_ns();
  });
  const int64_t at = steady_now_ns() + 300 * kMicrosecond;
  timer.start_at(at);
  EXPECT_EQ(fired, 0);
  ASSERT_TRUE(run_until(loop, [&] { return fired > 0; }));
  EXPECT_GE(fired_ns, at);
  run_some(loop);
  EXPECT_EQ(fired, 1);
}

TEST(FineTimer, WhatIsOverFiresAtOnceFromTheLoop) {
  for (const int64_t at : {int64_t{-5}, int64_t{0}, int64_t{1}}) {
    Loop loop;
    int fired = 0;
    FineTimer timer(loop, [&] { ++fired; });
    timer.start_at(at);
    EXPECT_EQ(fired, 0) << "inside start_at()";
    EXPECT_TRUE(run_until(loop, [&] { return fired == 1; })) << at;
  }
}

TEST(FineTimer, StartingAgainReplacesAndStoppingStops) {
  Loop loop;
  int fired = 0;
  FineTimer timer(loop, [&] { ++fired; });
  timer.start_at(1);
  timer.stop();
  run_some(loop);
  EXPECT_EQ(fired, 0);
  timer.start_at(1);
  timer.start_at(steady_now_ns() + 3'600'000'000'000);
  run_some(loop);
  EXPECT_EQ(fired, 0);
  timer.start_at(1);
  EXPECT_TRUE(run_until(loop, [&] { return fired == 1; }));
}

TEST(FineTimer, OneThatIsDueIsStoppedByTheCallbackOfAnother) {
  Loop loop;
  int fired = 0;
  std::vector<std::unique_ptr<FineTimer>> timers;
  for (int i = 0; i < 2; ++i) {
    timers.push_back(std::make_unique<FineTimer>(loop, [&] {
      ++fired;
      for (const auto& timer : timers) timer->stop();
    }));
  }
  for (const auto& timer : timers) timer->start_at(1);
  ASSERT_TRUE(run_until(loop, [&] { return fired > 0; }));
  run_some(loop);
  EXPECT_EQ(fired, 1);
}

TEST(FineTimer, TheCallbackMayStartItAgain) {
  Loop loop;
  std::vector<int64_t> times;
  std::unique_ptr<FineTimer> timer;
  timer = std::make_unique<FineTimer>(loop, [&] {
    times.push_back(steady_now_ns());
    if (times.size() < 10) timer->start_at(times.back() + 200 * kMicrosecond);
  });
  timer->start_at(steady_now_ns());
  ASSERT_TRUE(run_until(loop, [&] { return times.size() == 10; }));
  EXPECT_GE(times.back() - times.front(), 9 * 200 * kMicrosecond);
}

TEST(FineTimer, WithoutADescriptorItIsCoarse) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer itself needs descriptors to look at memory";
#endif
  Loop loop;
  std::vector<int> fillers;
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit few{.rlim_cur = 64, .rlim_max = before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
  for (int filler = dup(0); filler >= 0; filler = dup(0)) fillers.push_back(filler);
  int fired = 0;
  FineTimer timer(loop, [&] { ++fired; });
  const int64_t at = steady_now_ns() + 1500 * kMicrosecond;
  timer.start_at(at);
  EXPECT_TRUE(run_until(loop, [&] { return fired == 1; }));
  EXPECT_GE(steady_now_ns(), at);
  timer.start_at(steady_now_ns() + 1500 * kMicrosecond);
  timer.stop();
  run_some(loop);
  EXPECT_EQ(fired, 1);
  for (const int filler : fillers) close(filler);
  setrlimit(RLIMIT_NOFILE, &before);
  timer.start_at(1);
  EXPECT_TRUE(run_until(loop, [&] { return fired == 2; })) << "there is one now";
}

TEST(FineTimer, TheCallbackMayDestroyItAndWhatItHolds) {
  Loop loop;
  const auto held = std::make_shared<int>(7);
  int seen = 0;
  std::unique_ptr<FineTimer> timer;
  timer = std::make_unique<FineTimer>(loop, [&, held] {
    timer.reset();
    seen = *held;  // ASan detects a destroyed callback
  });
  timer->start_at(1);
  ASSERT_TRUE(run_until(loop, [&] { return seen == 7; }));
  run_some(loop);
  EXPECT_EQ(held.use_count(), 1);
}

}  // namespace
}  // namespace sail
