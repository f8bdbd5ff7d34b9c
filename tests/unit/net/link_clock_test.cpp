// Wall time as a link knows it, while machines' clocks are set.
#include <gtest/gtest.h>

#include "sail/net/link_clock.h"

namespace sail {
namespace {

constexpr int64_t kMs = 1'000'000;
constexpr int64_t kHour = 3600 * 1000 * kMs;
constexpr int64_t kEpoch = 1'700'000'000'000 * kMs;  // of both systems' clocks

class LinkClockTest : public testing::Test {
 protected:
  LinkClockTest() { clock_.begin_session(ClockSource::kSystem, "", now_ns_); }

  // A second goes by: as ManagerLink has it.
  void beat() {
    now_ns_ += 1000 * kMs;
    clock_.add({.steady_ns = now_ns_,
                .system_ns = kEpoch + now_ns_ + set_ns_,
                .read_error_ns = 100,
                .max_error_ns = kMs,
                .synchronised = true});
    clock_.add(now_ns_, kEpoch + now_ns_ + managers_ns_ + kMs / 2, now_ns_ + kMs);
  }
  // Of what the wall goes by, which is the manager's clock.
  int64_t off_ns() const {
    return clock_.line().to_wall_ns(now_ns_) - (kEpoch + now_ns_ + managers_ns_);
  }

  int64_t now_ns_ = 5'000 * kMs;
  int64_t set_ns_ = 0;       // this machine's clock
  int64_t managers_ns_ = 0;  // the manager's
  LinkClock clock_{Log("clock", LogLevel::kOff)};
};

TEST_F(LinkClockTest, ItsOwnClockIsWallTimeWhileThatAgrees) {
  set_ns_ = 2 * kMs;
  for (int i = 0; i < 5; ++i) beat();
  EXPECT_EQ(off_ns(), 2 * kMs);
}

TEST_F(LinkClockTest, AClockThatIsSetByAnHourIsNotFollowed) {
  for (const int64_t jump_ns : {kHour, -kHour}) {
    for (int i = 0; i < 5; ++i) beat();
    set_ns_ = jump_ns;
    for (int i = 0; i < 5; ++i) {
      beat();
      EXPECT_NEAR(static_cast<double>(off_ns()), 0, 2 * kMs) << jump_ns;
    }
    set_ns_ = 0;
    beat();
    EXPECT_EQ(off_ns(), 0) << "it is its own again";
  }
}

TEST_F(LinkClockTest, OneThatIsWrongFromTheBeginningIsNotFollowedEither) {
  set_ns_ = -kHour;
  for (int i = 0; i < 3; ++i) beat();
  EXPECT_NEAR(static_cast<double>(off_ns()), 0, 2 * kMs);
}

TEST_F(LinkClockTest, WhereTheManagersIsSetAllGoWithIt) {
  for (int i = 0; i < 5; ++i) beat();
  managers_ns_ = kHour;
  for (int i = 0; i < 3; ++i) beat();
  EXPECT_NEAR(static_cast<double>(off_ns()), 0, 2 * kMs);
}

// A manager that was started again. What was learnt of its clock's speed is what bounds the error
// without it.
TEST(LinkClock, AnotherManagerWithTheSameClockIsNoNewClock) {
  const auto bound_after_ns = [](const char* next_name) {
    LinkClock clock{Log("clock", LogLevel::kOff)};
    clock.begin_session(ClockSource::kManager, "one", 0);
    int64_t now_ns = 0;
    const auto exchange = [&] {
      now_ns += 1000 * kMs;
      clock.add(now_ns, kHour + now_ns + kMs / 20, now_ns + kMs / 10);
    };
    for (int i = 0; i < 100; ++i) exchange();
    now_ns += 10'000 * kMs;
    clock.begin_session(ClockSource::kManager, next_name, now_ns);
    exchange();
    return clock.line().error_at_ns(now_ns + 10'000 * kMs);
  };
  EXPECT_LT(bound_after_ns("one"), kMs / 10);
  EXPECT_GT(bound_after_ns("two"), kMs);
  EXPECT_GT(bound_after_ns(""), kMs);
}

}  // namespace
}  // namespace sail
