#include "sail/client/transport/repair_symbols.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "sail/core/time/clock.h"

namespace sail {
namespace {

constexpr int kSources = static_cast<int>(kGroupSymbols);
constexpr int64_t kFeedbackNs = 10'000'000;

// A link with this loss rate and mean burst length (Gilbert's model). With length 0 losses are
// independent.
class LossyLink {
 public:
  LossyLink(double share, double burst) : share_(share), burst_(burst) {}

  void set_share(double share) { share_ = share; }

  bool lose_next() {
    const double enter = burst_ == 0 ? share_ : share_ / (burst_ * (1 - share_));
    const double stay = burst_ == 0 ? share_ : 1 - 1 / burst_;
    const bool lost = chance_(random_) < (losing_ ? stay : enter);
    count(lost);
    losing_ = lost;
    return lost;
  }
  const LinkCounters& counters() const { return counters_; }

 private:
  void count(bool lost) {
    if (lost) {
      ++counters_.packets_lost;
      ++run_;
      return;
    }
    ++counters_.packets_arrived;
    if (run_ > 0) ++counters_.bursts[burst_class(run_)];
    run_ = 0;
  }

  double share_;
  double burst_;
  bool losing_ = false;
  uint64_t run_ = 0;
  LinkCounters counters_;
  std::mt19937 random_{7};
  std::uniform_real_distribution<double> chance_{0, 1};
};

// Simulates a stream of FEC blocks with the requested redundancy, and counts the results.
struct GroupedStream {
  double packets_per_s = 4000;
  LossyLink link;
  FecShare share{};
  int64_t now_ns = kSecondNs;
  int64_t next_feedback_ns = kSecondNs;
  uint64_t groups = 0;
  uint64_t unmended = 0;
  uint64_t parity = 0;

