#include "manager/tours/tour_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "manager/tours/tour_plan.h"

namespace manager {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr TourOrder::Timing kTourTiming{.every_ms = 5000, .opening_ms = 10'000};
constexpr size_t kNothing = 99;

// The sources that the cells show.
std::vector<size_t> shown(const TourOrder& order) {
  std::vector<size_t> sources;
  for (const TourOrder::Cell& cell : order.cells())
    sources.push_back(cell.shown.value_or(kNothing));
  return sources;
}

std::vector<size_t> next_of(const TourOrder& order) {
  std::vector<size_t> sources;
  for (const TourOrder::Cell& cell : order.cells()) sources.push_back(cell.next.value_or(kNothing));
  return sources;
}

// Opens the next sources, those of `dead` without success, until nothing changes.
void open_all(TourOrder& order, const std::set<size_t>& dead = {}) {
  for (bool any = true; any;) {
    any = false;
    order.choose();
    for (size_t i = 0; i < order.cells().size(); ++i) {
      const auto source = order.cells()[i].next;
      if (!source || order.cells()[i].ready) continue;
      any = true;
      if (dead.contains(*source)) {
        order.fail(i, "no route");
      } else {
        order.set_ready(i, true);
      }
    }
  }
}

std::vector<size_t> turn_at(TourOrder& order, int64_t now_ms, const std::set<size_t>& dead = {}) {
  open_all(order, dead);
  order.turn(now_ms);
  return shown(order);
}

TEST(TourOrder, GoesThroughTheSourcesInTheirOrder) {
  TourOrder order(7, 3, kTourTiming, 100);
  order.choose();
  EXPECT_THAT(next_of(order), ElementsAre(0, 1, 2));
  EXPECT_THAT(turn_at(order, 99), ElementsAre(kNothing, kNothing, kNothing)) << "it is not due";
  EXPECT_THAT(turn_at(order, 100), ElementsAre(0, 1, 2));
  open_all(order);
  EXPECT_THAT(next_of(order), ElementsAre(3, 4, 5)) << "they open before their turn";
  EXPECT_THAT(turn_at(order, 5099), ElementsAre(0, 1, 2));
  EXPECT_THAT(turn_at(order, 5100), ElementsAre(3, 4, 5));
  EXPECT_THAT(turn_at(order, 10'100), ElementsAre(6, 0, 1));
  EXPECT_THAT(turn_at(order, 15'100), ElementsAre(2, 3, 4));
}

TEST(TourOrder, EverySourceHasItsTurnAmongHundred) {
  TourOrder order(100, 9, kTourTiming, 0);
  std::set<size_t> seen;
  for (int64_t now_ms = 0; now_ms < 12 * 5000; now_ms += 5000) {
    for (const size_t source : turn_at(order, now_ms)) seen.insert(source);
  }
  EXPECT_EQ(seen.size(), 100U);
}

TEST(TourOrder, FewSourcesTakeTurnsInAllCells) {
  TourOrder order(5, 4, kTourTiming, 0);
  EXPECT_THAT(turn_at(order, 0), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(turn_at(order, 5000), ElementsAre(4, 1, 2, 3));
  EXPECT_THAT(turn_at(order, 10'000), ElementsAre(4, 0, 2, 3));
  EXPECT_THAT(turn_at(order, 15'000), ElementsAre(4, 0, 1, 3));
  TourOrder same(2, 2, kTourTiming, 0);
  EXPECT_THAT(turn_at(same, 0), ElementsAre(0, 1));
  EXPECT_THAT(turn_at(same, 5000), ElementsAre(0, 1));
}

TEST(TourOrder, ADeadSourceIsSkippedAndTriedAgain) {
  TourOrder order(6, 2, kTourTiming, 0);
  EXPECT_THAT(turn_at(order, 0), ElementsAre(0, 1));
  EXPECT_THAT(turn_at(order, 5000, {2}), ElementsAre(4, 3)) << "another one takes its place";
  EXPECT_EQ(order.dead(), (std::map<size_t, std::string>{{2, "no route"}}));
  EXPECT_THAT(turn_at(order, 10'000), ElementsAre(5, 0));
  EXPECT_THAT(turn_at(order, 15'000), ElementsAre(1, 2)) << "it is there again";
  EXPECT_THAT(order.dead(), IsEmpty());
}

TEST(TourOrder, TheOldPictureStaysIfAllOthersAreDead) {
  TourOrder order(100, 2, kTourTiming, 0);
  std::set<size_t> dead;
  for (size_t source = 2; source < 100; ++source) dead.insert(source);
  EXPECT_THAT(turn_at(order, 0), ElementsAre(0, 1));
  EXPECT_THAT(turn_at(order, 5000, dead), ElementsAre(0, 1));
  EXPECT_EQ(order.dead().size(), 4U) << "not all are tried in one turn";
  EXPECT_THAT(turn_at(order, 10'000, dead), ElementsAre(0, 1));
  EXPECT_EQ(order.dead().size(), 8U);

  TourOrder first(100, 1, kTourTiming, 0);
  dead.insert({0, 1});
  dead.erase(99);
  EXPECT_THAT(turn_at(first, 0, dead), ElementsAre(99)) << "the first turn tries all";
}

TEST(TourOrder, ATurnWaitsForSourcesThatOpenButNotForEver) {
  TourOrder order(6, 2, kTourTiming, 0);
  turn_at(order, 0);
  order.choose();
  order.set_ready(0, true);
  EXPECT_THAT(order.turn(5000), IsEmpty());
  EXPECT_THAT(order.turn(9999), IsEmpty());
  EXPECT_THAT(order.turn(10'000), ElementsAre(0));
  EXPECT_THAT(shown(order), ElementsAre(2, 1));
  order.choose();
  EXPECT_THAT(next_of(order), ElementsAre(4, 3)) << "the late one has its turn later";
  order.set_ready(0, true);
  order.set_ready(1, true);
  order.set_ready(1, false);
  order.set_ready(1, true);
  EXPECT_THAT(order.turn(15'000), ElementsAre(0, 1));
}

TEST(TourOrder, PeopleHoldItAndTakeSteps) {
  TourOrder order(7, 2, kTourTiming, 0);
  turn_at(order, 0);
  order.hold(true, 1000);
  EXPECT_THAT(turn_at(order, 60'000), ElementsAre(0, 1));
  order.step(false, 60'000);
  EXPECT_THAT(turn_at(order, 60'000), ElementsAre(2, 3));
  order.step(false, 60'000);
  EXPECT_THAT(turn_at(order, 60'000), ElementsAre(4, 5));
  open_all(order);
  order.step(true, 60'000);
  EXPECT_THAT(next_of(order), ElementsAre(kNothing, kNothing)) << "those that waited are given up";
  EXPECT_THAT(turn_at(order, 60'000), ElementsAre(2, 3));
  order.step(true, 60'000);
  EXPECT_THAT(turn_at(order, 60'000), ElementsAre(0, 1));
  order.step(true, 60'000);
  EXPECT_THAT(turn_at(order, 60'000), ElementsAre(5, 6)) << "around the start";
  EXPECT_THAT(turn_at(order, 120'000), ElementsAre(5, 6)) << "it is still held";
  order.hold(false, 120'000);
  EXPECT_THAT(turn_at(order, 124'999), ElementsAre(5, 6));
  EXPECT_THAT(turn_at(order, 125'000), ElementsAre(0, 1));
}

TEST(TourOrder, APinnedCellKeepsItsSource) {
  TourOrder order(6, 2, kTourTiming, 0);
  turn_at(order, 0);
  open_all(order);
  order.pin(0, true);
  EXPECT_THAT(next_of(order), ElementsAre(kNothing, 3));
  EXPECT_THAT(turn_at(order, 5000), ElementsAre(0, 3));
  EXPECT_THAT(turn_at(order, 10'000), ElementsAre(0, 4));
  EXPECT_THAT(turn_at(order, 15'000), ElementsAre(0, 5));
  EXPECT_THAT(turn_at(order, 20'000), ElementsAre(0, 1)) << "no source is in two cells";
  order.pin(0, false);
  EXPECT_THAT(turn_at(order, 25'000), ElementsAre(2, 3));
}

TEST(TourOrder, CellsThatAreEmptyOrLeave) {
  TourOrder order(6, 2, kTourTiming, 0);
  turn_at(order, 0);
  order.lose(1);
  EXPECT_THAT(turn_at(order, 5000), ElementsAre(3, 2)) << "the empty one is filled first";
  order.leave(0);
  EXPECT_FALSE(order.over());
  EXPECT_THAT(turn_at(order, 10'000), ElementsAre(kNothing, 4));
  order.leave(1);
  EXPECT_TRUE(order.over());
  EXPECT_THAT(turn_at(order, 15'000), ElementsAre(kNothing, kNothing));
}

TEST(TourOrder, WithoutLoopItIsOverAfterTheLastSource) {
  TourOrder order(3, 1, kTourTiming, 0, {.loop = false}, 1);
  EXPECT_THAT(turn_at(order, 0), ElementsAre(1)) << "it begins there";
  order.step(true, 1);
  EXPECT_THAT(turn_at(order, 1), ElementsAre(0));
  order.step(true, 2);
  EXPECT_THAT(turn_at(order, 2), ElementsAre(0)) << "there is none before it";
  EXPECT_FALSE(order.over());
  EXPECT_THAT(turn_at(order, 5002), ElementsAre(1));
  EXPECT_THAT(turn_at(order, 10'002), ElementsAre(2));
  EXPECT_THAT(turn_at(order, 15'001), ElementsAre(2));
  EXPECT_FALSE(order.over()) << "the last one has its time, too";
  EXPECT_THAT(turn_at(order, 15'002), ElementsAre(2));
  EXPECT_TRUE(order.over());
}

TEST(TourOrder, ItIsOverIfAllFurtherSourcesAreDead) {
  TourOrder order(6, 1, kTourTiming, 0, {.loop = false});
  EXPECT_THAT(turn_at(order, 0), ElementsAre(0));
  EXPECT_THAT(turn_at(order, 5000, {1, 2, 3, 4, 5}), ElementsAre(0));
  EXPECT_FALSE(order.over()) << "not all are tried in one turn";
  for (int64_t now_ms = 10'000; now_ms < 25'000; now_ms += 5000) {
    EXPECT_THAT(turn_at(order, now_ms, {1, 2, 3, 4, 5}), ElementsAre(0));
  }
  EXPECT_TRUE(order.over());
}

TEST(TourOrder, APictureStaysForItsOwnTime) {
  constexpr int64_t kLong = int64_t{1} << 50;
  TourOrder order(3, 1, kTourTiming, 0);
  EXPECT_THAT(turn_at(order, 0), ElementsAre(0));
  order.stay(7000);
  EXPECT_THAT(turn_at(order, 6999), ElementsAre(0));
  EXPECT_THAT(turn_at(order, 7000), ElementsAre(1));
  order.stay(kLong);
  EXPECT_THAT(turn_at(order, 3'600'000), ElementsAre(1));
  order.stay(0);
  EXPECT_THAT(turn_at(order, 3'600'000), ElementsAre(2)) << "it is over";
  order.stay(kLong);
  order.step(false, 3'600'001);
  order.stay(kLong);
  EXPECT_THAT(turn_at(order, 3'600'001), ElementsAre(0)) << "people need not wait";
  order.stay(kLong);
  order.hold(true, 3'600'002);
  order.stay(0);
  EXPECT_THAT(turn_at(order, 3'700'000), ElementsAre(0));
  order.hold(false, 3'700'000);
  EXPECT_THAT(turn_at(order, 3'700'000), ElementsAre(1));
}

TEST(TourOrder, TheNextManagerContinues) {
  TourOrder order(6, 2, kTourTiming, 0);
  turn_at(order, 0);
  turn_at(order, 5000);
  order.hold(true, 5000);
  open_all(order);
  const SavedTour saved{
      .plan =
          {.name = "gates",
           .sources = {{"/0"}, {"/1"}, {"/2"}, {"/3"}, {"/4"}, {.medium = "/5", .title = "Gate"}},
           .columns = 2,
           .every_ms = 5000,
           .area = {0, 0, 320, 180},
           .opener = "operator/ann"},
      .order = order.state(),
      .cells = {{{0, 0, 160, 90}, 7}, {{160, 0, 160, 90}, 8}}};
  const auto read = saved_tour_from_json(to_json(saved));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(to_json(*read), to_json(saved));
  TourOrder continued(6, read->order, kTourTiming, 1'000'000);
  EXPECT_TRUE(continued.held());
  continued.hold(false, 1'000'000);
  EXPECT_THAT(turn_at(continued, 1'004'999), ElementsAre(2, 3));
  EXPECT_THAT(turn_at(continued, 1'005'000), ElementsAre(4, 5));
}

TEST(TourOrder, TheNextManagerContinuesAPlaylist) {
  const TourCourse course{.loop = false, .shuffle = 77};
  TourOrder order(5, 1, kTourTiming, 0, course);
  std::vector<size_t> seen = turn_at(order, 0);
  const SavedTour saved{.plan = {.name = "lobby",
                                 .sources = {{"/0", "", 3000}, {"/1"}, {"/2"}, {"/3"}, {"/4"}},
                                 .playlist = true,
                                 .course = course},
                        .order = order.state(),
                        .cells = {{{0, 0, 160, 90}, 7}}};
  sail::Json document = to_json(saved);
  document["area"] = {0, 0, 160, 90};
  const auto read = saved_tour_from_json(document);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(to_json(*read), document);
  EXPECT_EQ(read->plan.sources[0].stay_ms, 3000);
  TourOrder continued(5, read->order, kTourTiming, 0, read->plan.course);
  for (int64_t now_ms = 5000; now_ms < 25'000; now_ms += 5000) {
    seen.push_back(turn_at(continued, now_ms).front());
  }
  EXPECT_EQ(std::set<size_t>(seen.begin(), seen.end()).size(), 5U) << "each once";
  turn_at(continued, 25'000);
  EXPECT_TRUE(continued.over());
}

TEST(TourOrder, DamagedToursAreRefused) {
  const SavedTour saved{
      .plan = {.name = "gates", .sources = {{"/0"}, {"/1"}}, .area = {0, 0, 9, 9}},
      .order = {.cells = {{.shown = 1}}},
      .cells = {{{0, 0, 160, 90}, 7}}};
  ASSERT_TRUE(saved_tour_from_json(to_json(saved)));
  const auto expect_refused = [&](const char* field, const sail::Json& value) {
    sail::Json json = to_json(saved);
    json[field] = value;
    const auto read = saved_tour_from_json(json);
    ASSERT_FALSE(read) << field;
    EXPECT_EQ(read.error().code, sail::ErrorCode::kBadData);
  };
  expect_refused("first", 2);
  expect_refused("after", -1);
  expect_refused("columns", 2);
  expect_refused("columns", 65);
  expect_refused("every_s", 0);
  expect_refused("sources", sail::Json::array());
  expect_refused("sources", {{{"medium", "data:x"}}});
  expect_refused("sources", {{{"medium", "/0"}, {"seconds", 0}}, {{"medium", "/1"}}});
  expect_refused("shuffle", -1);
  expect_refused("cells", {{{"area", {0, 0, 1, 1}}, {"shown", 2}}});
  expect_refused("cells", sail::Json::array());
  EXPECT_FALSE(saved_tour_from_json("tour"));
}

}  // namespace
}  // namespace manager
