// One stream from several senders on a whole wall: checks the tiles for different parts and tiles,
// for moving windows and for films.
#include "tests/e2e/walls/parts_wall.h"

#include <atomic>
#include <chrono>

#include "sail/apps/play/bplay.h"
#include "tests/support/temp_folder.h"

namespace test {
namespace {

// Two columns, of which the right one is cut in two or three.
std::vector<Rect> columns(Size frame, int ranks) {
  std::vector<Rect> regions{{0, 0, 264, frame.height}};
  for (Rect band : bands({frame.width - 264, frame.height}, ranks - 1)) {
    band.x = 264;
    regions.push_back(band);
  }
  return regions;
}

// Two landscape tiles with a gap, one on its side, one denser than the wall, on two receivers.
sail::Wall uneven_wall() {
  return sail::parse_wall(R"({"tiles": [
    {"name": "a", "at": [0, 0], "resolution": [320, 200], "receiver": "one"},
    {"name": "b", "at": [328, 0], "resolution": [180, 320], "rotation": 90, "receiver": "two"},
    {"name": "dense", "at": [0, 208], "resolution": [640, 320], "size": [320, 160],
     "receiver": "two", "window_at": [320, 0]}]})")
      .value();
}

TEST_F(PartsWall, AnyPartsOnAnyTilesAreOnePicture) {
  for (const bool uneven : {false, true}) {
    start(uneven ? uneven_wall() : grid_wall());
    for (const int ranks : {2, 3, 4}) {
      for (const auto& regions : {bands(kFrame, ranks), columns(kFrame, ranks)}) {
        const Rect place{3, 1, kFrame.width, kFrame.height};
        Ranks parallel(*wall_, {.regions = regions, .place = place});
        ASSERT_TRUE(parallel.opened()) << testing::PrintToString(parallel.errors());
        for (const uint64_t card : {1, 2}) parallel.show(test_card(kFrame, card));
        expect_pixels(coded(test_card(kFrame, 2)), place, std::to_string(ranks) + " ranks",
                      uneven ? seams_of(regions, place) : Seams{});
        EXPECT_EQ(wall_->windows().size(), 1U);
      }
      EXPECT_TRUE(eventually([&] { return wall_->windows().empty(); }));
    }
  }
}

TEST_F(PartsWall, OneWindowIsMovedTurnedCutAndScaled) {
  start(grid_wall());
  Ranks parallel(*wall_, {});
  ASSERT_TRUE(parallel.opened());
  const Picture card = test_card(kFrame, 7);
  const uint32_t window = parallel.window();
  // The frame in flight may lack blocks that a layout uncovers; the next frame has them.
  const auto show_settled = [&](const Picture& picture) {
    parallel.show(picture);
    wall_->settle();
    parallel.show(picture);
  };
  show_settled(card);
  wall_->call("move", {{"window", window}, {"x", -37}, {"y", 20}});
  show_settled(card);
  expect_pixels(coded(card), {-37, 20, 640, 360}, "moved");

  wall_->call("look", {{"window", window}, {"flip", true}});
  show_settled(card);
  sail::ViewTransform look{.flip = true};
  expect_pixels(reference::seen(coded(card), look), {-37, 20, 640, 360}, "mirrored");
  wall_->call("look", {{"window", window}, {"flip", false}, {"rotate", 90}});
  place(window, {8, 4, 360, 640});
  show_settled(card);
  look = {.rotate = 90};
  expect_pixels(reference::seen(coded(card), look), {8, 4, 360, 640}, "turned");
  wall_->call("look", {{"window", window}, {"rotate", 0}, {"crop", {100, 50, 300, 200}}});
  place(window, {8, 4, 300, 200});
  show_settled(card);
  look = {.crop = {100, 50, 300, 200}};
  expect_pixels(reference::seen(coded(card), look), {8, 4, 300, 200}, "cut");

  wall_->call("look", {{"window", window}, {"crop", {0, 0, 640, 360}}});
  place(window, {8, 4, 320, 180});
  show_settled(test_card(kFrame, 8));
  expect_pixels(coded(test_card(kFrame, 8), 1), {8, 4, 320, 180}, "halved");
  place(window, {8, 4, 533, 300});
  show_settled(card);
  expect_pixels(coded(card), {8, 4, 533, 300}, "scaled", {.rows = {4 + 100, 4 + 200}});
}

