// Fair sharing among many peers: connection quota and loop time.
#include <gtest/gtest.h>

#include <functional>

#include "sail/core/socket/fair_shares.h"
#include "sail/core/time/clock.h"
#include "tests/support/loop_test.h"

namespace sail {
namespace {

TEST(ConnectionQuota, TheOldestOfTheLargestNetworkMakesRoom) {
  ConnectionQuota places(4);
  places.enter(1, "a");
  places.enter(2, "b");
  places.enter(3, "b");
  EXPECT_FALSE(places.full());
  places.enter(4, "c");
  EXPECT_TRUE(places.full());
  EXPECT_EQ(places.next_to_go(), 2U);
  places.leave(2);
  EXPECT_EQ(places.taken(), 3U);
  places.enter(5, "b");
  EXPECT_EQ(places.next_to_go(), 3U);
  places.leave(17);  // never entered
  places.leave(3);
  places.leave(5);
  places.enter(6, "c");
  EXPECT_EQ(places.next_to_go(), 4U);
}

TEST(ConnectionQuota, OneNetworkCrowdsOutItselfOnly) {
  ConnectionQuota places(8);
  places.enter(0, "quiet");
  for (uint64_t id = 1; id < 1000; ++id) {
    if (places.full()) {
      const uint64_t gone = places.next_to_go();
      EXPECT_NE(gone, 0U);
      EXPECT_EQ(gone, id - 7);
      places.leave(gone);
    }
    places.enter(id, "loud");
  }
}

TEST(TimeShare, WhatIsSpentBeyondTheBurstIsWaitedFor) {
  TimeShare share(0.25, 1000);
  EXPECT_EQ(share.wait_ns(0), 0);
  share.spend(1000, 10);
  EXPECT_EQ(share.wait_ns(10), 0);
  share.spend(100, 10);
  const int64_t wait_ns = share.wait_ns(10);
  EXPECT_NEAR(static_cast<double>(wait_ns), 400, 2);
  EXPECT_EQ(share.wait_ns(10 + wait_ns), 0);
  // An idle time pays off the whole debt, but gives no credit.
  share.spend(1000, 1'000'000);
  EXPECT_EQ(share.wait_ns(1'000'000), 0);
  share.spend(100, 1'000'000);
  EXPECT_GT(share.wait_ns(1'000'000), 0);
}

class Worker : public FairScheduler::Member {
 public:
  Worker(std::string name, std::string& diary, PeerRank rank, int jobs)
      : rank_after(rank), name_(std::move(name)), diary_(diary), rank_(rank), jobs_(jobs) {}
  bool take_turn() override {
    diary_ += name_;
    const int64_t end_ns = steady_now_ns() + job_ns;
    while (steady_now_ns() < end_ns) {
    }
    rank_ = rank_after;
    return --jobs_ > 0;
  }
  PeerRank rank() const override { return rank_; }
  int64_t job_ns = 0;
  PeerRank rank_after;

 private:
  std::string name_;
  std::string& diary_;
  PeerRank rank_;
  int jobs_;
};

class FairSchedulerTest : public testing::Test {
 protected:
  std::shared_ptr<Worker> ask(const char* name, PeerRank rank, int jobs, int64_t job_ns = 0) {
    auto worker = std::make_shared<Worker>(name, diary_, rank, jobs);
    worker->job_ns = job_ns;
    turns_->ask(worker);
    return worker;
  }
  void run_to(size_t jobs) {
    EXPECT_TRUE(run_until(loop_, [&] { return diary_.size() >= jobs; }));
  }

  Loop loop_;
  std::shared_ptr<FairScheduler> turns_ = std::make_shared<FairScheduler>(loop_);
  std::string diary_;
};

TEST_F(FairSchedulerTest, EqualsTakeTurnsAndReceiversAreFirst) {
  const auto ui = ask("u", PeerRank::kOther, 3);
  ask("v", PeerRank::kOther, 2);
  ask("a", PeerRank::kApplication, 2);
  ask("r", PeerRank::kReceiver, 2);
  turns_->ask(ui);  // already waiting
  EXPECT_EQ(diary_, "") << "a turn came inside ask()";
  run_to(9);
  run_some(loop_);
  EXPECT_EQ(diary_, "rraauvuvu");
}

TEST_F(FairSchedulerTest, WhoIsOfAnotherRankAfterATurnWaitsThere) {
  const auto late = ask("l", PeerRank::kApplication, 3);
  late->rank_after = PeerRank::kOther;
  ask("u", PeerRank::kOther, 2);
  run_to(5);
  EXPECT_EQ(diary_, "lulul");
}

TEST_F(FairSchedulerTest, TheLoopDoesOtherThingsBetweenTurns) {
  ask("u", PeerRank::kOther, 20, 2 * kMillisecondNs);
  bool asked = false;
  Timer receiver(loop_);
  receiver.start(5, 0, [&] {
    asked = true;
    ask("r", PeerRank::kReceiver, 1);
  });
  run_to(21);
  EXPECT_TRUE(asked);
  EXPECT_NE(diary_.back(), 'r') << "it waited for all that others wanted";
}

TEST_F(FairSchedulerTest, WhoWantsTooMuchWaitsAndTheOthersDoNot) {
  constexpr int64_t kLong = FairScheduler::kBurstNs + 20'000'000;
  ask("g", PeerRank::kApplication, 2, kLong);
  ask("m", PeerRank::kApplication, 5);
  run_to(7);
  EXPECT_EQ(diary_, "gmmmmmg");
}

TEST_F(FairSchedulerTest, ATurnMayEndAll) {
  class Ender : public FairScheduler::Member {
   public:
    explicit Ender(std::function<void()> end) : end_(std::move(end)) {}
    bool take_turn() override {
      end_();
      return true;
    }
    PeerRank rank() const override { return PeerRank::kOther; }

   private:
    std::function<void()> end_;
  };
  int turns = 0;
  std::weak_ptr<FairScheduler> gone = turns_;
  turns_->ask(std::make_shared<Ender>([&] {
    ++turns;
    turns_.reset();
  }));
  EXPECT_TRUE(run_until(loop_, [&] { return gone.expired(); }));
  EXPECT_GE(turns, 1);
}

}  // namespace
}  // namespace sail
