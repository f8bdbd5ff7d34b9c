// Blank and frozen windows of a whole wall: what people conceal is concealed on all tiles, and
// comes back on all tiles in one swap.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/e2e/walls/film_on_wall.h"

namespace test {
namespace {

using reference::Picture;

class ConcealedWall : public testing::Test, protected FilmOnWall {
 protected:
  ConcealedWall() : FilmOnWall("concealed", grid_wall(), kPlace) {}
  // Calls the verb and waits until all tiles show its effect.
  void conceal(const char* verb, const sail::Json& params) {
    wall_.call(verb, params);
    wall_.settle();
  }
  // Returns the picture of the wall.
  Picture picture() {
    const std::vector<Picture> shown = tiles();
    return shown.empty() ? Picture{} : reference::wall_picture(wall_.wall(), shown);
  }
  // Expects `picture` to be black in the area, except for letters in its middle third, and to be
  // like `before` elsewhere. Returns the number of bright pixels in the area.
  static int expect_black(const Picture& picture, const Picture& before, const sail::Rect& area) {
    int bright = 0;
    const int third = area.height / 3;
    for (int y = 0; y < picture.height; ++y) {
      for (int x = 0; x < picture.width; ++x) {
        const uint8_t* pixel = picture.at(x, y);
        if (!area.contains(x, y)) {
          EXPECT_TRUE(std::equal(pixel, pixel + 3, before.at(x, y))) << x << ", " << y;
          continue;
        }
        const bool letters = y >= area.y + third && y < area.bottom() - third;
        EXPECT_TRUE(letters || pixel[0] + pixel[1] + pixel[2] == 0) << x << ", " << y;
        bright += pixel[1] > 128 ? 1 : 0;
      }
    }
    return bright;
  }

  static constexpr sail::Rect kPlace{8, 8, 600, 340};
};

TEST_F(ConcealedWall, AnAreaAWindowAndTheWallAreBlackWithALine) {
  const Picture before = picture();
  const sail::Rect area{100, 60, 440, 240};  // on four tiles
  conceal("blank",
          {{"areas", sail::Json::array({sail::rect_json(area)})}, {"text", "back at 11:15"}});
  EXPECT_GT(expect_black(picture(), before, area), 100) << "the line is there";
  conceal("blank", {{"on", false}});
  EXPECT_EQ(picture(), before);
  conceal("blank", {{"windows", {wall_.window()["window"]}}});
  EXPECT_EQ(expect_black(picture(), before, kPlace), 0);
  show(2);  // the film continues
  EXPECT_EQ(expect_black(picture(), before, kPlace), 0);
  conceal("blank", {{"on", false}});
  EXPECT_FALSE(picture() == before) << "its current frame is shown";
  conceal("blank", {{"text", "soon"}});
  const sail::Size size = wall_.wall().size;
  EXPECT_GT(expect_black(picture(), before, {0, 0, size.width, size.height}), 100);
}

TEST_F(ConcealedWall, AFrozenWindowStaysWhileItsFilmGoesOnAndComesBackAtOnce) {
  const Picture before = picture();
  conceal("freeze", sail::Json::object());
  EXPECT_EQ(picture(), before);
  const uint64_t dropped = stream_.stats().frames_dropped;
  for (uint64_t number = 2; number < 6; ++number) {
    show(number);
    EXPECT_EQ(picture(), before) << number;
  }
  EXPECT_EQ(stream_.stats().frames_dropped, dropped + 4) << "they are reported";
  EXPECT_TRUE(wall_.window().contains("frozen"));
  EXPECT_EQ(wall_.tiles().frozen, sail::Json::array({wall_.window()["window"]}));
  conceal("freeze", {{"on", false}});
  const Picture after = picture();
  EXPECT_FALSE(after == before);
  show(5);
  EXPECT_EQ(picture(), after) << "all tiles have shown the current frame at once";
}

}  // namespace
}  // namespace test
