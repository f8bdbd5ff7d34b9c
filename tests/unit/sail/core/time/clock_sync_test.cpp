#include "sail/core/time/clock_sync.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "sail/core/time/clock.h"
#include "sail/core/time/clock_line.h"
#include "tests/unit/sail/core/base/simulated_clocks.h"

namespace sail {
namespace {

constexpr int64_t kSimulatedHourNs = 3600 * kSecondNs;
constexpr int64_t kDayNs = 24 * kSimulatedHourNs;
constexpr int64_t kLeapSecondNs = kSecondNs;  // the system's clock is set back

// Simulates an exchange once a second, and checks the result ten times a second.
class ClockSyncTest : public testing::Test {
 protected:
  // Several exchanges at once, as after connecting.
  void connect() {
    sync_.begin_session(ours_.at(now_ns_));
    for (int i = 0; i < 8; ++i) exchange();
  }
  void exchange() {
    if (std::bernoulli_distribution(lost_)(random_)) return;
    const int64_t sent_ns = ours_.at(now_ns_);
    now_ns_ += there_.delay_ns(random_);
    const int64_t remote_ns = theirs_.at(now_ns_);
    now_ns_ += back_.delay_ns(random_);
    const auto off_ns = sync_.add(sent_ns, remote_ns, ours_.at(now_ns_));
    if (off_ns) jumps_.push_back(*off_ns);
  }
  void run(int64_t seconds, bool manager_is_there = true) {
    for (int64_t i = 0; i < seconds; ++i) {
      const int64_t next_ns = now_ns_ + kSecondNs;
      if (manager_is_there) exchange();
      for (; now_ns_ < next_ns; now_ns_ += 100 * kMillisecondNs) look();
      now_ns_ = next_ns;
    }
  }
  void look() {
    const int64_t ours_ns = ours_.at(now_ns_);
    const int64_t error_ns = std::abs(sync_.line().to_wall_ns(ours_ns) - theirs_.at(now_ns_));
    const int64_t bound_ns = sync_.line().error_at_ns(ours_ns);
    if (error_ns > bound_ns) ++out_of_bound_;
    errors_.push_back(error_ns);
    bounds_.push_back(bound_ns);
    const int64_t wall_ns = sync_.line().to_wall_ns(ours_ns);
    EXPECT_NEAR(static_cast<double>(sync_.line().to_steady_ns(wall_ns)),
                static_cast<double>(ours_ns), 1.5);
  }
  // Discards the samples so far.
  void resample() {
    errors_.clear();
    bounds_.clear();
    out_of_bound_ = 0;
  }
  double p99_us(std::vector<int64_t> values) const {
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(values.size() * 99 / 100);
    std::ranges::nth_element(values, at);
    return static_cast<double>(*at) / 1e3;
  }
  double error_us() const { return p99_us(errors_); }
  double bound_us() const { return p99_us(bounds_); }
  int64_t remote_ns() const { return sync_.line().to_wall_ns(ours_.at(now_ns_)); }

