#include "sail/server/read_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "sail/base/clock.h"

namespace server {
namespace {

constexpr size_t kBytes = 1000;

// Streams that always want more, of one storage that takes the same time for every read.
class Disk {
 public:
  void add(uint64_t stream, double bytes_per_s, bool best_effort) {
    order_.enter(stream, {bytes_per_s, best_effort});
    for (int read = 0; read < 4; ++read) order_.put(stream, ++ticket_, kBytes, now_ns_);
  }
  void run(int64_t time_ns, double bytes_per_s) {
    const auto read_ns =
        static_cast<int64_t>(static_cast<double>(kBytes) / bytes_per_s * sail::kSecondNs);
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
  int64_t now_ns_ = sail::kSecondNs;
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
  EXPECT_EQ(first->due_ns, sail::kSecondNs / 2);
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
  disk.run(10 * sail::kSecondNs, 1e6);
  EXPECT_EQ(disk.late, 0);
  // What is read within the lead is theirs, too.
  EXPECT_NEAR(disk.got[1], 3e5 * 11, 2 * kBytes);
  EXPECT_NEAR(disk.got[2], 2e5 * 11, 2 * kBytes);
  const double left = 1e6 * 10 - disk.got[1] - disk.got[2];
  for (uint64_t stream = 3; stream <= 6; ++stream) {
    EXPECT_NEAR(disk.got[stream] / (left * static_cast<double>(stream) / 18), 1, 0.01) << stream;
  }
}

// The film server's streams in simulated time: four pieces each, of which one goes to the client
// when it is the next and has come, and sixteen reads under way of a storage that gives 120 MB/s.
// 1.3 times that is wanted, 0.6 of it promised.
class Streams {
 public:
  static constexpr double kPeakBytesPerS = 120e6;

  void add(double bytes_per_s, size_t piece, int count, bool best_effort) {
    for (int i = 0; i < count; ++i) {
      const uint64_t number = streams_.size() + 1;
      streams_.push_back({.claim = {bytes_per_s, best_effort}, .piece = piece});
      order_.enter(number, streams_.back().claim);
      for (size_t place = 0; place < kPieces; ++place) ask(number);
    }
  }
  void run(int64_t time_ns) {
    for (const int64_t end_ns = now_ns_ + time_ns; now_ns_ < end_ns;) {
      while (under_way_.size() < 16) {
        const auto read = order_.take(now_ns_);
        if (!read) break;
        free_ns_ =
            std::max(free_ns_, now_ns_) + static_cast<int64_t>(static_cast<double>(read->bytes) /
                                                               kPeakBytesPerS * sail::kSecondNs);
        late += read->due_ns > 0 && free_ns_ > read->due_ns ? 1 : 0;
        under_way_.emplace_back(free_ns_, read->stream);
      }
      const auto [done_ns, number] = under_way_.front();
      under_way_.pop_front();
      now_ns_ = done_ns;
      order_.end(number);
      streams_[number - 1].got += static_cast<double>(streams_[number - 1].piece);
      ask(number);
    }
  }
  // By best-effort streams, of their rates: the least and the most since the last call.
  std::pair<double, double> shares(int64_t time_ns) {
    std::pair<double, double> shares{1, 0};
    for (Stream& stream : streams_) {
      const double wanted =
          stream.claim.bytes_per_s * static_cast<double>(time_ns) / sail::kSecondNs;
      const double share = std::exchange(stream.got, 0) / wanted;
      if (!stream.claim.best_effort) continue;
      shares = {std::min(shares.first, share), std::max(shares.second, share)};
    }
    return shares;
  }

  int late = 0;

 private:
  static constexpr size_t kPieces = 4;
  struct Stream {
    ReadClaim claim;
    size_t piece = 0;
    double got = 0;
  };

  void ask(uint64_t number) { order_.put(number, ++ticket_, streams_[number - 1].piece, now_ns_); }

  ReadOrder order_;
  std::vector<Stream> streams_;
  std::deque<std::pair<int64_t, uint64_t>> under_way_;  // when it is done, whose
  uint64_t ticket_ = 0;
  int64_t now_ns_ = sail::kSecondNs;
  int64_t free_ns_ = 0;
};

// Whatever their rates are: in a time in which each gets many pieces nobody has two pieces more
// than another.
TEST(ReadOrder, StreamsOfVeryDifferentRatesGetTheSameShare) {
  constexpr double kFast = 125e6 / 8;
  constexpr double kSlow = 1.5e6 / 8;
  constexpr size_t kSmallPiece = size_t{32} << 10;
  Streams streams;
  for (const bool best_effort : {false, true}) {
    streams.add(kFast, size_t{1} << 20, 2, best_effort);
    streams.add(1e6, size_t{128} << 10, best_effort ? 26 : 20, best_effort);
    streams.add(kSlow, kSmallPiece, best_effort ? 143 : 111, best_effort);
  }
  streams.run(2 * sail::kSecondNs);
  streams.shares(sail::kSecondNs);
  streams.late = 0;
  for (const int64_t seconds : {10, 60}) {
    streams.run(seconds * sail::kSecondNs);
    const auto [least, most] = streams.shares(seconds * sail::kSecondNs);
    EXPECT_LE(most - least, 2 * kSmallPiece / (kSlow * static_cast<double>(seconds))) << seconds;
    EXPECT_NEAR(most, 0.57, 0.02) << seconds;
  }
  EXPECT_EQ(streams.late, 0);
}

TEST(ReadOrder, WhatNobodyElseWantsIsLeftToDownloads) {
  Disk disk;
  disk.add(1, 1e5, false);
  disk.run(sail::kSecondNs, 1e6);
  EXPECT_NEAR(disk.got[1], 1e6, kBytes);
  // It has had enough for long: others come first until it is due again.
  disk.add(2, 1e5, true);
  disk.run(sail::kSecondNs, 1e6);
  EXPECT_NEAR(disk.got[2], 1e6, kBytes);
}

TEST(ReadOrder, WhoWasIdleHasSavedNothing) {
  Disk disk;
  disk.add(1, 1e5, true);
  disk.run(10 * sail::kSecondNs, 1e6);
  disk.got.clear();
  disk.add(2, 1e5, true);
  disk.run(sail::kSecondNs, 1e6);
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
