#include "sail/client/encode/picture_step.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "sail/core/time/clock.h"

namespace sail {
namespace {

// A stream of 30 frames a second over a link with capacity for some full pictures a second, and for
// four times as many of half size.
class PictureLink {
 public:
  PictureLink(int most, double pictures_per_s) : step_(most), pictures_per_s_(pictures_per_s) {}

  void set_link(double pictures_per_s) { pictures_per_s_ = pictures_per_s; }
  void pause(double seconds) { now_ns_ += static_cast<int64_t>(seconds * kSecondNs); }
  void run(double seconds) {
    const int64_t end_ns = now_ns_ + static_cast<int64_t>(seconds * kSecondNs);
    for (; now_ns_ < end_ns; now_ns_ += kIntervalNs) {
      const bool sent = free_at_ns_ <= now_ns_;
      if (sent) {
        const double size = 1.0 / static_cast<double>(1 << (2 * step_.steps()));
        free_at_ns_ = now_ns_ + static_cast<int64_t>(size / pictures_per_s_ * kSecondNs);
      }
      if (!step_.add(now_ns_, sent)) continue;
      changes_.push_back({static_cast<double>(now_ns_ - kSecondNs) / kSecondNs, step_.steps()});
    }
  }
  int steps() const { return step_.steps(); }

  struct Change {
    double at_s = 0;
    int steps = 0;
  };
  const std::vector<Change>& changes() const { return changes_; }

 private:
  static constexpr int64_t kIntervalNs = kSecondNs / 30;
  PictureStep step_;
  double pictures_per_s_;
  int64_t now_ns_ = kSecondNs;
  int64_t free_at_ns_ = 0;
  std::vector<Change> changes_;
};

TEST(PictureStep, PicturesStayWholeWhileHalfOfThemAreSent) {
  for (const double fps : {15.5, 20.0, 30.0, 1000.0}) {
    PictureLink stream(3, fps);
    stream.run(100);
    EXPECT_TRUE(stream.changes().empty()) << fps;
  }
}

TEST(PictureStep, TheyAreHalvedAsOftenAsItTakes) {
  for (const auto& [fps, steps] : {std::pair{10.0, 1}, {2.0, 2}, {0.5, 3}, {0.1, 3}}) {
    PictureLink stream(3, fps);
    stream.run(4);
    EXPECT_EQ(stream.steps(), steps) << fps;
  }
}

TEST(PictureStep, ButNotMoreOftenThanTheyCanBe) {
  PictureLink stream(1, 0.5);
  stream.run(30);
  EXPECT_EQ(stream.steps(), 1);
  PictureLink rigid(0, 0.5);
  rigid.run(30);
  EXPECT_TRUE(rigid.changes().empty());
}

TEST(PictureStep, TheyGrowAgainFourSecondsAfterTheLinkDid) {
  PictureLink stream(3, 2);
  stream.run(4);
  ASSERT_EQ(stream.steps(), 2);
  stream.set_link(1000);
  stream.run(6);
  EXPECT_EQ(stream.steps(), 1);
  stream.run(5);
  EXPECT_EQ(stream.steps(), 0);
}

TEST(PictureStep, TriesThatFailBecomeRarer) {
  PictureLink stream(3, 10);
  stream.run(400);
  std::vector<double> tries;
  for (const PictureLink::Change& change : stream.changes()) {
    if (change.steps == 0) tries.push_back(change.at_s);
  }
  ASSERT_GE(tries.size(), 7U);
  for (size_t i = 1; i < tries.size(); ++i) {
    // Detecting the failure takes another second or two.
    const double wait_timeout = std::min(60.0, 4.0 * static_cast<double>(1 << i));
    EXPECT_GE(tries[i] - tries[i - 1], wait_timeout);
    EXPECT_LE(tries[i] - tries[i - 1], wait_timeout + 4);
  }
}

TEST(PictureStep, ATryThatLastsMakesTheNextOneEarlyAgain) {
  PictureLink stream(3, 10);
  stream.run(100);
  stream.set_link(1000);
  stream.run(100);
  ASSERT_EQ(stream.steps(), 0);
  stream.set_link(10);
  stream.run(3);
  ASSERT_EQ(stream.steps(), 1);
  stream.set_link(1000);
  stream.run(6);
  EXPECT_EQ(stream.steps(), 0);
}

TEST(PictureStep, APauseTellsNothing) {
  PictureLink stream(3, 10);
  stream.run(0.9);
  for (int i = 0; i < 10; ++i) {
    stream.pause(3);
    stream.run(0.9);
  }
  EXPECT_EQ(stream.steps(), 0);
}

}  // namespace
}  // namespace sail
