// Wall time of a link while machines' clocks are set.
#include <gtest/gtest.h>

#include "sail/core/rpc/link_clock.h"
#include "sail/core/time/clock.h"

namespace sail {
namespace {

constexpr int64_t kHour = 3600 * 1000 * kMillisecondNs;
constexpr int64_t kEpoch = 1'700'000'000'000 * kMillisecondNs;  // of both system clocks

class LinkClockTest : public testing::Test {
 protected:
  LinkClockTest() { clock_.begin_session(ClockSource::kSystem, "", now_ns_); }

  // A second passes, with the exchanges of ManagerLink.
  void beat() {
    now_ns_ += 1000 * kMillisecondNs;
    clock_.add({.steady_ns = now_ns_,
                .system_ns = kEpoch + now_ns_ + set_ns_,
                .read_error_ns = 100,
                .max_error_ns = kMillisecondNs,
                .synchronised = true});
    clock_.add(now_ns_, kEpoch + now_ns_ + managers_ns_ + kMillisecondNs / 2,
               now_ns_ + kMillisecondNs);
  }
  // Error against wall time, which is the manager's clock.
  int64_t off_ns() const {
    return clock_.line().to_wall_ns(now_ns_) - (kEpoch + now_ns_ + managers_ns_);
  }

  int64_t now_ns_ = 5'000 * kMillisecondNs;
  int64_t set_ns_ = 0;       // offset of this machine's clock
  int64_t managers_ns_ = 0;  // offset of the manager's clock
  LinkClock clock_{Log("clock", LogLevel::kOff)};
};

TEST_F(LinkClockTest, ItsOwnClockIsWallTimeWhileThatAgrees) {
  set_ns_ = 2 * kMillisecondNs;
  for (int i = 0; i < 5; ++i) beat();
  EXPECT_EQ(off_ns(), 2 * kMillisecondNs);
}

TEST_F(LinkClockTest, AClockThatIsSetByAnHourIsNotFollowed) {
  for (const int64_t jump_ns : {kHour, -kHour}) {
    for (int i = 0; i < 5; ++i) beat();
    set_ns_ = jump_ns;
    for (int i = 0; i < 5; ++i) {
      beat();
      EXPECT_NEAR(static_cast<double>(off_ns()), 0, 2 * kMillisecondNs) << jump_ns;
    }
    set_ns_ = 0;
    beat();
    EXPECT_EQ(off_ns(), 0) << "it is its own again";
  }
}

TEST_F(LinkClockTest, OneThatIsWrongFromTheBeginningIsNotFollowedEither) {
  set_ns_ = -kHour;
  for (int i = 0; i < 3; ++i) beat();
  EXPECT_NEAR(static_cast<double>(off_ns()), 0, 2 * kMillisecondNs);
}

TEST_F(LinkClockTest, WhereTheManagersIsSetAllGoWithIt) {
  for (int i = 0; i < 5; ++i) beat();
  managers_ns_ = kHour;
  for (int i = 0; i < 3; ++i) beat();
  EXPECT_NEAR(static_cast<double>(off_ns()), 0, 2 * kMillisecondNs);
}

// The manager was restarted. The clock speed measured before bounds the error in the meantime.
TEST(LinkClock, AnotherManagerWithTheSameClockIsNoNewClock) {
  const auto bound_after_ns = [](const char* next_name) {
    LinkClock clock{Log("clock", LogLevel::kOff)};
    clock.begin_session(ClockSource::kManager, "one", 0);
    int64_t now_ns = 0;
    const auto exchange = [&] {
      now_ns += 1000 * kMillisecondNs;
      clock.add(now_ns, kHour + now_ns + kMillisecondNs / 20, now_ns + kMillisecondNs / 10);
    };
    for (int i = 0; i < 100; ++i) exchange();
    now_ns += 10'000 * kMillisecondNs;
    clock.begin_session(ClockSource::kManager, next_name, now_ns);
    exchange();
    return clock.line().error_at_ns(now_ns + 10'000 * kMillisecondNs);
  };
  EXPECT_LT(bound_after_ns("one"), kMillisecondNs / 10);
  EXPECT_GT(bound_after_ns("two"), kMillisecondNs);
  EXPECT_GT(bound_after_ns(""), kMillisecondNs);
}

}  // namespace
}  // namespace sail
