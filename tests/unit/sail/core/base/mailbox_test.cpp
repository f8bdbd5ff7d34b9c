#include "sail/core/base/mailbox.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

namespace sail {
namespace {

using namespace std::chrono_literals;

TEST(Mailbox, GivesItemsInOrder) {
  Mailbox<int> box(3);
  for (int i = 1; i <= 3; ++i) EXPECT_EQ(box.push(i), std::nullopt);
  for (int i = 1; i <= 3; ++i) EXPECT_EQ(box.pop(), i);
  EXPECT_EQ(box.pop(), std::nullopt);
}

TEST(Mailbox, HandsBackTheOldestWhenFull) {
  Mailbox<int> box(2);
  box.push(1);
  box.push(2);
  EXPECT_EQ(box.push(3), 1);
  EXPECT_EQ(box.push(4), 2);
  EXPECT_EQ(box.pop(), 3);
  EXPECT_EQ(box.pop(), 4);
}

TEST(Mailbox, CarriesWhatCanOnlyMove) {
  Mailbox<std::unique_ptr<int>> box(1);
  box.push(std::make_unique<int>(7));
  const auto dropped = box.push(std::make_unique<int>(8));
  ASSERT_TRUE(dropped);
  EXPECT_EQ(**dropped, 7);
  EXPECT_EQ(**box.pop(), 8);
}

TEST(Mailbox, PopWaitsForAnItem) {
  Mailbox<int> box(1);
  std::thread pusher([&] { box.push(5); });
  EXPECT_EQ(box.pop(30s), 5);
  pusher.join();
}

TEST(Mailbox, PopGivesUpAfterItsTime) {
  Mailbox<int> box(1);
  EXPECT_EQ(box.pop(1ms), std::nullopt);
}

// Each item comes out once: popped, or returned as dropped.
TEST(Mailbox, LosesNothingBetweenThreads) {
  constexpr int kPushers = 3;
  constexpr int kItems = 2000;
  Mailbox<int> box(16);
  std::vector<std::atomic<int>> seen(kPushers * kItems);
  std::atomic<int> left = kPushers * kItems;
  const auto count = [&](int item) {
    ++seen[static_cast<size_t>(item)];
    --left;
  };
  std::vector<std::thread> threads;
  for (int pusher = 0; pusher < kPushers; ++pusher) {
    threads.emplace_back([&, pusher] {
      for (int i = 0; i < kItems; ++i) {
        if (const auto dropped = box.push(pusher * kItems + i)) count(*dropped);
      }
    });
  }
  for (int popper = 0; popper < 2; ++popper) {
    threads.emplace_back([&] {
      while (left > 0) {
        if (const auto item = box.pop(1ms)) count(*item);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& times : seen) ASSERT_EQ(times, 1);
}

}  // namespace
}  // namespace sail
