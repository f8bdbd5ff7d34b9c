// Pointers and labels on the tiles of a whole wall: they change the picture where they are, and
// nowhere else.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "sail/core/routing/overlay_shape.h"
#include "tests/e2e/walls/film_on_wall.h"

namespace test {
namespace {

using reference::Picture;

// Tiles with mullions; one tile is rotated, and one has twice the wall's resolution.
sail::Wall four_tiles() {
  return sail::parse_wall(R"({"tiles": [
    {"name": "a", "at": [0, 0], "resolution": [320, 180], "receiver": "one"},
    {"name": "b", "at": [324, 0], "resolution": [180, 320], "rotation": 90, "receiver": "one"},
    {"name": "c", "at": [0, 184], "resolution": [640, 360], "size": [320, 180], "receiver": "two"},
    {"name": "d", "at": [324, 184], "resolution": [320, 180], "rotation": 180,
     "receiver": "three"}]})")
      .value();
}

class OverlayWall : public testing::Test, protected FilmOnWall {
 protected:
  OverlayWall() : FilmOnWall("overlay", four_tiles(), {0, 0, 650, 370}) {}
  // Returns the tiles' pictures, upright, in the wall's order.
  std::vector<Picture> pictures() {
    std::vector<Picture> upright = tiles();
    for (size_t i = 0; i < upright.size(); ++i) {
      upright[i] = reference::upright_picture(wall_.wall().tiles[i], upright[i]);
    }
    return upright;
  }
  // Expects a difference in each tile that the pointer touches, and only within the pointer's area.
  void expect_only_pointer(const std::vector<Picture>& before, const std::vector<Picture>& now,
                           int x, int y) {
    const sail::OverlayPointer pointer{
        .x = x, .y = y, .name = std::string(sail::kPointerName, 'x'), .colour = 0};
    for (size_t i = 0; i < before.size(); ++i) {
      const sail::Tile& tile = wall_.wall().tiles[i];
      const sail::Rect place = sail::pointer_rect({tile.wall_rect, tile.upright()}, pointer);
      for (int py = 0; py < before[i].height; ++py) {
        for (int px = 0; px < before[i].width; ++px) {
          if (place.contains(px, py)) continue;
          ASSERT_TRUE(std::equal(before[i].at(px, py), before[i].at(px, py) + 4, now[i].at(px, py)))
              << tile.name << ": " << px << ", " << py;
        }
      }
    }
  }
};

TEST_F(OverlayWall, APointerAcrossFourTilesComesMovesAndGoes) {
  const std::vector<Picture> before = pictures();
  wall_.call("pointer", {{"at", {322, 182}}, {"pressed", true}});
  std::vector<Picture> with;
  const auto on_all_tiles = [&] {
    with = pictures();
    return std::equal(before.begin(), before.end(), with.begin(),
                      [](const Picture& a, const Picture& b) { return !(a == b); });
  };
  ASSERT_TRUE(eventually(on_all_tiles));
  expect_only_pointer(before, with, 322, 182);

  // Over a film the pointer leaves no trail.
  for (int i = 0; i < 40; ++i) {
    wall_.call("pointer", {{"at", {320 - 3 * i, 180 - 2 * i}}});
    if (i % 4 == 0) show(static_cast<uint64_t>(i + 2));
  }
  show(1);
  ASSERT_TRUE(eventually([&] {
    with = pictures();
    return !(with[0] == before[0]) && with[3] == before[3];
  }));
  expect_only_pointer(before, with, 203, 102);

  wall_.call("pointer", {{"hidden", true}});
  EXPECT_TRUE(eventually([&] { return pictures() == before; }));
}

TEST_F(OverlayWall, FiguresComeAndGo) {
  const std::vector<Picture> before = pictures();
  wall_.call("overlay");
  EXPECT_TRUE(eventually([&] {
    const std::vector<Picture> now = pictures();
    // The window's label is at its corner, the receivers' are at the bottom of their first tiles.
    return !std::equal(now[0].at(0, 0), now[0].at(0, 0) + 12, before[0].at(0, 0)) &&
           !std::equal(now[2].at(0, 359), now[2].at(0, 359) + 12, before[2].at(0, 359)) &&
           now[1] == before[1];
  }));
  wall_.call("overlay", {{"on", false}});
  EXPECT_TRUE(eventually([&] { return pictures() == before; }));
}

class LabelledWall : private FilmOnWall {
 public:
  explicit LabelledWall(const std::string& grid)
      : FilmOnWall("overlay", sail::parse_wall(R"({"grid": )" + grid + "}").value(),
                   {100, 20, 440, 140}) {}
  void call(const char* verb, sail::Json params) {
    params["window"] = wall_.window()["window"];
    wall_.call(verb, params);
  }
  Picture picture() { return reference::wall_picture(wall_.wall(), tiles()); }
};

// Returns the smallest rectangle that contains all differences.
sail::Rect difference(const Picture& a, const Picture& b) {
  sail::Rect all;
  for (int y = 0; y < a.height; ++y) {
    for (int x = 0; x < a.width; ++x) {
      if (!std::equal(a.at(x, y), a.at(x, y) + 4, b.at(x, y))) {
        all = all.empty() ? sail::Rect{x, y, 1, 1}
                          : sail::Rect::from_edges(std::min(all.x, x), all.y,
                                                   std::max(all.right(), x + 1), y + 1);
      }
    }
  }
  return all;
}

TEST(WindowLabels, FitTogetherAcrossTilesInAllScripts) {
  LabelledWall two(R"({"columns": 2, "rows": 1, "resolution": [320, 180]})");
  LabelledWall one(R"({"columns": 1, "rows": 1, "resolution": [640, 180]})");
  const Picture before = one.picture();
  ASSERT_EQ(two.picture(), before);
  const auto both = [&](const char* verb, const sail::Json& params) {
    one.call(verb, params);
    two.call(verb, params);
  };
  // Waits until the two walls show the same, and it is not `old`.
  const auto next_picture = [&](const Picture& old) {
    Picture now;
    EXPECT_TRUE(eventually([&] {
      now = one.picture();
      return !(now == old) && two.picture() == now;
    }));
    return now;
  };
  Picture now = before;
  for (const char* text :
       {"{title}, which continues on the next tile of the wall",
        "東京の空 東京の空 東京の空 東京の空 東京の空 東京の空 東京の空 東京の空 東京",
        "שלום עולם שלום עולם שלום עולם שלום עולם שלום עולם"}) {
    both("label", {{"text", text}});
    now = next_picture(now);
    const sail::Rect changed = difference(before, now);
    EXPECT_EQ(changed.x, 100) << text;
    EXPECT_GT(changed.right(), 330) << text << ": on both tiles";
    EXPECT_EQ(changed.bottom(), 160) << text;
    EXPECT_LT(changed.height, 20) << text;
  }
  both("label", {{"place", "top"}});
  now = next_picture(now);
  EXPECT_EQ(difference(before, now).y, 20);
  both("label", {{"on", false}});
  EXPECT_EQ(next_picture(now), before);
}

}  // namespace
}  // namespace test