  std::mt19937_64 random_{7};
  int64_t now_ns_ = 0;
  SimulatedClock ours_{5 * kSimulatedHourNs};
  SimulatedClock theirs_{90 * kDayNs};
  SimulatedWay there_;
  SimulatedWay back_;
  double lost_ = 0;
  ClockSync sync_;
  std::vector<int64_t> jumps_;
  std::vector<int64_t> errors_;
  std::vector<int64_t> bounds_;
  int out_of_bound_ = 0;
};

TEST_F(ClockSyncTest, KnowsNothingBeforeTheFirstExchange) {
  EXPECT_FALSE(sync_.line().known);
  EXPECT_EQ(sync_.line().to_wall_ns(1234), 1234);
  EXPECT_EQ(sync_.line().to_steady_ns(1234), 1234);
  EXPECT_EQ(sync_.line().error_at_ns(1234), kUnknownErrorNs);
  sync_.begin_session(5);
  EXPECT_FALSE(sync_.add(2000, 5000, 1000)) << "an answer before its question";
  EXPECT_FALSE(sync_.line().known);
}

TEST_F(ClockSyncTest, AnEvenExchangeGivesTheOffsetAndHalfOfItsRoundTripTheBound) {
  EXPECT_FALSE(sync_.add(1000, 1'000'000'300, 1600));
  EXPECT_EQ(sync_.line().to_wall_ns(1300), 1'000'000'300);
  EXPECT_NEAR(static_cast<double>(sync_.line().error_at_ns(1600)), 300, 5);
  EXPECT_EQ(sync_.round_trip_ns(), 600);
  EXPECT_EQ(sync_.last_exchange_ns(), 1600);
}

TEST_F(ClockSyncTest, TheBoundCoversEveryAsymmetry) {
  for (const int64_t there_ns : {0, 10, 500, 990, 1000}) {
    ClockSync sync;
    sync.add(7000, 7000 + there_ns + 123'456, 8000);
    EXPECT_LE(std::abs(sync.line().to_wall_ns(8000) - (8000 + 123'456)),
              sync.line().error_at_ns(8000))
        << there_ns;
  }
}

TEST_F(ClockSyncTest, AnHourOnALocalNetwork) {
  for (const double ppm : {0.0, 100.0, -100.0, 37.0}) {
    ours_ = SimulatedClock(5 * kSimulatedHourNs, ppm);
    sync_ = {};
    resample();
    connect();
    run(3600);
    EXPECT_EQ(out_of_bound_, 0) << ppm;
    EXPECT_LT(error_us(), 20) << ppm;
    EXPECT_LT(bound_us(), 150) << ppm;
    EXPECT_NEAR(sync_.line().drift * 1e6, -ppm, 0.5);
  }
  EXPECT_TRUE(jumps_.empty());
}

// NTP changes the rate of a clock by up to 500 ppm.
TEST_F(ClockSyncTest, TheBoundIsTrueForEveryPlausibleDrift) {
  for (const double least_us : {30.0, 100.0, 5000.0}) {
    there_ = back_ = {.least_us = least_us, .jitter_us = least_us / 5};
    for (const double ppm : {150.0, 300.0, -300.0, 490.0}) {
      ours_ = SimulatedClock(5 * kSimulatedHourNs, ppm);
      sync_ = {};
      connect();
      run(600);
      EXPECT_EQ(out_of_bound_, 0) << least_us << " µs, " << ppm << " ppm";
    }
  }
  EXPECT_TRUE(jumps_.empty());
}

// While the drift is not measured, a bound grows by 500 µs each second.
TEST_F(ClockSyncTest, ASwitchedNetworkGivesATenthOfAMillisecondFromTwoSecondsOn) {
  there_ = back_ = {.least_us = 30, .jitter_us = 6};
  for (const double ppm : {0.0, 100.0, -100.0, 37.0}) {
    ours_ = SimulatedClock(5 * kSimulatedHourNs, ppm);
    sync_ = {};
    connect();
    run(2);
    resample();
    run(60);
    EXPECT_EQ(out_of_bound_, 0) << ppm;
    EXPECT_LT(bound_us(), 100) << ppm;
  }
}

TEST_F(ClockSyncTest, ADriftThatChangesIsFollowed) {
  ours_ = SimulatedClock(0, -20);
  theirs_.wander(0.8);
  connect();
  run(3600);
  EXPECT_EQ(out_of_bound_, 0);
  EXPECT_LT(error_us(), 40);
}

TEST_F(ClockSyncTest, HalfOfTheExchangesLost) {
  ours_ = SimulatedClock(0, 100);
  lost_ = 0.5;
  connect();
  run(3600);
  EXPECT_EQ(out_of_bound_, 0);
  EXPECT_LT(error_us(), 30);
}

TEST_F(ClockSyncTest, Queues) {
  ours_ = SimulatedClock(0, -100);
  there_ = back_ = {.least_us = 100, .jitter_us = 50, .queued = 0.4, .queue_us = 5000};
  connect();
  run(3600);
  EXPECT_EQ(out_of_bound_, 0);
  EXPECT_LT(error_us(), 100);
}

TEST_F(ClockSyncTest, QueuesOneWayOnly) {
  there_ = {.least_us = 100, .jitter_us = 300, .queued = 0.8, .queue_us = 20'000};
  connect();
  run(3600);
  EXPECT_EQ(out_of_bound_, 0);
}

TEST_F(ClockSyncTest, AWayThatIsLongerThanTheWayBack) {
  ours_ = SimulatedClock(0, 100);
  there_.least_us = 50;
  back_.least_us = 10'000;
  connect();
  run(3600);
  EXPECT_EQ(out_of_bound_, 0);
  EXPECT_GT(error_us(), 4500) << "nobody can know";
  EXPECT_LT(bound_us(), 5400);
}

TEST_F(ClockSyncTest, AnHourWithoutTheManager) {
  ours_ = SimulatedClock(0, 80);
  theirs_.wander(0.8);
  connect();
  run(600);
  EXPECT_LT(sync_.line().doubt * 1e6, 5) << "the drift is known";
  resample();
  run(3600, false);
  EXPECT_EQ(out_of_bound_, 0);
  EXPECT_LT(bound_us(), 18'000);
  EXPECT_GT(error_us(), 100) << "so that there is something to mend";

  // It comes back with the same clock: the estimate converges to the actual time and never runs
  // back.
  const int64_t before_ns = remote_ns() - now_ns_;
  connect();
  int64_t last_ns = remote_ns();
  EXPECT_NEAR(static_cast<double>(last_ns - now_ns_ - before_ns), 0, 1e5);
  for (int i = 0; i < 300; ++i) {
    now_ns_ += 10 * kMillisecondNs;
    ASSERT_GT(remote_ns(), last_ns + 9 * kMillisecondNs);
    ASSERT_LT(remote_ns(), last_ns + 11 * kMillisecondNs);
    last_ns = remote_ns();
  }
  run(60);
  resample();
  run(60);
  EXPECT_LT(error_us(), 50);
  EXPECT_EQ(out_of_bound_, 0);
  EXPECT_TRUE(jumps_.empty());
}

TEST_F(ClockSyncTest, AnHourWithoutTheManagerWhoseDriftWasNeverMeasured) {
  for (const double ppm : {99.9, -99.9}) {
    ours_ = SimulatedClock(0, ppm);
    sync_ = {};
    resample();
    connect();
    run(3600, false);
    EXPECT_EQ(out_of_bound_, 0);
    EXPECT_GT(error_us(), 300'000);
    EXPECT_LT(bound_us(), 1'810'000) << "500 ppm of an hour";
  }
}

TEST_F(ClockSyncTest, TimeGoesOnEvenlyWhateverTheExchangesSay) {
  ours_ = SimulatedClock(0, 100);
  there_ = back_ = {.least_us = 100, .jitter_us = 100, .queued = 0.5, .queue_us = 3000};
  connect();
  int64_t last_ns = remote_ns();
  for (int i = 0; i < 2000; ++i) {
    if (i % 10 == 0) exchange();
    now_ns_ += 100 * kMillisecondNs;
    ASSERT_GT(remote_ns(), last_ns + 99 * kMillisecondNs);
    last_ns = remote_ns();
  }
}

TEST_F(ClockSyncTest, JumpsOfEitherClockAreTakenAndTold) {
  connect();
  run(100);
  for (const int64_t by_ns : {kSimulatedHourNs, -kSimulatedHourNs, -kLeapSecondNs,
                              5 * kMillisecondNs, -5 * kMillisecondNs}) {
    for (SimulatedClock* clock : {&theirs_, &ours_}) {
      jumps_.clear();
      clock->jump(by_ns);
      const int64_t expected_ns = clock == &theirs_ ? by_ns : -by_ns;
      exchange();
      resample();
      run(10);
      EXPECT_EQ(out_of_bound_, 0) << expected_ns;
      ASSERT_EQ(jumps_.size(), 1U) << expected_ns;
      EXPECT_NEAR(static_cast<double>(jumps_[0]), static_cast<double>(expected_ns), 1e6);
      EXPECT_LT(error_us(), 100);
      run(50);
    }
  }
}

TEST_F(ClockSyncTest, AnExchangeDuringAJumpDoesNoHarm) {
  connect();
  run(100);
  const int64_t sent_ns = ours_.at(now_ns_);
  const int64_t remote_ns = theirs_.at(now_ns_ + kMillisecondNs);
  ours_.jump(kSimulatedHourNs);
  now_ns_ += 2 * kMillisecondNs;
  sync_.add(sent_ns, remote_ns, ours_.at(now_ns_));
  exchange();
  resample();
  run(100);
  EXPECT_EQ(out_of_bound_, 0);
  EXPECT_LT(error_us(), 100);
}

// The clock of a paused virtual machine stops too, or continues, depending on the hypervisor.
TEST_F(ClockSyncTest, AVirtualMachineThatIsPausedDuringAnExchange) {
  connect();
  run(100);
  for (const bool clock_stops : {true, false}) {
    for (const bool before_reading : {true, false}) {
      jumps_.clear();
      const int64_t sent_ns = ours_.at(now_ns_);
      if (before_reading) now_ns_ += 5 * kSecondNs;
      const int64_t remote_ns = theirs_.at(now_ns_ += 70'000);
      if (!before_reading) now_ns_ += 5 * kSecondNs;
      if (clock_stops) ours_.jump(-5 * kSecondNs);
      const auto off_ns = sync_.add(sent_ns, remote_ns, ours_.at(now_ns_ += 70'000));
      if (off_ns) jumps_.push_back(*off_ns);
      exchange();
      resample();
      run(50);
      EXPECT_EQ(out_of_bound_, 0) << clock_stops << before_reading;
      EXPECT_LT(error_us(), 100) << clock_stops << before_reading;
      EXPECT_EQ(jumps_.size(), clock_stops ? 1U : 0U) << before_reading;
    }
  }
}

TEST_F(ClockSyncTest, ASmallJumpIsMadeGood) {
  connect();
  run(100);
  theirs_.jump(700'000);
  const int64_t before_ns = remote_ns();
  exchange();
  EXPECT_LT(remote_ns(), before_ns + 600'000) << "not at once";
  resample();
  run(30);
  EXPECT_EQ(out_of_bound_, 0);
  EXPECT_LT(errors_.back(), 100'000);
  EXPECT_TRUE(jumps_.empty());
}

TEST_F(ClockSyncTest, AClockThatIsCorrectedFasterThanItMayDriftIsFollowed) {
  connect();
  run(100);
  // NTP pulls the manager's clock by 400 ppm.
  resample();
  for (int i = 0; i < 600; ++i) {
    theirs_.jump(40'000);
    if (i % 10 == 0) exchange();
    look();
    now_ns_ += 100 * kMillisecondNs;
  }
  EXPECT_LT(*std::ranges::max_element(errors_), 1'000'000);
}

TEST_F(ClockSyncTest, AnotherManagerWithAnotherClockIsTakenAndTold) {
  connect();
  run(100);
  theirs_ = SimulatedClock(3 * kDayNs, -50);
  connect();
  resample();
  run(300);
  EXPECT_EQ(out_of_bound_, 0);
  EXPECT_LT(error_us(), 100);
  ASSERT_EQ(jumps_.size(), 1U);
  EXPECT_NEAR(static_cast<double>(jumps_[0]), static_cast<double>(-87 * kDayNs), 1e9);
}

TEST_F(ClockSyncTest, AnotherManagerWhoseClockAgreesIsNotNoticed) {
  connect();
  run(100);
  run(1800, false);
  const int64_t bound_ns = sync_.line().error_at_ns(ours_.at(now_ns_));
  ASSERT_GT(bound_ns, 3 * kMillisecondNs);
  theirs_ = SimulatedClock(90 * kDayNs + 3 * kMillisecondNs, 90);
  theirs_.jump(-std::llround(90e-6 * static_cast<double>(now_ns_)));
  const int64_t before_ns = remote_ns() - now_ns_;
  connect();
  EXPECT_NEAR(static_cast<double>(remote_ns() - now_ns_ - before_ns), 0, 1e5);
  resample();
  run(100);
  EXPECT_EQ(out_of_bound_, 0) << "its drift is another, too";
  EXPECT_LT(errors_.back(), 100'000);
  EXPECT_TRUE(jumps_.empty());
}

TEST_F(ClockSyncTest, TimesOutOfAllReasonDoNoHarm) {
  for (const int64_t remote_ns : {int64_t{0}, int64_t{4'000'000'000'000'000'000}, int64_t{0}}) {
    sync_.add(1000, remote_ns, 3000);
    EXPECT_NEAR(static_cast<double>(sync_.line().to_wall_ns(2000)), static_cast<double>(remote_ns),
                2000);
    EXPECT_NEAR(static_cast<double>(sync_.line().to_steady_ns(remote_ns)), 2000, 2000);
  }
}

}  // namespace
}  // namespace sail
