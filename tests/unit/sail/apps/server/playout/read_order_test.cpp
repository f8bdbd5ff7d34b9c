#include "sail/apps/server/playout/read_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "sail/core/time/clock.h"

namespace server {
namespace {

constexpr size_t kReadBytes = 1000;

// Streams that always want more, on a storage where every read takes the same time.
class SharedDisk {
 public:
  void add(uint64_t stream, double bytes_per_s, bool best_effort) {
    order_.enter(stream, {bytes_per_s, best_effort});
    for (int read = 0; read < 4; ++read) order_.put(stream, ++ticket_, kReadBytes, now_ns_);
  }
  void run(int64_t time_ns, double bytes_per_s) {
    const auto read_ns =
        static_cast<int64_t>(static_cast<double>(kReadBytes) / bytes_per_s * sail::kSecondNs);
    for (const int64_t end_ns = now_ns_ + time_ns; now_ns_ < end_ns; now_ns_ += read_ns) {
      const auto read = order_.take(now_ns_);
      ASSERT_TRUE(read);
      got[read->stream] += static_cast<double>(read->bytes);
      late += read->due_ns > 0 && now_ns_ + read_ns > read->due_ns ? 1 : 0;
      order_.put(read->stream, ++ticket_, kReadBytes, now_ns_);
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
  order.put(1, 10, 1000, 0);  // 1 s at its rate
  order.put(2, 20, 1000, 0);  // half a second
  order.put(2, 21, 3000, 0);  // 2 s together
  const auto first = order.take(0);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->ticket, 20U);
  EXPECT_EQ(first->due_ns, sail::kSecondNs / 2);
  EXPECT_EQ(order.take(0)->ticket, 10U);
  EXPECT_EQ(order.take(0)->ticket, 21U);
  EXPECT_FALSE(order.take(0));
}

TEST(ReadOrder, PromisedStreamsGetTheirRatesAndBestEffortSharesTheRestEvenly) {
  SharedDisk disk;
  disk.add(1, 3e5, false);
  disk.add(2, 2e5, false);
  for (uint64_t stream = 3; stream <= 6; ++stream)
    disk.add(stream, 1e5 * static_cast<double>(stream), true);
  disk.run(10 * sail::kSecondNs, 1e6);
  EXPECT_EQ(disk.late, 0);
  // The reads within the lead time count for them, too.
  EXPECT_NEAR(disk.got[1], 3e5 * 11, 2 * kReadBytes);
  EXPECT_NEAR(disk.got[2], 2e5 * 11, 2 * kReadBytes);
  const double left = 1e6 * 10 - disk.got[1] - disk.got[2];
  for (uint64_t stream = 3; stream <= 6; ++stream) {
    EXPECT_NEAR(disk.got[stream] / (left * static_cast<double>(stream) / 18), 1, 0.01) << stream;
  }
}

// Simulates the film server's streams: each requests four pieces, and sends a piece to the client
// when it is the next one and has arrived. A film striped over several storages by units of 1 MiB
// may have a piece on two of them. Each storage gives 120 MB/s and has few reads in progress.
class Streams {
 public:
  static constexpr double kPeakBytesPerS = 120e6;

