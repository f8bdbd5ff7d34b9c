#include "sail/server/read_order.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

namespace server {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr size_t kBytes = 1000;

// Streams that always want more, of one storage that takes the same time for every read.
class Disk {
 public:
  void add(uint64_t stream, double bytes_per_s, bool best_effort) {
    order_.enter(stream, {bytes_per_s, best_effort});
    for (int read = 0; read < 4; ++read) order_.put(stream, ++ticket_, kBytes, now_ns_);
  }
  void run(int64_t time_ns, double bytes_per_s) {
    const auto read_ns = static_cast<int64_t>(static_cast<double>(kBytes) / bytes_per_s * kSecond);
    for (const int64_t end_ns = now_ns_ + time_ns; now_ns_ < end_ns; now_ns_ += read_ns) {
      const auto read = order_.take(now_ns_);
      ASSERT_TRUE(read);
      got[read->stream] += static_cast<double>(read->bytes);
      late += read->due_ns > 0 && now_ns_ + read_ns > read->due_ns ? 1 : 0;
      order_.put(read->stream, ++ticket_, kBytes, now_ns_);
    }
  }
  ReadOrder& order() { return order_; }

  std::map<uint64_t, double> got;  // bytes
  int late = 0;

 private:
  ReadOrder order_;
  uint64_t ticket_ = 0;
  int64_t now_ns_ = kSecond;
};

TEST(ReadOrder, TheEarliestDeadlineGoesFirst) {
  ReadOrder order;
  order.enter(1, {1e3, false});
  order.enter(2, {2e3, false});
  order.put(1, 10, 1000, 0);  // lasts 1 s
  order.put(2, 20, 1000, 0);  // half of that
  order.put(2, 21, 3000, 0);  // with these, 2 s
  const auto first = order.take(0);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->ticket, 20U);
  EXPECT_EQ(first->due_ns, kSecond / 2);
  EXPECT_EQ(order.take(0)->ticket, 10U);
  EXPECT_EQ(order.take(0)->ticket, 21U);
  EXPECT_FALSE(order.take(0));
}

TEST(ReadOrder, PromisedStreamsGetTheirRatesAndBestEffortSharesTheRestEvenly) {
  Disk disk;
  disk.add(1, 3e5, false);
  disk.add(2, 2e5, false);
  for (uint64_t stream = 3; stream <= 6; ++stream)
    disk.add(stream, 1e5 * static_cast<double>(stream), true);
  disk.run(10 * kSecond, 1e6);
  EXPECT_EQ(disk.late, 0);
  // What is read within the lead is theirs, too.
  EXPECT_NEAR(disk.got[1], 3e5 * 11, 2 * kBytes);
  EXPECT_NEAR(disk.got[2], 2e5 * 11, 2 * kBytes);
  const double left = 1e6 * 10 - disk.got[1] - disk.got[2];
  for (uint64_t stream = 3; stream <= 6; ++stream) {
    EXPECT_NEAR(disk.got[stream] / (left * static_cast<double>(stream) / 18), 1, 0.01) << stream;
  }
}

TEST(ReadOrder, WhatNobodyElseWantsIsLeftToDownloads) {
  Disk disk;
  disk.add(1, 1e5, false);
  disk.run(kSecond, 1e6);
  EXPECT_NEAR(disk.got[1], 1e6, kBytes);
  // It has had enough for long: others come first until it is due again.
  disk.add(2, 1e5, true);
  disk.run(kSecond, 1e6);
  EXPECT_NEAR(disk.got[2], 1e6, kBytes);
}

TEST(ReadOrder, WhoWasIdleHasSavedNothing) {
  Disk disk;
  disk.add(1, 1e5, true);
  disk.run(10 * kSecond, 1e6);
  disk.got.clear();
  disk.add(2, 1e5, true);
  disk.run(kSecond, 1e6);
  EXPECT_NEAR(disk.got[1], disk.got[2], 2 * kBytes);
}

TEST(ReadOrder, AnotherClaimOrdersWhatWaitsAnew) {
  ReadOrder order;
  order.enter(1, {1e5, true});
  order.enter(2, {1e5, true});
  order.put(1, 10, kBytes, 0);
  order.put(2, 20, kBytes, 0);
  order.claim(2, {1e5, false}, 0);
  EXPECT_EQ(order.take(0)->ticket, 20U);
  EXPECT_EQ(order.take(0)->ticket, 10U);
}

TEST(ReadOrder, UnwantedReadsGo) {
  ReadOrder order;
  order.enter(1, {1e5, false});
  for (uint64_t ticket = 1; ticket <= 4; ++ticket) order.put(1, ticket, kBytes, 0);
  EXPECT_EQ(order.drop(1, [](uint64_t ticket) { return ticket % 2 == 1; }),
            (std::vector<uint64_t>{1, 3}));
  EXPECT_EQ(order.waiting(), 2U);
  EXPECT_EQ(order.take(0)->ticket, 2U);
  EXPECT_EQ(order.take(0)->ticket, 4U);
  EXPECT_FALSE(order.take(0));
  order.leave(1);
}

// Two storages, whose streams have one clock.
TEST(ReadOrder, WhoGetsLittleFromOneStorageIsFirstAtTheOther) {
  const auto clock = std::make_shared<ReadClock>();
  ReadOrder one(clock);
  ReadOrder other(clock);
  for (ReadOrder* order : {&one, &other}) {
    order->enter(1, {1e5, true});
    order->enter(2, {1e5, true});
  }
  for (uint64_t ticket = 1; ticket <= 8; ++ticket) one.put(1, ticket, kBytes, 0);
  for (int read = 0; read < 8; ++read) {
    EXPECT_EQ(one.take(0)->stream, 1U);
    one.end(1);
  }
  one.put(1, 9, kBytes, 0);
  other.put(1, 1, kBytes, 0);
  other.put(2, 2, kBytes, 0);
  EXPECT_EQ(other.take(0)->stream, 2U) << "it had nothing yet";
  EXPECT_EQ(other.take(0)->stream, 1U);
}

TEST(ReadOrder, WhoAlwaysWantsMoreIsNotForgottenWhileItWaits) {
  ReadOrder order;
  order.enter(1, {1e5, true});
  order.enter(2, {1e5, true});
  order.put(1, 1, kBytes, 0);  // is under way for long
  EXPECT_EQ(order.take(0)->stream, 1U);
  for (uint64_t ticket = 2; ticket <= 20; ++ticket) {
    order.put(2, ticket, kBytes, 0);
    EXPECT_EQ(order.take(0)->stream, 2U);
    order.end(2);
  }
  order.put(2, 21, kBytes, 0);
  for (uint64_t ticket = 22; ticket <= 24; ++ticket) order.put(1, ticket, kBytes, 0);
  order.put(2, 25, kBytes, 0);
  for (int read = 0; read < 3; ++read) EXPECT_EQ(order.take(0)->stream, 1U);
}

}  // namespace
}  // namespace server
