#include "ui/impair/packet_path.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <vector>

#include "sail/core/time/clock.h"
#include "tests/support/temp_folder.h"

namespace sail {
namespace {

using Outcome = PacketPath::Outcome;

constexpr int64_t kStart = 5'000'000'000'000;
constexpr int kPackets = 200'000;
constexpr int64_t kEvery = 12'000;  // a packet of 1500 bytes at 1 Gbit/s
constexpr size_t kBytes = 1472;

PacketPath path(std::string_view text) {
  return PacketPath(*parse_impairment(text));
}

std::vector<PacketPath::Passage> send(PacketPath& path, int packets = kPackets,
                                      int64_t every_ns = kEvery) {
  std::vector<PacketPath::Passage> all;
  for (int i = 0; i < packets; ++i) all.push_back(path.take(kStart + i * every_ns, kBytes));
  return all;
}

double share(const std::vector<PacketPath::Passage>& all, Outcome outcome) {
  const auto count = std::count_if(all.begin(), all.end(),
                                   [&](const auto& one) { return one.outcome == outcome; });
  return static_cast<double>(count) / static_cast<double>(all.size());
}

double mean_burst(const std::vector<PacketPath::Passage>& all) {
  int lost = 0;
  int bursts = 0;
  bool before = false;
  for (const auto& one : all) {
    const bool now = one.outcome == Outcome::kLost;
    lost += now ? 1 : 0;
    bursts += now && !before ? 1 : 0;
    before = now;
  }
  return static_cast<double>(lost) / bursts;
}

// Departure times of the packets that pass.
std::vector<int64_t> arrivals(const std::vector<PacketPath::Passage>& all) {
  std::vector<int64_t> times;
  for (const auto& one : all) {
    if (one.outcome == Outcome::kPasses) times.push_back(one.leaves_ns);
  }
  return times;
}

TEST(PacketPath, WithoutAnImpairmentPacketsPassAtOnce) {
  PacketPath nothing = path("none");
  const auto all = send(nothing, 1000);
  for (int i = 0; i < 1000; ++i) {
    const auto& one = all[static_cast<size_t>(i)];
    ASSERT_EQ(one.outcome, Outcome::kPasses);
    ASSERT_EQ(one.leaves_ns, kStart + i * kEvery);
    ASSERT_FALSE(one.twice || one.held_back);
  }
}

TEST(PacketPath, LosesTheShareInBurstsOfTheLength) {
  for (const double loss : {0.01, 0.05, 0.3}) {
    for (const double burst : {1.0, 4.0, 8.0, 32.0}) {
      Impairment impairment;
      impairment.loss = loss;
      impairment.burst = burst;
      PacketPath lossy(impairment);
      const auto all = send(lossy);
      // Independent losses also occur in a row.
      const double length = std::max(burst, 1 / (1 - loss));
      // Bursts are few, so their number varies by its square root.
      const double bursts = kPackets * loss / length;
      EXPECT_NEAR(share(all, Outcome::kLost), loss, loss * 6 / std::sqrt(bursts)) << burst;
      EXPECT_NEAR(mean_burst(all), length, length * 6 / std::sqrt(bursts)) << loss;
    }
  }
}

TEST(PacketPath, AllIsLostOrNothing) {
  PacketPath broken = path("loss=100%,burst=8");
  EXPECT_EQ(share(send(broken, 1000), Outcome::kLost), 1);
  PacketPath sound = path("loss=0,burst=8");
  EXPECT_EQ(share(send(sound, 1000), Outcome::kLost), 0);
}

TEST(PacketPath, TheSeedDecides) {
  const auto fates = [](std::string_view text) {
    PacketPath lossy = path(text);
    std::vector<bool> lost;
    for (const auto& one : send(lossy, 2000)) lost.push_back(one.outcome == Outcome::kLost);
    return lost;
  };
  EXPECT_EQ(fates("loss=5%,seed=3"), fates("loss=5%,seed=3"));
  EXPECT_EQ(fates("loss=5%,seed=3"), fates("loss=5%,seed=3,delay=5ms,jitter=1ms,duplicate=3%"));
  EXPECT_NE(fates("loss=5%,seed=3"), fates("loss=5%,seed=4"));
}

TEST(PacketPath, DelaysAndWandersAroundTheDelayInOrder) {
  PacketPath wandering = path("delay=20ms,jitter=5ms");
  const auto all = send(wandering);
  const auto times = arrivals(all);
  EXPECT_TRUE(std::is_sorted(times.begin(), times.end()));
  std::vector<double> delays;
  for (int i = 0; i < kPackets; ++i) {
    delays.push_back(static_cast<double>(times[static_cast<size_t>(i)] - kStart - i * kEvery) /
                     kMillisecondNs);
  }
  const auto [least, most] = std::minmax_element(delays.begin(), delays.end());
  EXPECT_GE(*least, 15);
  EXPECT_LE(*most, 25);
  EXPECT_LT(*least, 17) << "it wanders through most of what is allowed";
  EXPECT_GT(*most, 23);
  for (size_t i = 1; i < times.size(); ++i) {
    ASSERT_GE(times[i] - times[i - 1], kEvery / 2 - 1) << "at most twice as fast as they went";
  }
}

TEST(PacketPath, JitterBeyondTheDelayDoesNotGoBackInTime) {
  PacketPath wandering = path("jitter=5ms");
  const auto times = arrivals(send(wandering, 20000));
  for (size_t i = 0; i < times.size(); ++i) {
    ASSERT_GE(times[i], kStart + static_cast<int64_t>(i) * kEvery);
  }
}

TEST(PacketPath, HoldsBackTheShareAndThoseBehindOvertake) {
  PacketPath reordering = path("delay=5ms,reorder=2%");
  const auto all = send(reordering);
  int held = 0;
  int overtaken = 0;
  int64_t newest = 0;
  for (size_t i = 0; i + 1 < all.size(); ++i) {
    if (all[i].held_back) {
      ++held;
      overtaken += all[i].leaves_ns > all[i + 1].leaves_ns ? 1 : 0;
      ASSERT_LE(all[i].leaves_ns - kStart - static_cast<int64_t>(i) * kEvery, 7 * kMillisecondNs);
      continue;
    }
    ASSERT_GE(all[i].leaves_ns, newest) << "the others keep their order";
    newest = all[i].leaves_ns;
  }
  EXPECT_NEAR(held, kPackets * 0.02, kPackets * 0.002);
  EXPECT_GT(overtaken, held * 0.9);
}

TEST(PacketPath, DoublesTheShare) {
  PacketPath doubling = path("duplicate=1%");
  const auto all = send(doubling);
  const auto twice =
      std::count_if(all.begin(), all.end(), [](const auto& one) { return one.twice; });
  EXPECT_NEAR(static_cast<double>(twice), kPackets * 0.01, kPackets * 0.001);
}

TEST(PacketPath, ARateSpreadsPacketsAndDropsWhatItsQueueDoesNotHold) {
  // Twice the capacity arrives.
  PacketPath narrow = path("rate=500mbit,queue=20ms,delay=5ms");
  const auto all = send(narrow);
  EXPECT_NEAR(share(all, Outcome::kQueueFull), 0.5, 0.02);
  const auto times = arrivals(all);
  for (size_t i = 1; i < times.size(); ++i) {
    ASSERT_NEAR(static_cast<double>(times[i] - times[i - 1]), 24000,
                1);  // 1500 bytes, the headers too
  }
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i].outcome != Outcome::kPasses) continue;
    ASSERT_LE(all[i].leaves_ns - kStart - static_cast<int64_t>(i) * kEvery,
              25 * kMillisecondNs + 24000 + 1)
        << "the queue's time and the delay";
  }
}

