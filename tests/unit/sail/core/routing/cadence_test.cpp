// Every frame rate on every display, in simulated time: each frame's refreshes on each display are
// counted and compared with the pattern computed in integers.
#include "sail/core/routing/cadence.h"
#include "sail/core/time/clock.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace sail {
namespace {

constexpr int64_t kBeginNs = 1'700'000'000'000'000'000;  // wall time is a large number
constexpr int64_t kPhaseNs = 5'123'457;
constexpr int64_t kFirstNs = 1'243'210;  // first frame's offset in its slot

struct Rate {
  int64_t count;
  bool ntsc;  // `count` frames in 1001 ms
  double hz() const { return static_cast<double>(count) / (ntsc ? 1.001 : 1.0); }
};
constexpr Rate kFilms[] = {{24, true},  {24, false}, {25, false}, {30, true},
                           {30, false}, {50, false}, {60, true},  {60, false}};
constexpr int kDisplays[] = {50, 60, 75, 120};

class Display {
 public:
  explicit Display(double hz, int64_t phase_ns = kPhaseNs) : hz_(hz), phase_ns_(phase_ns) {}
  int64_t begins_ns(int64_t refresh) const {
    return kBeginNs + phase_ns_ +
           static_cast<int64_t>(std::llround(static_cast<long double>(refresh) * 1e9L /
                                             static_cast<long double>(hz_)));
  }
  // The refresh that shows a swap at this time.
  int64_t refresh_after(int64_t at_ns) const {
    auto refresh = static_cast<int64_t>(static_cast<long double>(at_ns - kBeginNs - phase_ns_) *
                                        static_cast<long double>(hz_) / 1e9L);
    while (begins_ns(refresh) > at_ns) --refresh;
    while (begins_ns(refresh) < at_ns) ++refresh;
    return refresh;
  }
  // As measured within the last second.
  Refresh known_at(int64_t now_ns, int64_t error_ns = 0) const {
    const int64_t second_ns = now_ns - now_ns % 1'000'000'000;
    return {.at_ns = begins_ns(refresh_after(second_ns)) + error_ns,
            .period_ns = static_cast<uint32_t>(std::llround(1e9 / hz_))};
  }

