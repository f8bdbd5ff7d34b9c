// A fade between two scenes: at every instant, all tiles show the same mixture.
#include <gtest/gtest.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/headless_wall.h"

namespace test {
namespace {

constexpr sail::Size kWhitePicture{320, 90};

sail::Wall two_tile_wall() {
  return sail::parse_wall(R"({"grid": {"columns": 2, "rows": 1, "resolution": [160, 90]}})")
      .value();
}

// A white window that fills the wall in the scene "full", and is nearly off it in "away".
class FadeWall : public testing::Test {
 protected:
  FadeWall() {
    sail_stream_options stream{};
    stream.title = "white";
    stream.codec = "dxt1";
    stream.width = kWhitePicture.width;
    stream.height = kWhitePicture.height;
    stream.place = {0, 0, kWhitePicture.width, kWhitePicture.height};
    stream.wait_when_full = 1;
    std::string error;
    stream_ = session_->open(stream, &error);
    EXPECT_TRUE(stream_) << error;
    show_white();
    wall_.settle();
    wall_.call("session_save", {{"name", "full"}});
    const sail::Json number = wall_.window()["window"];
    const sail::Json away = {{"window", number}, {"rect", {-300, -70, 320, 90}}};
    wall_.call("place", {{"windows", sail::Json::array({away})}});
    wall_.settle();
    wall_.call("session_save", {{"name", "away"}});
  }
  void show_white() {
    const std::vector<uint8_t> white(size_t{320} * 90 * 4, 255);
    sail_frame frame{};
    frame.format = SAIL_BGRA;
    frame.planes[0] = white.data();
    frame.strides[0] = ptrdiff_t{kWhitePicture.width} * 4;
    EXPECT_EQ(stream_.submit(frame), SAIL_OK);
  }
  // Returns a level of each tile's last pixel.
  std::vector<int> levels() {
    std::vector<int> levels;
    const ui::TilePictures tiles = wall_.tiles();
    for (const sail::TilePicture& tile : tiles.snapshot.pictures) {
      levels.push_back(tile.bgra[tile.bgra.size() - 4]);
    }
    return levels;
  }
  void show_full() {
    wall_.call("scene_show", {{"name", "full"}});
    EXPECT_TRUE(eventually([&] {
      while (const auto event = session_->poll()) {
        if (event->type == SAIL_EVENT_REFRESH) show_white();
      }
      return levels() == std::vector<int>{255, 255};
    }));
  }
  int fades_reported() {
    int least = INT_MAX;
    const sail::Json state = wall_.call("list");
    for (const sail::Json& receiver : state["receivers"]) {
      const sail::Json stats = receiver.value("stats", sail::Json::object());
      least = std::min(least, stats.value("fades", 0));
    }
    return least;
  }

  HeadlessWall wall_{two_tile_wall()};
  std::unique_ptr<sail::Session> session_ = wall_.open_session("fade");
  sail::Stream stream_;
};

TEST_F(FadeWall, AllTilesAreEquallyFar) {
  constexpr int kOneStep = 4;  // levels, of a fade of two seconds, with rounding
  bool seen = false;
  int fades = 0;
  // A busy machine may take the snapshot after the fade.
  while (!seen && fades < 20) {
    show_full();
    wall_.call("scene_show", {{"name", "away"}, {"fade", 2}});
    ++fades;
    const std::vector<int> mixed = levels();
    ASSERT_EQ(mixed.size(), 2U);
    EXPECT_LE(std::abs(mixed[0] - mixed[1]), kOneStep) << mixed[0] << ", " << mixed[1];
    seen = mixed[0] > 0 && mixed[0] < 255;
  }
  EXPECT_TRUE(seen) << "no snapshot was taken during a fade";
  EXPECT_TRUE(eventually([&] { return levels() == std::vector<int>{0, 0}; }));
  EXPECT_TRUE(eventually([&] { return fades_reported() == fades; }));
}

}  // namespace
}  // namespace test
