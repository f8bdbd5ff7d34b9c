// Pure parts of arranging: history, partitions, side-by-side layouts.
#include "manager/wall/arrangement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "manager/wall/arrange.h"
#include "sail/core/text/limits.h"

namespace manager {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr sail::Size kWall{3840, 1080};

class ArrangementTest : public testing::Test {
 protected:
  ArrangementTest() {
    for (const char* title : {"a", "b", "c"}) open(title);
    wall.take_touched();
  }
  uint32_t open(const std::string& title) {
    Window window;
    window.title = title;
    window.frame_size = {1600, 900};
    window.wall_rect = kStart;
    return (*wall.open(std::move(window)))->number;
  }
  Touched move(uint32_t number, int x, const Author& author, const std::string& gesture = "") {
    wall.change({.windows = {{number, {.wall_rect = {x, 0, 160, 90}}}}},
                {.verb = "moved", .gesture = gesture}, author);
    return wall.take_touched();
  }
  sail::Rect rect_of(uint32_t number) const { return wall.windows().find(number)->wall_rect; }
  Touched undo() { return touched_by(wall.take_step(true)->before); }
  Touched redo() { return touched_by(wall.take_step(false)->after); }
  Touched touched_by(const LayoutChange& change) {
    wall.take_touched();
    wall.apply(change, anna);
    return wall.take_touched();
  }

