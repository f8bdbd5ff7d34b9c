#include "sail/client/transport/packet_pacer.h"
#include "sail/core/time/clock.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <vector>

namespace sail {
namespace {

constexpr double kUnlimited = std::numeric_limits<double>::infinity();
constexpr double kPacketBytes = 1452;
// 3840×2160 in DXT1, 30 frames a second.
constexpr int64_t kIntervalNs = 1'000'000'000 / 30;
constexpr double kFrameBytes = 4'200'000;
constexpr double kMeanPerS = kFrameBytes * 1e9 / kIntervalNs;

struct Sent {
  int64_t at_ns = 0;
  double bytes = 0;
};

// Sends frame after frame as UdpFrames does. late(i): delay of wake-up i; encoded(age): share of a
// frame that is encoded at this age.
class Simulation {
 public:
  std::function<int64_t(int)> late = [](int) { return 0; };
  std::function<double(int64_t)> encoded = [](int64_t) { return 1.0; };
  double limit_bytes_per_s = kUnlimited;
  double frame_bytes = kFrameBytes;

  std::vector<Sent> sent;
  std::vector<int64_t> frame_took_ns;

  void run(int frames) {
    int64_t now_ns = 7 * kMillisecondNs;
    int look = 0;
    int64_t submitted_ns = now_ns;
    for (int frame = 0; frame < frames; ++frame) {
      double gone = 0;
      now_ns = std::max(now_ns, submitted_ns);
      while (gone < frame_bytes) {
        const double ready = frame_bytes * std::min(encoded(now_ns - submitted_ns), 1.0);
        while (gone < ready && send(now_ns, submitted_ns, gone, ready)) {
        }
        now_ns = std::max(pacer.next_ns(), now_ns + kMillisecondNs / 10) + late(look++);
      }
      frame_took_ns.push_back(now_ns - submitted_ns);
      submitted_ns += kIntervalNs;
    }
  }

  double most_in_window(int64_t window_ns = PacketPacer::kWindowNs) const {
    double most = 0;
    double bytes = 0;
    size_t first = 0;
    for (const Sent& each : sent) {
      bytes += each.bytes;
      while (sent[first].at_ns <= each.at_ns - window_ns) bytes -= sent[first++].bytes;
      most = std::max(most, bytes);
    }
    return most;
  }
  double most_at_once() const {
    return std::max_element(sent.begin(), sent.end(),
                            [](const Sent& a, const Sent& b) { return a.bytes < b.bytes; })
        ->bytes;
  }

  PacketPacer pacer;

 private:
  bool send(int64_t now_ns, int64_t submitted_ns, double& gone, double ready) {
    double grant = pacer.grant(now_ns, {.bytes = frame_bytes - gone,
                                        .until_ns = submitted_ns + kIntervalNs * 85 / 100,
                                        .mean_bytes_per_s = frame_bytes * 1e9 / kIntervalNs,
                                        .limit_bytes_per_s = limit_bytes_per_s});
    double bytes = 0;
    for (; grant > 0 && gone < ready; grant -= kPacketBytes) {
      bytes += kPacketBytes;
      gone += kPacketBytes;
    }
    pacer.sent(now_ns, bytes);
    if (bytes > 0) sent.push_back({now_ns, bytes});
    return bytes > 0;
  }
};

constexpr double kMeanInWindow = kMeanPerS * PacketPacer::kWindowNs / 1e9;

TEST(PacketPacerTest, SpreadsAFrameOverItsInterval) {
  Simulation simulation;
  simulation.run(20);
  EXPECT_LE(simulation.most_in_window(), 1.5 * kMeanInWindow);
  EXPECT_LE(simulation.most_at_once(), kMeanInWindow);
  for (const int64_t took_ns : simulation.frame_took_ns) {
    EXPECT_GT(took_ns, kIntervalNs * 80 / 100);
    EXPECT_LT(took_ns, kIntervalNs * 90 / 100);
  }
}

TEST(PacketPacerTest, LateTimersDoNotMakeBursts) {
  Simulation simulation;
  simulation.late = [](int look) {
    return look % 53 == 0 ? 3 * kMillisecondNs : int64_t{(look * 7919) % 300} * 1000;
  };
  simulation.run(60);
  EXPECT_LE(simulation.most_in_window(), 1.5 * kMeanInWindow);
  // The frames do not fall behind: the pacer catches up after delays.
  EXPECT_LT(simulation.frame_took_ns.back(), kIntervalNs);
}

TEST(PacketPacerTest, AFrameThatIsEncodedLateIsNotRushed) {
  Simulation simulation;
  simulation.encoded = [](int64_t age_ns) {
    return age_ns < 12 * kMillisecondNs ? 0.0
                                        : static_cast<double>(age_ns) / (22.0 * kMillisecondNs);
  };
  simulation.run(60);
  EXPECT_LE(simulation.most_in_window(), 1.5 * kMeanInWindow);
  EXPECT_LT(simulation.frame_took_ns.back(), kIntervalNs * 5 / 4);
}

// Each of four receivers gets a quarter of such a frame.
TEST(PacketPacerTest, OfFewBytesASecondFewerBatchesGoAndNoLargeOnes) {
  constexpr int kFrames = 60;
  constexpr double kStretch = 1.6;
  Simulation simulation;
  simulation.frame_bytes = kFrameBytes / 4;
  simulation.late = [](int look) { return int64_t{(look * 7919) % 150} * 1000; };
  simulation.run(kFrames);
  EXPECT_LE(simulation.sent.size(), 36 * kFrames);
  EXPECT_LE(simulation.most_at_once(), 1.6 * PacketPacer::kBatchBytes);
  EXPECT_LE(simulation.most_in_window(static_cast<int64_t>(kStretch * PacketPacer::kWindowNs)),
            1.5 * kStretch * kMeanInWindow / 4);
  EXPECT_LT(simulation.frame_took_ns.back(), kIntervalNs * 90 / 100);
}

TEST(PacketPacerTest, FramesOfAFewPacketsAreSpread) {
  Simulation simulation;
  simulation.frame_bytes = 40 * kPacketBytes;
  simulation.run(20);
  EXPECT_LE(simulation.most_at_once(), 6 * kPacketBytes);
  for (const int64_t took_ns : simulation.frame_took_ns) {
    EXPECT_GT(took_ns, kIntervalNs * 75 / 100);
    EXPECT_LT(took_ns, kIntervalNs * 95 / 100);
  }
}

TEST(PacketPacerTest, NeverFasterThanTheLink) {
  Simulation simulation;
  simulation.limit_bytes_per_s = kMeanPerS / 2;
  simulation.run(4);
  EXPECT_TRUE(simulation.pacer.take_limited());
  EXPECT_FALSE(simulation.pacer.take_limited());
  EXPECT_LE(simulation.most_in_window(), 0.9 * kMeanInWindow);  // includes one batch sent ahead
  const auto passed_s =
      static_cast<double>(simulation.sent.back().at_ns - 7 * kMillisecondNs) / 1e9;
  EXPECT_NEAR(4 * kFrameBytes / passed_s, kMeanPerS / 2, kMeanPerS / 100);
}

TEST(PacketPacerTest, AnUnlimitedLinkIsNotLimited) {
  Simulation simulation;
  simulation.run(3);
  EXPECT_FALSE(simulation.pacer.take_limited());
}

}  // namespace
}  // namespace sail
