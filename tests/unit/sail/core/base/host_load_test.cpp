#include "sail/core/base/host_load.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "sail/core/time/clock.h"
#include "tests/support/temp_folder.h"

namespace sail {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class HostLoadTest : public testing::Test {
 protected:
  void has(const std::string& name, const std::string& text) const {
    const auto file = proc_.path() / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text << '\n';
  }
  // Fakes the number of runnable threads, including the meter's own, and their total waiting time.
  void runs(int threads, int64_t waited_us) const {
    has("loadavg", fmt::format("0.20 0.18 0.12 {}/80 11206", threads));
    has("pressure/cpu", fmt::format("some avg10=0.00 avg60=0.00 avg300=0.00 total={}", waited_us));
  }
  void process(int pid, const std::string& name, int ticks) const {
    has(fmt::format("{}/stat", pid),
        fmt::format("{} ({}) S 1 1 1 0 -1 0 0 0 0 0 {} 0 0 0 20 0 1 0 100", pid, name, ticks));
  }
  const HostLoad& sample() { return meter_.sample(now_ns_ += kSecondNs); }

  TempFolder proc_;
  HostLoadMeter meter_{proc_.path(), 2};
  int64_t now_ns_ = 0;
};

TEST_F(HostLoadTest, AMachineWithEnoughProcessorsIsNotOverloaded) {
  runs(3, 0);
  sample();
  runs(3, 100'000);
  EXPECT_EQ(sample().wanting, 2);
  EXPECT_DOUBLE_EQ(*sample().waits_pct, 5);
  EXPECT_FALSE(sample().overloaded());
  EXPECT_THAT(sample().busy, IsEmpty());
}

TEST_F(HostLoadTest, AnOverloadedMachineNamesItsPrograms) {
  int64_t waited_us = 0;
  for (int second = 0; second < 3; ++second) {
    runs(17, waited_us += 900'000);
    process(7, "cc1plus", 100 * second);
    process(8, "cc1plus", 100 * second);
    process(9, "ffmpeg) (4K", 150 * second);
    process(10, "sleep", 0);
    sample();
  }
  const HostLoad& load = sample();
  EXPECT_TRUE(load.overloaded());
  EXPECT_EQ(load.crowd(), 8);
  EXPECT_THAT(load.busy, ElementsAre("cc1plus", "ffmpeg) (4K"));
  for (int second = 0; second < 4; ++second) {
    runs(1, waited_us);
    sample();
  }
  EXPECT_FALSE(meter_.sample(now_ns_).overloaded());
  EXPECT_THAT(meter_.sample(now_ns_).busy, IsEmpty());
}

// Programs that start and end at once do not delay each other.
TEST_F(HostLoadTest, ManyThreadsThatNeverWaitAreNoOverload) {
  runs(17, 0);
  sample();
  EXPECT_FALSE(sample().overloaded());
}

TEST_F(HostLoadTest, AKernelThatDoesNotTellHowLongTheyWait) {
  has("loadavg", "9.00 9.00 9.00 9/80 11206");
  sample();
  EXPECT_FALSE(sample().waits_pct);
  EXPECT_TRUE(sample().overloaded());
}

TEST_F(HostLoadTest, AMachineThatTellsNothingIsNotOverloaded) {
  EXPECT_FALSE(sample().overloaded());
  EXPECT_GE(sample().own_pct, 0);
}

TEST(HostLoad, ThisMachineTells) {
  HostLoadMeter meter;
  EXPECT_GE(meter.sample(kSecondNs).cores, 1);
}

}  // namespace
}  // namespace sail
