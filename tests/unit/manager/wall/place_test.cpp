// A window keeps the place that a user, a session or the manager gave it: pictures of any shape are
// fitted into it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "manager/wall/arrange.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/manager/peers/manager_test.h"

namespace manager {
namespace {

using sail::Json;
using sail::Rect;
using sail::Size;

constexpr Size kWide{320, 240};
constexpr Size kHigh{240, 320};
constexpr Rect kPlace{101, 50, 490, 368};

class PlaceTest : public PeopledManagerTest {
 protected:
  PlaceTest() { options.state_folder = folder.path(); }

  const Window& window(uint32_t number = 1) { return *fs_manager->desk().windows().find(number); }
  Rect rect(uint32_t number = 1) { return window(number).wall_rect; }
  void open(Size frames, std::optional<Rect> place = kPlace) {
    Json params = stream_params("film", place);
    params["frame_size"] = sail::size_json(frames);
    app->expect("open_stream", params);
  }
  // The next film of a playlist, which replaces the stream.
  void show(Size frames, std::optional<Rect> shape = std::nullopt, uint32_t number = 1) {
    Json params = stream_params("film", shape);
    params["frame_size"] = sail::size_json(frames);
    params["replaces"] = window(number).stream;
    app->expect("open_stream", params);
  }
  void change_nine_times() {
    for (int i = 0; i < 9; ++i) show(i % 2 == 0 ? kHigh : kWide);
    show(kWide);
  }