TEST(PacketPath, ALimitThatEndsLetsGoInOrder) {
  PacketPath narrow = path("rate=100mbit,queue=50ms");
  const int64_t last = send(narrow, 10000).back().leaves_ns;
  const int64_t now = kStart + 10000 * kEvery;
  narrow.set(*parse_impairment("none"));
  EXPECT_FALSE(narrow.queue_full(now + 60 * kMillisecondNs));
  int64_t before = last;
  for (int i = 0; i < 100; ++i) {
    const auto passage = narrow.take(now + i * kMillisecondNs, kBytes);
    ASSERT_EQ(passage.outcome, Outcome::kPasses);
    ASSERT_GE(passage.leaves_ns, before);
    before = passage.leaves_ns;
  }
  EXPECT_EQ(before, now + 99 * kMillisecondNs);
}

TEST(PacketPath, AStreamLosesNothingAndWaitsForWhatIsSentAgain) {
  PacketPath lossy = path("loss=10%,delay=10ms");
  int64_t order = 0;
  int again = 0;
  constexpr int kPieces = 20000;
  double least_late = 1e9;
  double most_late = 0;
  for (int i = 0; i < kPieces; ++i) {
    const int64_t now = kStart + i * 300 * kMillisecondNs;  // far enough apart to be independent
    const auto passage = lossy.take_stream(now, 1448, order);
    const double late = static_cast<double>(passage.leaves_ns - now) / kMillisecondNs - 10;
    if (passage.sent_again) {
      ++again;
      least_late = std::min(least_late, late);
      most_late = std::max(most_late, late);
    } else {
      ASSERT_EQ(late, 0);
    }
    order = passage.leaves_ns;
  }
  EXPECT_NEAR(again, kPieces * 0.1, kPieces * 0.02);
  EXPECT_EQ(least_late, 20) << "a round trip";
  EXPECT_EQ(most_late, 220) << "and the timeout";

  // A packet sent right afterwards does not overtake.
  PacketPath always = path("loss=50%,delay=10ms");
  order = 0;
  for (int i = 0; i < 1000; ++i) {
    const auto passage = always.take_stream(kStart + i * kMillisecondNs, 5000, order);
    ASSERT_GE(passage.leaves_ns, order);
    order = passage.leaves_ns;
  }
}

TEST(PacketPath, AStreamGoesInPiecesThatTheRateCarriesSoon) {
  EXPECT_EQ(path("none").piece_bytes(), 65536U);
  EXPECT_EQ(path("rate=80mbit").piece_bytes(), 20000U);
  EXPECT_EQ(path("rate=64kbit").piece_bytes(), 1448U);
}

TEST(TrafficLog, CountsEachMillisecondFromTheFirst) {
  const TempFolder folder;
  const std::string path = folder.file("traffic.csv");
  {
    auto log = TrafficLog::open(path);
    ASSERT_TRUE(log) << log.error().message;
    constexpr int64_t kBegin = 77'123'456'789;
    (*log)->add(kBegin, 100);
    (*log)->add(kBegin + 999'999, 200);
    (*log)->add(kBegin + 1'000'000, 5);
    (*log)->add(kBegin + 500'000, 6);  // late: added to the newest interval
    (*log)->add(kBegin + 12'500'000, 1400);
  }
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_EQ(text.str(), "ms,bytes,packets\n0,300,2\n1,11,2\n12,1400,1\n");
}

TEST(TrafficLog, SaysWhereItCannotWrite) {
  const auto log = TrafficLog::open("/no/such/folder/traffic.csv");
  ASSERT_FALSE(log);
  EXPECT_EQ(log.error().code, ErrorCode::kIo);
  EXPECT_NE(log.error().message.find("/no/such/folder/traffic.csv"), std::string::npos);
}

}  // namespace

}  // namespace sail