  static constexpr sail::Rect kStart{0, 0, 160, 90};
  Arrangement wall{kWall};
  Author anna{1, "Anna"};
  Author bert{2, "Bert"};
};

TEST_F(ArrangementTest, OfTooManyBlanksOnlyTextsAreMissing) {
  WallSwitches switches;
  for (size_t i = 0; i < sail::kMaxBlanks; ++i) {
    switches.blank_areas.push_back({{static_cast<int>(i) * 10, 0, 10, 10}, ""});
  }
  wall.set(switches);
  for (const uint32_t number : wall.windows().order()) wall.set_cover(number, {.blank = "text"});
  const std::vector<sail::SceneBlank> blanks = wall.blanks();
  EXPECT_EQ(blanks.size(), sail::kMaxBlanks);
  EXPECT_TRUE(std::ranges::all_of(blanks, &sail::SceneBlank::black));
}

TEST_F(ArrangementTest, UndoTakesBackWhatTheStepChangedAndNothingElse) {
  move(1, 100, anna);
  move(2, 200, bert);
  EXPECT_EQ(wall.next_step(true)->what, "moved 'b'");
  EXPECT_EQ(wall.next_step(true)->author.name, "Bert");
  EXPECT_THAT(undo().windows, ElementsAre(2));
  EXPECT_EQ(rect_of(2), kStart);
  EXPECT_EQ(rect_of(1).x, 100);
  undo();
  EXPECT_EQ(rect_of(1), kStart);
  EXPECT_EQ(wall.take_step(true), nullptr);
  redo();
  redo();
  EXPECT_EQ(rect_of(1).x, 100);
  EXPECT_EQ(rect_of(2).x, 200);
  EXPECT_EQ(wall.take_step(false), nullptr);
}

TEST_F(ArrangementTest, ANewStepEndsWhatCouldBeDoneAgain) {
  move(1, 100, anna);
  undo();
  move(2, 200, bert);
  EXPECT_EQ(wall.next_step(false), nullptr);
  EXPECT_EQ(wall.history().entries().size(), 1U);
}

TEST_F(ArrangementTest, AChangeThatChangesNothingIsNoStep) {
  EXPECT_TRUE(move(1, 0, anna).nothing());
  EXPECT_TRUE(move(9, 50, anna).nothing());
  EXPECT_FALSE(wall.change({.order = std::vector<uint32_t>{1, 2, 3}}, {.verb = "raised"}, anna));
  EXPECT_EQ(wall.next_step(true), nullptr);
}

TEST_F(ArrangementTest, AGestureIsOneStep) {
  for (int x = 1; x <= 50; ++x) {
    const Touched touched = move(1, x, anna, "drag");
    EXPECT_EQ(touched.history, x == 1) << "clients are told once";
  }
  EXPECT_TRUE(move(2, 7, anna, "drag").history) << "it moves two windows now";
  EXPECT_EQ(wall.history().entries().size(), 1U);
  EXPECT_EQ(wall.next_step(true)->what, "moved 2 windows");
  move(1, 70, anna, "another");
  move(1, 80, anna, "drag");
  EXPECT_EQ(wall.history().entries().size(), 3U);
  for (int i = 0; i < 2; ++i) undo();
  EXPECT_EQ(rect_of(1).x, 50);
  undo();
  EXPECT_EQ(rect_of(1), kStart);
  EXPECT_EQ(rect_of(2), kStart);
  redo();
  EXPECT_EQ(rect_of(1).x, 50);
  // Does not merge with an undone step.
  undo();
  move(1, 5, anna, "drag");
  EXPECT_EQ(wall.history().entries().size(), 1U);
  EXPECT_EQ(wall.next_step(true)->what, "moved 'a'");
}

TEST_F(ArrangementTest, TwoWhoDragMakeAStepEach) {
  for (int x = 1; x <= 9; ++x) {
    move(1, x, anna, "drag 1");
    move(1, 100 + x, bert, "drag 2");
    move(3, x, bert, "drag 2");
  }
  EXPECT_EQ(wall.history().entries().size(), 2U);
  undo();
  EXPECT_EQ(rect_of(3), kStart);
  undo();
  EXPECT_EQ(rect_of(1), kStart);
}

TEST_F(ArrangementTest, WhoDragsAWindowHoldsItForAWhile) {
  const auto holder = [this] { return wall.windows().find(1)->holder; };
  move(1, 5, anna);
  EXPECT_FALSE(holder());
  EXPECT_THAT(move(1, 6, anna, "drag").windows, ElementsAre(1, 1));
  EXPECT_EQ(holder(), (Holder{1, "Anna"}));
  move(1, 7, bert, "drag");
  EXPECT_EQ(holder(), (Holder{2, "Bert"}));
  for (int i = 1; i < Arrangement::kHoldTicks; ++i) wall.tick_holds();
  EXPECT_TRUE(holder());
  wall.tick_holds();
  EXPECT_FALSE(holder());
  EXPECT_FALSE(wall.anything_held());
  EXPECT_THAT(wall.take_touched().windows, ElementsAre(1));
  move(1, 8, anna, "drag");
  move(1, 9, anna);
  EXPECT_FALSE(holder()) << "the drag is over";
}

// Windows 1 and 2 are Anna's, window 3 is not.
TEST_F(ArrangementTest, AStepOfOnesOwnIsTakenOutOfTurn) {
  anna = {1, "Anna", "presenter/anna", true};
  for (const uint32_t number : {1U, 2U}) wall.find(number)->opener = anna.key;
  const auto take = [this](bool back) {
    const HistoryEntry* taken = wall.take_own_step(back, anna);
    if (taken == nullptr) return std::string("nothing");
    wall.apply(back ? taken->before : taken->after, anna);
    return taken->what;
  };
  move(1, 10, anna);
  move(3, 30, bert);
  move(2, 20, anna);
  move(1, 11, bert);
  wall.mark_history_reported();
  EXPECT_EQ(take(true), "moved 'b'");
  EXPECT_EQ(rect_of(2), kStart);
  EXPECT_EQ(rect_of(1).x, 11) << "the others' steps stay";
  EXPECT_EQ(take(true), "moved 'a'");
  EXPECT_EQ(rect_of(1), kStart);
  EXPECT_EQ(take(true), "nothing");
  EXPECT_EQ(wall.history().reported_up_to(), 0U);
  EXPECT_EQ(wall.history().done(), 2U);
  EXPECT_EQ(take(false), "moved 'a'");
  EXPECT_EQ(take(false), "moved 'b'");
  EXPECT_EQ(rect_of(2).x, 20);
  EXPECT_EQ(take(false), "nothing");
  for (size_t i = 1; i < 4; ++i) {
    EXPECT_LT(wall.history().entries()[i - 1].number, wall.history().entries()[i].number);
  }
}

TEST_F(ArrangementTest, OnesOwnStepsLeaveTheStackThatOthersChanged) {
  anna = {1, "Anna", "presenter/anna", true};
  wall.find(1)->opener = anna.key;
  wall.change({.order = raised(wall.windows().order(), {1})}, {.verb = "raised"}, anna);
  const HistoryEntry* raise = wall.take_own_step(true, anna);
  ASSERT_NE(raise, nullptr);
  wall.apply(raise->before, anna);
  EXPECT_THAT(wall.windows().order(), ElementsAre(1, 2, 3));
  raise = wall.take_own_step(false, anna);
  ASSERT_NE(raise, nullptr);
  wall.apply(raise->after, anna);
  wall.change({.order = raised(wall.windows().order(), {2})}, {.verb = "raised"}, bert);
  EXPECT_EQ(wall.take_own_step(true, anna), nullptr);
}

TEST_F(ArrangementTest, OrderAndLocksAreSteps) {
  wall.change({.order = raised(wall.windows().order(), {1})}, {.verb = "raised"}, anna);
  EXPECT_THAT(wall.windows().order(), ElementsAre(2, 3, 1));
  wall.change({.windows = {{2, {.wall_rect = kStart, .locked = true}}}}, {.verb = "locked"}, anna);
  EXPECT_TRUE(wall.windows().find(2)->locked);
  EXPECT_EQ(wall.windows().find(2)->changed_by, "Anna");
  undo();
  EXPECT_FALSE(wall.windows().find(2)->locked);
  EXPECT_TRUE(undo().order);
  EXPECT_THAT(wall.windows().order(), ElementsAre(1, 2, 3));
}

TEST_F(ArrangementTest, WindowsThatWentArePassedOver) {
  move(1, 100, anna);
  move(2, 200, bert);
  move(1, 150, anna);
  wall.remove(1);
  EXPECT_EQ(wall.next_step(true)->what, "moved 'b'");
  EXPECT_THAT(undo().windows, ElementsAre(2));
  EXPECT_EQ(wall.next_step(true), nullptr) << "nothing that would make a difference";
  redo();
  EXPECT_EQ(rect_of(2).x, 200);
  EXPECT_EQ(wall.next_step(false), nullptr);
}

TEST_F(ArrangementTest, StepsOfAWindowThatIsGoneForGoodAreForgotten) {
  move(1, 100, anna);
  wall.change({.order = raised(wall.windows().order(), {1})}, {.verb = "raised"}, anna);
  wall.change({.windows = {{1, {.wall_rect = kStart}}, {2, {.wall_rect = {7, 0, 160, 90}}}}},
              {.verb = "moved"}, anna);
  wall.remove(1);
  EXPECT_TRUE(wall.history().forget(1));
  EXPECT_FALSE(wall.history().forget(1));
  ASSERT_EQ(wall.history().entries().size(), 1U);
  EXPECT_THAT(undo().windows, ElementsAre(2));
}

TEST_F(ArrangementTest, NotesAreNoSteps) {
  move(1, 100, anna);
  move(2, 200, anna);
  undo();
  wall.history().note({}, "'c' has ended");
  EXPECT_EQ(wall.next_step(true)->what, "moved 'a'");
  redo();
  EXPECT_EQ(rect_of(2).x, 200) << "what was undone can still be done again";
  for (int i = 0; i < 100; ++i) wall.history().note({}, "noise");
  EXPECT_EQ(wall.history().entries().size(), 2 + History::kMostNotes);
  EXPECT_EQ(wall.next_step(true)->what, "moved 'b'");
  undo();
  move(1, 300, bert);
  EXPECT_EQ(wall.next_step(false), nullptr);
  EXPECT_EQ(wall.history().entries().size(), 2 + History::kMostNotes) << "notes stay";
}

TEST_F(ArrangementTest, AClosedWindowThatNobodyCanStartIsNoStepToTakeBack) {
  HistoryEntry closed{.what = "closed 'x'"};
  closed.closed.resize(1);
  wall.history().add(closed);
  EXPECT_EQ(wall.next_step(true), nullptr);
  closed.closed[0].content = PlayRequest{};
  wall.history().add(closed);
  EXPECT_EQ(wall.next_step(true)->what, "closed 'x'");
}

TEST_F(ArrangementTest, AWindowWithAnotherNumberKeepsItsPlaceInTheStack) {
  HistoryEntry closed{.author = anna};
  closed.closed.emplace_back().number = 2;
  closed.stack = {1, 2, 3};
  wall.history().add(closed);
  wall.history().renumber(2, 9);
  EXPECT_THAT(wall.history().entries().back().stack, ElementsAre(1, 9, 3));
}

TEST_F(ArrangementTest, AWindowWithAnotherStreamHasItsHistory) {
  move(1, 100, anna);
  wall.change({.windows = {{1, {.wall_rect = rect_of(1), .locked = true}}}}, {.verb = "locked"},
              anna);
  Window other;
  other.title = "a, other codec";
  other.wall_rect = rect_of(1);
  EXPECT_EQ(wall.replace(1, std::move(other)).stream, 4U);
  EXPECT_EQ(wall.windows().find(1)->title, "a, other codec");
  EXPECT_TRUE(wall.windows().find(1)->locked);
  EXPECT_EQ(wall.windows().find_stream(4), wall.windows().find(1));
  EXPECT_EQ(wall.windows().find_stream(1), nullptr);
  EXPECT_THAT(wall.windows().order(), ElementsAre(1, 2, 3));
  undo();
  undo();
  EXPECT_EQ(rect_of(1), kStart);
  wall.remove(1);
  EXPECT_EQ(wall.windows().find_stream(4), nullptr);
}

TEST_F(ArrangementTest, TheHistoryHasBounds) {
  for (int i = 1; i <= 300; ++i) move(1, i, anna);
  EXPECT_EQ(wall.history().entries().size(), History::kMostEntries);
  EXPECT_EQ(wall.history().entries().back().number, 300U);
  EXPECT_EQ(wall.next_step(true), &wall.history().entries().back());
  undo();
  EXPECT_EQ(rect_of(1).x, 299);
  // Large steps count by their size.
  HistoryEntry large;
  large.closed.resize(1);
  large.closed[0].content = PlayRequest{};
  large.closed[0].content->media = {std::string(History::kMostBytes / 3, 'x')};
  for (int i = 0; i < 5; ++i) wall.history().add(large);
  EXPECT_LT(wall.history().entries().size(), 5U);
  EXPECT_NE(wall.next_step(true), nullptr);
  for (int i = 1; i <= 300; ++i) move(1, i, anna);
  EXPECT_EQ(wall.history().entries().size(), History::kMostEntries) << "once the large ones left";
}

TEST_F(ArrangementTest, PartitionsTellWhichWindowsStandInThem) {
  auto halves = partition_grid(kWall, 2, 1);
  ASSERT_TRUE(halves);
  wall.change({.partitions = *halves}, {.verb = "made partitions", .names_windows = false}, anna);
  Touched touched = wall.take_touched();
  EXPECT_TRUE(touched.partitions);
  EXPECT_THAT(touched.windows, ElementsAre(1, 2, 3));
  EXPECT_EQ(wall.windows().find(1)->partition, "1");
  move(1, 1900, anna);
  EXPECT_EQ(wall.windows().find(1)->partition, "") << "across both";
  move(1, 1920, anna);
  EXPECT_EQ(wall.windows().find(1)->partition, "2");
  undo();
  undo();
  EXPECT_TRUE(undo().partitions);
  EXPECT_EQ(wall.windows().find(1)->partition, "");
  EXPECT_THAT(wall.partitions().all(), IsEmpty());
}

TEST(Partitions, TheSmallestCounts) {
  Partitions partitions;
  ASSERT_TRUE(partitions.set({"large", {0, 0, 1000, 1000}}, kWall));
  ASSERT_TRUE(partitions.set({"small", {100, 100, 200, 200}}, kWall));
  EXPECT_EQ(partitions.around({100, 100, 200, 200})->name, "small");
  EXPECT_EQ(partitions.around({99, 100, 200, 200})->name, "large");
  EXPECT_EQ(partitions.around({900, 900, 101, 100}), nullptr);
  EXPECT_FALSE(partitions.set({"", {0, 0, 10, 10}}, kWall));
  EXPECT_FALSE(partitions.set({"off", {3000, 0, 1000, 100}}, kWall));
  EXPECT_TRUE(partitions.remove("large"));
  EXPECT_FALSE(partitions.remove("large"));
}

TEST(Partitions, HaveABound) {
  EXPECT_FALSE(partition_grid(kWall, 257, 1));
  auto most = partition_grid(kWall, 16, 16);
  ASSERT_TRUE(most);
  EXPECT_EQ(most->set({"one more", {0, 0, 1, 1}}, kWall).error().code, sail::ErrorCode::kLimit);
  EXPECT_TRUE(most->set({"1", {0, 0, 1, 1}}, kWall));
  EXPECT_FALSE(partition_grid({8, 8}, 9, 1)) << "not a pixel for each";
}

TEST(Partitions, WindowsFollow) {
  const sail::Size film{1600, 900};
  const sail::Rect from{0, 0, 1920, 1080};
  const sail::Rect to{1920, 0, 960, 1080};
  EXPECT_EQ(follow_partition(from, film, from, to), to) << "what fills it goes on filling it";
  EXPECT_EQ(follow_partition(fit_into({500, 500}, from), {500, 500}, from, to),
            fit_into({500, 500}, to));
  EXPECT_EQ(follow_partition({480, 270, 960, 540}, film, from, to),
            (sail::Rect{2160, 405, 480, 270}));
  std::mt19937 random(7);
  const auto any = [&](int most) {
    return static_cast<int>(random() % static_cast<unsigned>(most));
  };
  for (int i = 0; i < 2000; ++i) {
    const sail::Rect a{any(500), any(500), 1 + any(700), 1 + any(700)};
    const sail::Rect b{any(500), any(500), 1 + any(700), 1 + any(700)};
    sail::Rect window{a.x + any(a.width), a.y + any(a.height), 1, 1};
    window.width += any(a.right() - window.x);
    window.height += any(a.bottom() - window.y);
    const sail::Rect there = follow_partition(window, film, a, b);
    ASSERT_EQ(intersect(there, b), there);
  }
}

// --- side by side

void expect_side_by_side(const sail::Rect& area, const std::vector<sail::Size>& contents,
                         const std::vector<sail::Rect>& places) {
  ASSERT_EQ(places.size(), contents.size());
  for (size_t i = 0; i < places.size(); ++i) {
    ASSERT_EQ(intersect(places[i], area), places[i]);
    // The aspect ratio is kept to a pixel.
    const double factor = static_cast<double>(contents[i].width) / contents[i].height;
    const bool kept =
        std::abs(places[i].height * factor - places[i].width) <= std::max(factor, 1.0) ||
        std::abs(places[i].width / factor - places[i].height) <= 1;
    ASSERT_TRUE(kept) << places[i].width << "×" << places[i].height << " for " << contents[i].width
                      << "×" << contents[i].height;
    for (size_t k = 0; k < i; ++k) ASSERT_TRUE(intersect(places[i], places[k]).empty());
  }
}

int64_t covered(const std::vector<sail::Rect>& places) {
  int64_t sum = 0;
  for (const sail::Rect& place : places) sum += int64_t{place.width} * place.height;
  return sum;
}

TEST(SideBySide, NothingOverlapsOrLeavesTheArea) {
  std::mt19937 random(11);
  const auto any = [&](int least, int most) {
    return least + static_cast<int>(random() % static_cast<unsigned>(most - least + 1));
  };
  for (int round = 0; round < 120; ++round) {
    const sail::Rect area{any(-500, 500), any(-500, 500), any(800, 8000), any(800, 4000)};
    std::vector<sail::Size> contents(static_cast<size_t>(any(1, 90)));
    for (sail::Size& content : contents) content = {any(100, 4000), any(100, 3000)};
    SCOPED_TRACE(testing::Message()
                 << contents.size() << " in " << area.width << "×" << area.height);
    expect_side_by_side(area, contents, arrange_grid(area, contents, 0).rects);
    expect_side_by_side(area, contents, arrange_grid(area, contents, any(1, 12)).rects);
    expect_side_by_side(area, contents, arrange_rows(area, contents).rects);
    const size_t main = random() % contents.size();
    const auto places = arrange_main(area, contents, main).rects;
    expect_side_by_side(area, contents, places);
    if (HasFatalFailure()) return;
  }
}

TEST(SideBySide, RowsUseTheAreaBetterThanAGridWhereAspectsDiffer) {
  const sail::Rect area{0, 0, 3840, 2160};
  const std::vector<sail::Size> contents = {{1600, 900}, {900, 1600}, {3000, 700}, {500, 500},
                                            {1600, 900}, {900, 1600}, {1000, 800}};
  EXPECT_GT(covered(arrange_rows(area, contents).rects),
            covered(arrange_grid(area, contents, 0).rects) * 5 / 4);
  EXPECT_TRUE(arrange_rows(area, {}).rects.empty());
}

TEST(SideBySide, TheMainOneIsTheLargest) {
  const std::vector<sail::Size> contents(5, sail::Size{1600, 900});
  EXPECT_THAT(arrange_main({0, 0, 3840, 1080}, contents, 2).rects[2],
              (sail::Rect{480, 0, 1920, 1080}));
  for (const sail::Rect area : {sail::Rect{0, 0, 1920, 1080}, {10, 20, 1000, 3000}}) {
    const auto places = arrange_main(area, contents, 4).rects;
    for (size_t i = 0; i < 4; ++i) EXPECT_GE(places[4].width, 2 * places[i].width);
  }
  EXPECT_THAT(arrange_main({0, 0, 160, 90}, std::vector<sail::Size>{{16, 9}}, 0).rects,
              ElementsAre(sail::Rect{0, 0, 160, 90}));
}

TEST(SideBySide, ThousandsAreArrangedToo) {
  const std::vector<sail::Size> contents(4096, sail::Size{1920, 1080});
  const sail::Rect area{0, 0, 61440, 34560};
  for (const auto& places : {arrange_grid(area, contents, 0), arrange_rows(area, contents),
                             arrange_main(area, contents, 0)}) {
    EXPECT_EQ(places.rects.size(), contents.size());
    EXPECT_EQ(places.areas.size(), contents.size());
    EXPECT_GT(covered(places.rects), int64_t{area.width} * area.height * 8 / 10);
  }
}

}  // namespace
}  // namespace manager