  void send_group() {
    const int with = share.parity_for(kSources);
    int lost = 0;
    for (int i = 0; i < kSources + with; ++i) {
      if (link.lose_next()) ++lost;
      now_ns += static_cast<int64_t>(1e9 / packets_per_s);
      if (now_ns < next_feedback_ns) continue;
      share.add(now_ns, link.counters());
      next_feedback_ns = now_ns + kFeedbackNs;
    }
    ++groups;
    parity += static_cast<uint64_t>(with);
    if (lost > with) ++unmended;
  }
  void run(double seconds) {
    const int64_t end_ns = now_ns + static_cast<int64_t>(seconds * 1e9);
    while (now_ns < end_ns) send_group();
  }
  // Starts counting after the link's loss is known.
  void run_steadily(double seconds) {
    run(2);
    groups = unmended = parity = 0;
    run(seconds);
  }
  double overhead() const {
    return static_cast<double>(parity) / static_cast<double>(groups) / kSources;
  }
  double unmended_share() const {
    return static_cast<double>(unmended) / static_cast<double>(groups);
  }
};

GroupedStream steady(double share, double burst, double packets_per_s = 4000) {
  GroupedStream stream{.packets_per_s = packets_per_s, .link = {share, burst}};
  stream.run_steadily(60);
  return stream;
}

TEST(FecShare, NothingIsPaidWhereNothingIsLost) {
  EXPECT_EQ(FecShare().parity_for(kSources), 0);
  const GroupedStream stream = steady(0, 0);
  EXPECT_EQ(stream.parity, 0U);
  EXPECT_EQ(stream.share.loss(), 0);
}

TEST(FecShare, RandomLossOfOnePercentCostsSevenAtMost) {
  for (const double packets_per_s : {500, 4000, 20'000}) {
    const GroupedStream stream = steady(0.01, 0, packets_per_s);
    EXPECT_LE(stream.overhead(), 0.07) << packets_per_s;
    EXPECT_LE(stream.unmended_share(), 0.002) << packets_per_s;
  }
}

TEST(FecShare, RandomLossOfFivePercentCostsFifteenAtMost) {
  for (const double packets_per_s : {500, 4000, 20'000}) {
    const GroupedStream stream = steady(0.05, 0, packets_per_s);
    EXPECT_LE(stream.overhead(), 0.15) << packets_per_s;
    EXPECT_LE(stream.unmended_share(), 0.005) << packets_per_s;
  }
}

TEST(FecShare, RareLossCostsLittle) {
  const GroupedStream stream = steady(0.001, 0);
  EXPECT_GT(stream.parity, 0U);
  EXPECT_LE(stream.overhead(), 0.025);
  EXPECT_LE(stream.unmended_share(), 0.001);
}

// Blocks that FEC cannot repair are retransmitted.
TEST(FecShare, BurstsOfEightCostTwelvePercentAtMostAndFewGroupsAreNotMended) {
  for (const double packets_per_s : {4000, 20'000}) {
    const GroupedStream stream = steady(0.01, 8, packets_per_s);
    EXPECT_LE(stream.overhead(), 0.12) << packets_per_s;
    EXPECT_LE(stream.unmended_share(), 0.04) << packets_per_s;
    EXPECT_GT(stream.overhead(), 1.5 * steady(0.01, 0, packets_per_s).overhead());
  }
}

TEST(FecShare, LossThatBeginsIsAnsweredWithinHalfASecond) {
  GroupedStream stream{.link = {0, 0}};
  stream.run(20);
  ASSERT_EQ(stream.share.parity_for(kSources), 0);
  stream.link.set_share(0.05);
  stream.run(0.5);
  EXPECT_GE(stream.share.parity_for(kSources), 7);
}

TEST(FecShare, LossThatEndsIsForgottenTenSecondsLater) {
  GroupedStream stream{.link = {0.05, 0}};
  stream.run(10);
  stream.link.set_share(0);
  stream.run(9);
  EXPECT_GT(stream.share.parity_for(kSources), 0);
  stream.run(2);
  EXPECT_EQ(stream.share.parity_for(kSources), 0);
  EXPECT_EQ(stream.share.loss(), 0);
}

TEST(FecShare, CongestionIsNotAnsweredWithMore) {
  const GroupedStream much = steady(FecShare::kMostLoss, 0);
  const GroupedStream congested = steady(0.5, 10);
  EXPECT_GT(much.overhead(), 0.25);
  EXPECT_LE(congested.overhead(), 1.02 * much.overhead());
  EXPECT_NEAR(congested.share.loss(), 0.5, 0.05);
}

TEST(FecShare, AGroupHasAtMostOneParityASymbol) {
  const GroupedStream stream = steady(0.1, 8);
  for (const int sources : {1, 2}) EXPECT_EQ(stream.share.parity_for(sources), sources);
  EXPECT_EQ(stream.share.parity_for(0), 0);
  EXPECT_LE(stream.share.parity_for(1000), static_cast<int>(kMaxGroupParity));
}

TEST(FecShare, OneOfTheFirstPacketsIsNoShareYet) {
  FecShare share;
  share.add(kSecondNs, {});
  share.add(kSecondNs + kFeedbackNs, {.packets_arrived = 4, .packets_lost = 1, .bursts = {1}});
  EXPECT_LE(share.loss(), 0.01);
  EXPECT_EQ(share.parity_for(kSources), 2);
}

TEST(FecShare, CountersThatGoBackBeginAnew) {
  FecShare share;
  share.add(kSecondNs, {.packets_arrived = 1000, .packets_lost = 1000});
  share.add(kSecondNs + kFeedbackNs, {.packets_arrived = 10, .packets_lost = 0});
  EXPECT_EQ(share.loss(), 0);
  share.add(kSecondNs + 2 * kFeedbackNs,
            {.packets_arrived = 2000, .packets_lost = 10, .bursts = {10}});
  EXPECT_NEAR(share.loss(), 0.005, 0.001);
}

TEST(FecShare, AnyCountersGiveAShare) {
  FecShare share;
  share.add(kSecondNs, {});
  share.add(kSecondNs, {.packets_arrived = UINT64_MAX, .packets_lost = UINT64_MAX});
  EXPECT_NEAR(share.loss(), 0.5, 0.01);
  EXPECT_EQ(share.parity_for(kSources), 27);
}

}  // namespace
}  // namespace sail