TEST_F(PartsWall, AFrameIsShownWhenAllOfItIsThere) {
  start(grid_wall());
  Ranks parallel(*wall_, {});
  ASSERT_TRUE(parallel.opened());
  parallel.show(test_card(kFrame, 1));
  const Picture next = test_card(kFrame, 2);
  const uint64_t before = parallel.shown();
  ASSERT_EQ(parallel.submit(0, next), SAIL_OK);
  ASSERT_EQ(parallel.submit(2, next), SAIL_OK);
  // When rank 1 counts as silent, the receivers have long had the parts of the other ranks.
  EXPECT_TRUE(eventually([&] { return state(1) == "silent"; }));
  EXPECT_EQ(cards(), std::set<uint32_t>{1});
  EXPECT_EQ(parallel.shown(), before);
  ASSERT_EQ(parallel.submit(1, next), SAIL_OK);
  EXPECT_TRUE(eventually([&] { return cards() == std::set<uint32_t>{2}; }));
  EXPECT_TRUE(eventually([&] { return state(1) == "there"; }));
}

// Each rank runs at its own pace; only the sync table connects them.
TEST_F(PartsWall, NoFrameIsMixedWhileItMoves) {
  start(grid_wall());
  Ranks parallel(*wall_, {});
  ASSERT_TRUE(parallel.opened());
  std::vector<Picture> film;
  for (uint64_t card = 1; card <= 10; ++card) film.push_back(test_card(kFrame, card));
  std::atomic<bool> playing = true;
  std::vector<std::thread> threads;
  for (size_t rank = 0; rank < parallel.count(); ++rank) {
    threads.emplace_back([&, rank] {
      for (size_t i = 0; playing; ++i) {
        parallel.submit(rank, film[i % film.size()]);
        // Each rank has its own clock, at about 30 frames a second.
        std::this_thread::sleep_for(std::chrono::milliseconds(30 + rank));
      }
    });
  }
  for (int i = 0; i < 20; ++i) {
    const uint64_t before = parallel.shown();
    wall_->call("move", {{"window", parallel.window()}, {"x", 3 * i}, {"y", i % 3 * 150}});
    EXPECT_TRUE(eventually([&] { return parallel.shown() > before + 3; })) << i;
    std::set<uint32_t> shown;
    // A receiver on a busy machine may learn of a swap one frame late.
    for (int tries = 0; tries < 4; ++tries) {
      shown.clear();
      const auto taken = ui::take_tile_pictures(wall_->client());
      ASSERT_TRUE(taken) << taken.error().message;
      for (const sail::TilePicture& tile : taken->snapshot.pictures) shown.merge(cards_on(tile));
      if (shown.size() <= 1) break;
    }
    EXPECT_LE(shown.size(), kMostFramesAtOnce) << testing::PrintToString(shown);
  }
  // A rank that waits for the others learns that the window is closed.
  wall_->client().peer().call("close", {{"window", parallel.window()}}, [](const auto&) {});
  for (size_t rank = 0; rank < parallel.count(); ++rank) {
    EXPECT_TRUE(eventually([&] {
      wall_->call("list");
      const auto event = parallel.session(rank).poll();
      return event && event->type == SAIL_EVENT_CLOSE;
    })) << rank;
  }
  playing = false;
  for (std::thread& thread : threads) thread.join();
  parallel.stream(1).close();
  EXPECT_TRUE(eventually([&] { return wall_->windows().empty(); })) << "one rank ends it for all";
}

// --- a film -------------------------------------------------------------------------------------

TEST_F(PartsWall, PlayersOfBandsAreOneFilm) {
  start(grid_wall());
  const sail::TempFolder folder;
  const std::string film = folder.file("film.vmov");
  write_test_film(film, {.size = kFrame, .fps = 25});
  std::vector<std::thread> players;
  for (int rank = 0; rank < 3; ++rank) {
    sail::BplayOptions options;
    options.films = {film};
    options.manager = wall_->manager_address();
    options.place = Rect{5, 3, 0, 0};
    options.loop = true;
    options.part = {rank, 3};
    options.log_level = sail::LogLevel::kError;
    players.emplace_back([options] { EXPECT_EQ(sail::Bplay(options).run(), 0); });
  }
  EXPECT_TRUE(eventually([&] { return wall_->windows().size() == 1; }));
  EXPECT_EQ(wall_->window()["group"], "film.vmov");
  EXPECT_EQ(wall_->window()["title"], "film.vmov");
  EXPECT_TRUE(eventually([&] { return cards().size() == 1; }));
  wall_->call("control", {{"window", wall_->window()["window"]}, {"action", "pause"}});
  wall_->call("control",
              {{"window", wall_->window()["window"]}, {"action", "seek"}, {"value", 1.98}});
  EXPECT_TRUE(eventually([&] { return cards() == std::set<uint32_t>{50}; }));
  wall_->settle();
  expect_pixels(coded(test_card(kFrame, 50)), {5, 3, 640, 360}, "a film's picture");
  wall_->call("close", {{"window", wall_->window()["window"]}});
  for (std::thread& player : players) player.join();
  EXPECT_TRUE(wall_->windows().empty());
}

}  // namespace
}  // namespace test