  explicit Streams(size_t disks = 1) {
    const auto clock = std::make_shared<ReadClock>();
    for (size_t i = 0; i < disks; ++i) disks_.emplace_back(clock);
  }
  void add(double bytes_per_s, size_t piece, int count, bool best_effort) {
    for (int i = 0; i < count; ++i) {
      const uint64_t number = streams_.size() + 1;
      // At different offsets, so that they do not all read the same storage.
      streams_.push_back({.claim = {bytes_per_s, best_effort},
                          .piece_bytes = piece,
                          .offset = streams_.size() * 150'001});
      for (Disk& disk : disks_) disk.order.enter(number, streams_.back().claim);
      for (size_t place = 0; place < kPieces; ++place) ask(number);
    }
  }
  void run(int64_t time_ns) {
    for (const int64_t end_ns = now_ns_ + time_ns; now_ns_ < end_ns;) {
      for (Disk& disk : disks_) begin_reads(disk);
      Disk& next = *std::ranges::min_element(disks_, {}, [](const Disk& disk) {
        return disk.under_way.empty() ? INT64_MAX : disk.under_way.front().done_ns;
      });
      const Read read = next.under_way.front();
      next.under_way.pop_front();
      next.under_way_bytes -= read.bytes;
      now_ns_ = read.done_ns;
      next.order.end(read.part.stream);
      --streams_[read.part.stream - 1].parts_left[read.part.piece];
      hand_over(read.part.stream);
    }
  }
  // Minimum and maximum share of their rates that best-effort streams got since the last call.
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
  static constexpr uint64_t kUnitBytes = uint64_t{1} << 20;
  static constexpr size_t kMostUnderWay = 16;
  static constexpr size_t kMostBytesUnderWay = size_t{12} << 20;

  struct Stream {
    ReadClaim claim;
    size_t piece_bytes = 0;
    uint64_t offset = 0;
    uint64_t asked = 0;
    uint64_t had = 0;                         // pieces, in order
    std::map<uint64_t, size_t> parts_left{};  // by piece
    double got = 0;
  };
  struct Part {
    uint64_t stream = 0;
    uint64_t piece = 0;
  };
  struct Read {
    int64_t done_ns = 0;
    size_t bytes = 0;
    Part part;
  };
  struct Disk {
    explicit Disk(std::shared_ptr<ReadClock> clock) : order(std::move(clock)) {}

    ReadOrder order;
    std::deque<Read> under_way{};
    size_t under_way_bytes = 0;
    int64_t free_ns = 0;
  };

  void ask(uint64_t number) {
    Stream& stream = streams_[number - 1];
    const uint64_t end = stream.offset + stream.piece_bytes;
    while (stream.offset < end) {
      const uint64_t unit = stream.offset / kUnitBytes;
      const size_t bytes = std::min(end, (unit + 1) * kUnitBytes) - stream.offset;
      disks_[unit % disks_.size()].order.put(number, ++ticket_, bytes, now_ns_);
      parts_[ticket_] = {number, stream.asked};
      ++stream.parts_left[stream.asked];
      stream.offset += bytes;
    }
    ++stream.asked;
  }
  void begin_reads(Disk& disk) {
    while (disk.under_way.size() < kMostUnderWay && disk.under_way_bytes < kMostBytesUnderWay) {
      const auto read = disk.order.take(now_ns_);
      if (!read) return;
      disk.free_ns =
          std::max(disk.free_ns, now_ns_) +
          static_cast<int64_t>(static_cast<double>(read->bytes) / kPeakBytesPerS * sail::kSecondNs);
      late += read->due_ns > 0 && disk.free_ns > read->due_ns ? 1 : 0;
      disk.under_way.push_back({disk.free_ns, read->bytes, parts_.extract(read->ticket).mapped()});
      disk.under_way_bytes += read->bytes;
    }
  }
  void hand_over(uint64_t number) {
    Stream& stream = streams_[number - 1];
    while (stream.parts_left.at(stream.had) == 0) {
      stream.parts_left.erase(stream.had++);
      stream.got += static_cast<double>(stream.piece_bytes);
      ask(number);
    }
  }

  std::vector<Disk> disks_;
  std::vector<Stream> streams_;
  std::map<uint64_t, Part> parts_;  // waiting, by ticket
  uint64_t ticket_ = 0;
  int64_t now_ns_ = sail::kSecondNs;
};

constexpr double kFast = 125e6 / 8;
constexpr double kMiddle = 1e6;
constexpr double kSlow = 1.5e6 / 8;
constexpr size_t kLargePiece = size_t{1} << 20;
constexpr size_t kMiddlePiece = size_t{128} << 10;
constexpr size_t kSmallPiece = size_t{32} << 10;

// 1.3 times the capacity is wanted, 0.6 of it reserved. Over a time with many pieces for each, no
// stream gets two pieces more than its share, whatever the rates.
TEST(ReadOrder, StreamsOfVeryDifferentRatesGetTheSameShare) {
  Streams streams;
  for (const bool best_effort : {false, true}) {
    streams.add(kFast, kLargePiece, 2, best_effort);
    streams.add(kMiddle, kMiddlePiece, best_effort ? 26 : 20, best_effort);
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

// All streams are best effort and want 1.3 times the capacity. A piece on two storages waits for
// both, so streams differ by at most three pieces, however long it runs. In 10 s that is 7 % of the
// slowest stream's bytes.
TEST(ReadOrder, StreamsOfSeveralStoragesGetTheSameShare) {
  for (const int disks : {2, 3}) {
    Streams streams(static_cast<size_t>(disks));
    streams.add(kFast, kLargePiece, 3 * disks, true);
    streams.add(kMiddle, kMiddlePiece, 52 * disks, true);
    streams.add(kSlow, kSmallPiece, 277 * disks, true);
    streams.run(8 * sail::kSecondNs);
    streams.shares(sail::kSecondNs);
    for (const int64_t seconds : {10, 10, 60}) {
      streams.run(seconds * sail::kSecondNs);
      const auto [least, most] = streams.shares(seconds * sail::kSecondNs);
      EXPECT_LE(most - least, 3 * kSmallPiece / (kSlow * static_cast<double>(seconds)) + 1e-9)
          << seconds << " s, " << disks;
      EXPECT_NEAR(most, 0.79, 0.04) << seconds;
    }
  }
}

TEST(ReadOrder, WhatNobodyElseWantsIsLeftToDownloads) {
  SharedDisk disk;
  disk.add(1, 1e5, false);
  disk.run(sail::kSecondNs, 1e6);
  EXPECT_NEAR(disk.got[1], 1e6, kReadBytes);
  // It had more than its share: others come first until it is due again.
  disk.add(2, 1e5, true);
  disk.run(sail::kSecondNs, 1e6);
  EXPECT_NEAR(disk.got[2], 1e6, kReadBytes);
}

TEST(ReadOrder, WhoWasIdleHasSavedNothing) {
  SharedDisk disk;
  disk.add(1, 1e5, true);
  disk.run(10 * sail::kSecondNs, 1e6);
  disk.got.clear();
  disk.add(2, 1e5, true);
  disk.run(sail::kSecondNs, 1e6);
  EXPECT_NEAR(disk.got[1], disk.got[2], 2 * kReadBytes);
}

TEST(ReadOrder, AnotherClaimOrdersWhatWaitsAnew) {
  ReadOrder order;
  order.enter(1, {1e5, true});
  order.enter(2, {1e5, true});
  order.put(1, 10, kReadBytes, 0);
  order.put(2, 20, kReadBytes, 0);
  order.claim(2, {1e5, false}, 0);
  EXPECT_EQ(order.take(0)->ticket, 20U);
  EXPECT_EQ(order.take(0)->ticket, 10U);
}

TEST(ReadOrder, UnwantedReadsGo) {
  ReadOrder order;
  order.enter(1, {1e5, false});
  for (uint64_t ticket = 1; ticket <= 4; ++ticket) order.put(1, ticket, kReadBytes, 0);
  EXPECT_EQ(order.drop(1, [](uint64_t ticket) { return ticket % 2 == 1; }),
            (std::vector<uint64_t>{1, 3}));
  EXPECT_EQ(order.waiting(), 2U);
  EXPECT_EQ(order.take(0)->ticket, 2U);
  EXPECT_EQ(order.take(0)->ticket, 4U);
  EXPECT_FALSE(order.take(0));
  order.leave(1);
}

// Two storages whose streams share a clock.
TEST(ReadOrder, WhoGetsLittleFromOneStorageIsFirstAtTheOther) {
  const auto clock = std::make_shared<ReadClock>();
  ReadOrder one(clock);
  ReadOrder other(clock);
  for (ReadOrder* order : {&one, &other}) {
    order->enter(1, {1e5, true});
    order->enter(2, {1e5, true});
  }
  for (uint64_t ticket = 1; ticket <= 8; ++ticket) one.put(1, ticket, kReadBytes, 0);
  for (int read = 0; read < 8; ++read) {
    EXPECT_EQ(one.take(0)->stream, 1U);
    one.end(1);
  }
  one.put(1, 9, kReadBytes, 0);
  other.put(1, 1, kReadBytes, 0);
  other.put(2, 2, kReadBytes, 0);
  EXPECT_EQ(other.take(0)->stream, 2U) << "it had nothing yet";
  EXPECT_EQ(other.take(0)->stream, 1U);
}

TEST(ReadOrder, WhoAlwaysWantsMoreIsNotForgottenWhileItWaits) {
  ReadOrder order;
  order.enter(1, {1e5, true});
  order.enter(2, {1e5, true});
  order.put(1, 1, kReadBytes, 0);  // in progress for a long time
  EXPECT_EQ(order.take(0)->stream, 1U);
  for (uint64_t ticket = 2; ticket <= 20; ++ticket) {
    order.put(2, ticket, kReadBytes, 0);
    EXPECT_EQ(order.take(0)->stream, 2U);
    order.end(2);
  }
  order.put(2, 21, kReadBytes, 0);
  for (uint64_t ticket = 22; ticket <= 24; ++ticket) order.put(1, ticket, kReadBytes, 0);
  order.put(2, 25, kReadBytes, 0);
  for (int read = 0; read < 3; ++read) EXPECT_EQ(order.take(0)->stream, 1U);
}

}  // namespace
}  // namespace server
