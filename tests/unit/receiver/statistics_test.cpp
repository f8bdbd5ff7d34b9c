#include "receiver/statistics.h"

#include <gtest/gtest.h>

namespace receiver {
namespace {

constexpr int64_t kMs = 1'000'000;

Swapped swap(int64_t render_ns, int64_t paint_ns) {
  Swapped swapped;
  swapped.render_ns = render_ns;
  swapped.paint_ns = paint_ns;
  return swapped;
}

TEST(StatisticsTest, FiguresAreThoseSinceTheLastReport) {
  Statistics statistics;
  (void)statistics.take({}, 0, 1000 * kMs);
  statistics.swapped(swap(9 * kMs, 4 * kMs));
  statistics.swapped(swap(8 * kMs, 6 * kMs));
  const StreamFrames::Counters counters{
      .frames_shown = 2, .frames_dropped = 1, .frames_decoded = 4, .decode_ns = 200 * kMs};
  const sail::ReceiverStats first = statistics.take(counters, 150 * kMs, 2000 * kMs);
  EXPECT_EQ(first.frames_shown, 2u);
  EXPECT_EQ(first.frames_dropped, 1u);
  EXPECT_DOUBLE_EQ(first.render_ms, 5);
  EXPECT_DOUBLE_EQ(first.render_peak_ms, 8);
  EXPECT_DOUBLE_EQ(first.paint_pct, 1);
  EXPECT_DOUBLE_EQ(first.decode_ms, 50);
  EXPECT_DOUBLE_EQ(first.decode_pct, 15);

  const sail::ReceiverStats second = statistics.take(counters, 0, 3000 * kMs);
  EXPECT_EQ(second.frames_shown, 2u);
  EXPECT_DOUBLE_EQ(second.render_ms, 0);
  EXPECT_DOUBLE_EQ(second.render_peak_ms, 8);
  EXPECT_DOUBLE_EQ(second.paint_pct, 0);
  EXPECT_DOUBLE_EQ(second.decode_ms, 0);
  EXPECT_DOUBLE_EQ(second.decode_pct, 0);
}

TEST(StatisticsTest, WorkIsNeverMoreThanTheWholeTime) {
  Statistics statistics;
  (void)statistics.take({}, 0, 1000 * kMs);
  statistics.swapped(swap(9 * kMs, 90 * kMs));
  EXPECT_DOUBLE_EQ(statistics.take({}, 0, 1001 * kMs).paint_pct, 100);
}

TEST(StatisticsTest, OnlyDisplaysWithAKnownRefreshAreTold) {
  Statistics statistics;
  std::vector<sail::TileInfo> tiles(3);
  tiles[0].name = "left";
  tiles[1].name = "middle";
  tiles[2].name = "right";
  const std::vector<TileRefresh> refreshes{{.refresh = {.at_ns = 3 * kMs, .period_ns = 20 * kMs},
                                            .source = sail::RefreshSource::kDisplayMode},
                                           {},
                                           {.refresh = {.at_ns = 3 * kMs, .period_ns = 20 * kMs},
                                            .source = sail::RefreshSource::kMeasured}};
  (void)statistics.set_refreshes(tiles, refreshes, 7 * kMs,
                                 [](int64_t steady_ns) { return steady_ns + 100 * kMs; });
  const auto reported = statistics.take({}, 0, 1000 * kMs).refresh;
  ASSERT_EQ(reported.size(), 2u);
  EXPECT_EQ(reported[0].tile, "left");
  EXPECT_EQ(reported[0].at_ns, 0);  // its phase is unknown
  EXPECT_EQ(reported[1].tile, "right");
  EXPECT_EQ(reported[1].at_ns, 103 * kMs);
  statistics.forget_refreshes();
  EXPECT_TRUE(statistics.take({}, 0, 2000 * kMs).refresh.empty());
}

}  // namespace
}  // namespace receiver