  const sail::TempFolder folder;
};

TEST_F(PlaceTest, NineChangesOfShapeLeaveTheWindowAsLargeAsItWas) {
  open(kWide);
  const Rect wide = fit_into(kWide, kPlace);
  const Rect high = fit_into(kHigh, kPlace);
  EXPECT_EQ(rect(), wide);
  for (int i = 0; i < 9; ++i) {
    show(i % 2 == 0 ? kHigh : kWide);
    EXPECT_EQ(rect(), i % 2 == 0 ? high : wide) << "change " << i;
    EXPECT_EQ(window().place, kPlace);
  }
}

TEST_F(PlaceTest, WhatPeopleDecideIsThePlaceWhateverIsShownThen) {
  open(kWide);
  show(kHigh);
  const Rect high = rect();
  console->expect("move", {{"window", 1}, {"dx", 100}, {"dy", 7}});
  EXPECT_EQ(rect(), (Rect{high.x + 100, high.y + 7, high.width, high.height}));
  show(kWide);
  EXPECT_EQ(rect(), fit_into(kWide, {201, 57, 490, 368})) << "a move takes the place along";
  console->expect("place", {{"windows", {{{"window", 1}, {"rect", {0, 0, 300, 100}}}}}});
  EXPECT_EQ(rect(), (Rect{0, 0, 300, 100}));
  change_nine_times();
  EXPECT_EQ(rect(), fit_into(kWide, {0, 0, 300, 100}));
  show(kHigh);
  console->expect("fit", {{"window", 1}, {"tile", "r"}});
  show(kWide);
  EXPECT_EQ(rect(), fit_into(kWide, {1920, 0, 1920, 1080}));
  show(kHigh);
  console->expect("arrange");
  show(kWide);
  const Rect wall{0, 0, 3840, 1080};
  EXPECT_EQ(rect(), keep_clear(fit_into(kWide, wall), wall, fs_manager->desk().tile_gaps()));
}

TEST_F(PlaceTest, AMoveMaySayOneOfBothCoordinates) {
  open(kWide, Rect{10, 20, 320, 240});
  EXPECT_EQ(console->expect("move", {{"window", 1}, {"x", 5}})["rect"], (Json{5, 20, 320, 240}));
  EXPECT_EQ(console->expect("move", {{"window", 1}, {"dy", 5}})["rect"], (Json{5, 25, 320, 240}));
  EXPECT_FALSE(console->call("move", {{"window", 1}}));
}

TEST_F(PlaceTest, TheManagersChoiceIsAPlaceToo) {
  open(kHigh, std::nullopt);
  show(kWide);
  EXPECT_EQ(rect(), fit_into(kWide, {0, 0, 3840, 1080}));
  open(kHigh, std::nullopt);
  const uint32_t second = fs_manager->desk().windows().order().back();
  const Rect area = window(second).place;
  show(kWide, std::nullopt, second);
  EXPECT_EQ(rect(second), fit_into(kWide, area));
}

TEST_F(PlaceTest, MaximisedItFillsTheWallAndComesBackToItsPlace) {
  open(kWide);
  const Rect before = rect();
  console->expect("maximise", {{"window", 1}});
  show(kHigh);
  EXPECT_EQ(rect(), fit_into(kHigh, {0, 0, 3840, 1080}));
  console->expect("maximise", {{"window", 1}, {"on", false}});
  EXPECT_EQ(rect(), fit_into(kHigh, kPlace));
  show(kWide);
  EXPECT_EQ(rect(), before);
}

TEST_F(PlaceTest, TurnedPicturesAreFittedToo) {
  open(kWide);
  console->expect("look", {{"window", 1}, {"rotate", 90}});
  const Rect turned = rect();
  change_nine_times();
  EXPECT_EQ(rect(), turned);
  console->expect("look", {{"window", 1}, {"rotate", 0}});
  EXPECT_EQ(rect(), fit_into(kWide, kPlace));
}

TEST_F(PlaceTest, UndoAndLayoutsFitWhatIsShownNow) {
  open(kWide);
  const Rect start = rect();
  console->expect("layout_save", {{"name", "start"}});
  console->expect("resize", {{"window", 1}, {"width", 1000}});
  const Rect large = rect();
  show(kHigh);
  console->expect("undo");
  EXPECT_EQ(rect(), fit_into(kHigh, kPlace));
  console->expect("redo");
  EXPECT_EQ(rect(), fit_into(kHigh, large));
  console->expect("layout_apply", {{"name", "start"}});
  EXPECT_EQ(rect(), fit_into(kHigh, kPlace));
  show(kWide);
  EXPECT_EQ(rect(), start);
}

TEST_F(PlaceTest, SessionsKeepIt) {
  open(kWide);
  show(kHigh);
  console->expect("session_save", {{"name", "now"}});
  console->expect("resize", {{"window", 1}, {"width", 1000}});
  console->expect("session_restore", {{"name", "now"}});
  EXPECT_EQ(rect(), fit_into(kHigh, kPlace));
  show(kWide);
  EXPECT_EQ(rect(), fit_into(kWide, kPlace));
}

// Films with non-square pixels: the place's shape gives the display aspect ratio.
TEST_F(PlaceTest, TheShapeThatIsSaidCounts) {
  open({720, 576}, Rect{0, 0, 1600, 900});
  show({720, 576}, Rect{0, 0, 1024, 576});
  EXPECT_EQ(rect(), (Rect{0, 0, 1600, 900}));
  EXPECT_EQ(console->expect("fit", {{"window", 1}})["rect"],
            sail::rect_json(fit_into({1024, 576}, {0, 0, 3840, 1080})));
  show({720, 576});
  EXPECT_EQ(rect(), fit_into({720, 576}, {0, 0, 3840, 1080}));
}

TEST_F(PlaceTest, FillCropsAndStretchDistorts) {
  open(kWide);
  Json reported = console->expect("fit", {{"window", 1}, {"tile", "l"}, {"fill", true}});
  EXPECT_EQ(reported["rect"], (Json{0, 0, 1920, 1080}));
  EXPECT_EQ(reported["look"]["crop"], (Json{0, 30, 320, 180})) << "16:9 of 4:3";
  // A new area crops the whole picture again, and films of other shapes are cropped as well.
  EXPECT_EQ(console->expect("fit", {{"window", 1}, {"fill", true}})["look"]["crop"],
            (Json{0, 75, 320, 90}));
  show(kHigh);
  EXPECT_EQ(rect(), (Rect{0, 0, 3840, 1080}));
  EXPECT_EQ(window().look.crop, (Rect{0, 126, 240, 68}));
  show(kWide);
  EXPECT_EQ(window().look.crop, (Rect{0, 75, 320, 90}));
  reported = console->expect("fit", {{"window", 1}, {"tile", "l"}});
  EXPECT_FALSE(reported.contains("look"));
  EXPECT_EQ(reported["rect"], sail::rect_json(fit_into(kWide, {0, 0, 1920, 1080})));
  reported = console->expect("fit", {{"window", 1}, {"tile", "l"}, {"stretch", true}});
  EXPECT_FALSE(reported.contains("look"));
  EXPECT_EQ(reported["rect"], (Json{0, 0, 1920, 1080}));
  // A crop chosen by a user is cropped further.
  console->expect("look", {{"window", 1}, {"crop", {0, 0, 160, 160}}, {"rotate", 90}});
  reported = console->expect("fit", {{"window", 1}, {"tile", "l"}, {"fill", true}});
  EXPECT_EQ(reported["look"]["crop"], (Json{35, 0, 90, 160}));
  EXPECT_FALSE(console->call("fit", {{"window", 1}, {"fill", true}, {"stretch", true}}));
}

TEST_F(PlaceTest, SwappedWindowsAreEachFittedIntoTheOthersPlace) {
  open(kWide);
  open(kHigh, Rect{2000, 0, 400, 400});
  open(kHigh, Rect{0, 500, 90, 90});
  const auto order = fs_manager->desk().windows().order();
  console->expect("maximise", {{"window", 3}});
  const Json steps = console->expect("history")["done"];
  console->expect("swap", {{"window", 1}, {"other", 2}});
  EXPECT_EQ(rect(1), fit_into(kWide, {2000, 0, 400, 400}));
  EXPECT_EQ(rect(2), fit_into(kHigh, kPlace));
  EXPECT_EQ(fs_manager->desk().windows().order(), (std::vector<uint32_t>{2, 1, 3}));
  show(kHigh);
  EXPECT_EQ(rect(1), fit_into(kHigh, {2000, 0, 400, 400})) << "it is its place now";
  EXPECT_EQ(console->expect("history")["done"], steps.get<int>() + 1);
  console->expect("undo");
  EXPECT_EQ(rect(1), fit_into(kHigh, kPlace));
  EXPECT_EQ(rect(2), fit_into(kHigh, {2000, 0, 400, 400}));
  EXPECT_EQ(fs_manager->desk().windows().order(), order);
  // A maximised window stays maximised, with the other content.
  console->expect("swap", {{"window", 1}, {"other", 3}});
  EXPECT_TRUE(window(1).before_maximised);
  EXPECT_EQ(rect(1), fit_into(kHigh, {0, 0, 3840, 1080}));
  EXPECT_EQ(rect(3), fit_into(kHigh, kPlace));
  console->expect("lock", {{"window", 2}});
  const auto locked = console->call("swap", {{"window", 1}, {"other", 2}});
  ASSERT_FALSE(locked);
  EXPECT_EQ(locked.error().code, sail::ErrorCode::kConflict);
}

}  // namespace
}  // namespace manager