 private:
  double hz_;
  int64_t phase_ns_;
};

// Refresh of the nth frame on a display of this frequency, computed in integers.
int64_t ideal_refresh(const Rate& film, int hz, int64_t frame) {
  const __int128 ps = 1'000'000'000'000;
  const __int128 at_ps = __int128{frame} * (film.ntsc ? 1001 : 1000) * (ps / 1000) / film.count;
  return static_cast<int64_t>((at_ps + __int128{kFirstNs} * 1000) * hz / ps);
}

int64_t present_ns(const Rate& film, int hz, int64_t frame) {
  // The first frame is kFirstNs after the middle between two refreshes.
  const int64_t first_ns = Display(hz).begins_ns(100) + static_cast<int64_t>(5e8 / hz) + kFirstNs;
  return first_ns + std::llround(static_cast<double>(frame) * 1e9 / film.hz());
}

struct Way {
  double interval_ns = 0;
  std::function<int64_t(int64_t frame)> jitter_ns = [](int64_t) { return 0; };
  std::function<int64_t(int64_t frame)> late_ns = [](int64_t) { return 0; };
  std::function<int64_t(int64_t frame)> error_ns = [](int64_t) { return 0; };
  double display_ppm = 0;
};

// The refresh of each frame, relative to the first frame's.
std::vector<int64_t> played(const Rate& film, int hz, int64_t frames, const Way& way) {
  const Display display(hz * (1 + way.display_ppm * 1e-6));
  Cadence cadence(way.interval_ns);
  std::vector<int64_t> refreshes;
  for (int64_t frame = 0; frame < frames; ++frame) {
    const int64_t wanted_ns = present_ns(film, hz, frame);
    const int64_t now_ns = wanted_ns - 100 * kMillisecondNs;
    const int64_t late_ns = way.late_ns(frame);
    const int64_t soonest_ns = late_ns == 0 ? now_ns + 5 * kMillisecondNs : wanted_ns + late_ns;
    const int64_t at_ns = cadence.place(wanted_ns + way.jitter_ns(frame), soonest_ns,
                                        display.known_at(now_ns, way.error_ns(frame)));
    refreshes.push_back(display.refresh_after(at_ns));
  }
  const int64_t first = refreshes.front();
  for (int64_t& refresh : refreshes) refresh -= first;
  return refreshes;
}

int64_t jitter_of(int64_t frame) {
  std::mt19937 random(static_cast<uint32_t>(frame));
  return frame == 0
             ? 0
             : std::uniform_int_distribution<int64_t>(-kMillisecondNs, kMillisecondNs)(random);
}

void expect_ideal(const Rate& film, int hz, const Way& way, int64_t frames = 3000) {
  SCOPED_TRACE(testing::Message() << film.hz() << " on " << hz);
  const std::vector<int64_t> refreshes = played(film, hz, frames, way);
  for (int64_t frame = 0; frame < frames; ++frame) {
    ASSERT_EQ(refreshes[static_cast<size_t>(frame)], ideal_refresh(film, hz, frame)) << frame;
  }
}

TEST(CadenceTest, EveryRateOnEveryDisplayHasTheSteadiestPattern) {
  for (const Rate& film : kFilms) {
    for (const int hz : kDisplays) {
      expect_ideal(film, hz, {});
      expect_ideal(film, hz, {.interval_ns = 1e9 / film.hz()});
    }
  }
}

TEST(CadenceTest, AMillisecondOfJitterChangesNothing) {
  for (const Rate& film : kFilms) {
    for (const int hz : kDisplays) {
      expect_ideal(film, hz, {.interval_ns = 1e9 / film.hz(), .jitter_ns = jitter_of});
    }
  }
}

// Number of refreshes of each frame.
std::string pattern(const Rate& film, int hz, size_t frames) {
  const auto refreshes = played(film, hz, static_cast<int64_t>(frames) + 1, {});
  std::string text;
  for (size_t i = 0; i < frames; ++i) text += std::to_string(refreshes[i + 1] - refreshes[i]);
  return text;
}

TEST(CadenceTest, KnownPatterns) {
  EXPECT_EQ(pattern({24, false}, 60, 12), "232323232323");
  EXPECT_EQ(pattern({25, false}, 60, 10), "2232322323");
  EXPECT_EQ(pattern({30, false}, 60, 6), "222222");
  EXPECT_EQ(pattern({50, false}, 60, 10), "1111211112");
  EXPECT_EQ(pattern({60, false}, 50, 12), "011111011111");
  EXPECT_EQ(pattern({24, false}, 50, 24), "222222222223222222222223");
  EXPECT_EQ(pattern({24, false}, 120, 6), "555555");
  EXPECT_EQ(pattern({30, false}, 75, 6), "232323");
  EXPECT_EQ(pattern({60, false}, 75, 8), "11121112");
}

// Frames at which 24 fps on 60 Hz is neither 2, 3 nor 3, 2.
std::vector<int64_t> irregularities(const std::vector<int64_t>& refreshes) {
  std::vector<int64_t> frames;
  for (size_t i = 2; i < refreshes.size(); ++i) {
    if (refreshes[i] - refreshes[i - 2] != 5) frames.push_back(static_cast<int64_t>(i));
  }
  return frames;
}

// Each irregularity appears in two sums of two.
void expect_at_least_apart(const std::vector<int64_t>& frames, int64_t beat, int64_t least_count) {
  for (size_t i = 1; i < frames.size(); ++i) {
    const int64_t apart = frames[i] - frames[i - 1];
    EXPECT_TRUE(apart <= 1 || apart >= beat - 2) << frames[i - 1] << ", " << frames[i];
  }
  EXPECT_GE(static_cast<int64_t>(frames.size()), least_count);
}

// 2 frames last 5.005 refreshes: half a refresh accumulates after 200 frames.
TEST(CadenceTest, AFilmThatIsOffTheDisplaysRateIsIrregularOncePerBeat) {
  const Rate film{24, true};
  for (const bool jitter : {false, true}) {
    Way way{.interval_ns = 1e9 / film.hz()};
    if (jitter) way.jitter_ns = jitter_of;
    expect_at_least_apart(irregularities(played(film, 60, 20'000, way)), 200, 90);
  }
}

// Half a refresh accumulates in 5000 refreshes, 2000 frames.
TEST(CadenceTest, ADriftOf100PpmIsIrregularOncePerBeat) {
  const Rate film{24, false};
  for (const double ppm : {-100.0, 100.0}) {
    const Way way{.interval_ns = 1e9 / film.hz(), .jitter_ns = jitter_of, .display_ppm = ppm};
    expect_at_least_apart(irregularities(played(film, 60, 20'000, way)), 2000, 8);
  }
  // The film's clock drifts from the rate that the application declared.
  const Way way{.interval_ns = 1e9 / film.hz() * (1 + 100e-6)};
  expect_at_least_apart(irregularities(played(film, 60, 20'000, way)), 20'000, 0);
}

TEST(CadenceTest, WhatIsKnownOfThePhaseMayBeALittleOff) {
  const auto error_ns = [](int64_t frame) { return jitter_of(frame / 24) / 20; };
  for (const int hz : kDisplays) {
    expect_ideal({24, false}, hz,
                 {.interval_ns = 1e9 / 24, .jitter_ns = jitter_of, .error_ns = error_ns});
  }
}

TEST(CadenceTest, AMissedRefreshDoesNotAccumulate) {
  const Rate film{24, false};
  const auto late_ns = [](int64_t frame) { return frame % 50 == 7 ? 30 * kMillisecondNs : 0; };
  const auto refreshes = played(film, 60, 1000, {.late_ns = late_ns});
  for (int64_t frame = 0; frame < 1000; ++frame) {
    const int64_t behind = refreshes[static_cast<size_t>(frame)] - ideal_refresh(film, 60, frame);
    if (frame % 50 == 7) {
      EXPECT_GT(behind, 0);
    } else {
      EXPECT_EQ(behind, 0) << frame;
    }
  }
}

// Frames without a presentation time, 24 a second, each shown when it is ready.
TEST(CadenceTest, FramesWithoutAnInstantHaveAPatternToo) {
  const Display display(60);
  Cadence cadence(1e9 / 24);
  std::vector<int64_t> refreshes;
  for (int64_t frame = 0; frame < 2400; ++frame) {
    const int64_t soonest_ns = kBeginNs + std::llround(static_cast<double>(frame) * 1e9 / 24) +
                               kFirstNs + jitter_of(frame);
    const int64_t at_ns = cadence.place(0, soonest_ns, display.known_at(soonest_ns));
    EXPECT_GE(at_ns, soonest_ns - Cadence::kJitterNs - kMillisecondNs);
    refreshes.push_back(display.refresh_after(at_ns));
    EXPECT_LT(display.begins_ns(refreshes.back()), soonest_ns + 24 * kMillisecondNs);
    EXPECT_GT(display.begins_ns(refreshes.back()), soonest_ns);
  }
  EXPECT_TRUE(irregularities(refreshes).empty());
}

TEST(CadenceTest, DisplaysOfAnyPhasesShowAFrameWithTheSameRefresh) {
  const Display displays[] = {Display(60, 1 * kMillisecondNs), Display(60, 4 * kMillisecondNs),
                              Display(60, 10 * kMillisecondNs)};
  Cadence cadence;
  for (int64_t frame = 0; frame < 1000; ++frame) {
    const int64_t wanted_ns =
        kBeginNs + kFirstNs + std::llround(static_cast<double>(frame) * 1e9 / 24);
    std::vector<Refresh> known;
    for (const Display& display : displays) known.push_back(display.known_at(wanted_ns));
    const int64_t at_ns =
        cadence.place(wanted_ns, wanted_ns - 50 * kMillisecondNs, together(known));
    // However late a display is, and however wrong its clock, within the gap.
    for (const int64_t off_ns : {-3 * kMillisecondNs, int64_t{0}, 3 * kMillisecondNs}) {
      const int64_t refresh = displays[0].refresh_after(at_ns + off_ns);
      EXPECT_EQ(refresh, displays[0].refresh_after(at_ns));
      EXPECT_EQ(displays[1].refresh_after(at_ns + off_ns), refresh);
      EXPECT_EQ(displays[2].refresh_after(at_ns + off_ns), refresh);
    }
  }
}

TEST(CadenceTest, WithoutARefreshFramesAreShownAtTheirInstants) {
  Cadence cadence;
  EXPECT_EQ(cadence.place(1000, 500, {}), 1000);
  EXPECT_EQ(cadence.place(1000, 1500, {}), 1500);
  EXPECT_EQ(cadence.place(0, 1500, {}), 1500);
}

// --- several displays ---------------------------------------------------------------------------

constexpr uint32_t kPeriod = 16 * kMillisecondNs;

TEST(RefreshTest, TogetherLeavesTheLargestGap) {
  const auto at = [](int64_t ms, uint32_t spread_ms = 0) {
    return Refresh{100 * kPeriod + ms * kMillisecondNs, kPeriod,
                   spread_ms * static_cast<uint32_t>(kMillisecondNs)};
  };
  const auto merged = [](std::vector<Refresh> refreshes) { return together(refreshes); };
  EXPECT_EQ(merged({}), Refresh());
  EXPECT_EQ(merged({at(3)}), at(3));
  EXPECT_EQ(merged({at(3), at(3), at(3 + 160)}), at(3)) << "genlocked";
  EXPECT_EQ(merged({at(3), at(5)}), at(3, 2));
  EXPECT_EQ(merged({at(5), at(3)}), (Refresh{at(3).at_ns + kPeriod, kPeriod, 2 * kMillisecondNs}));
  EXPECT_EQ(merged({at(1), at(15)}), at(15, 2)) << "around the period's end";
  EXPECT_EQ(merged({at(0, 3), at(2, 4), at(9)}), at(0, 9));
  EXPECT_EQ(merged({at(0, 4), at(14, 3)}), at(14, 6));
  EXPECT_EQ(merged({at(0, 10), at(8, 10)}).spread_ns, kPeriod) << "no gap";
  EXPECT_EQ(merged({Refresh(), at(3), Refresh()}), at(3)) << "not known";
  EXPECT_EQ(merged({at(3), {0, 16'683'333, 0}}), Refresh()) << "another rate";
  EXPECT_EQ(merged({{0, 16'666'667, 0}, {0, 16'683'333, 0}}), Refresh()) << "60 and 59.94 Hz";
}

TEST(RefreshTest, NextRefresh) {
  const Refresh refresh{.at_ns = 1000, .period_ns = 300};
  EXPECT_EQ(next_refresh_ns(refresh, 1000), 1000);
  EXPECT_EQ(next_refresh_ns(refresh, 1001), 1300);
  EXPECT_EQ(next_refresh_ns(refresh, 500), 700);
  EXPECT_EQ(next_refresh_ns({}, 500), 500);
}

}  // namespace
}  // namespace sail
