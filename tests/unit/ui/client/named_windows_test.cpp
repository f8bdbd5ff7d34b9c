// Windows, sizes, shares and times as users write them; summaries of wall files.
#include "ui/client/named_windows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "ui/client/value_texts.h"
#include "ui/client/wall_picture.h"
#include "ui/console/start/wall_plan.h"

namespace ui {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const sail::Json kWindows = sail::Json::parse(R"([
  {"window": 1, "title": "Film"}, {"window": 4, "title": "Film two"}, {"window": 7, "title": "Clock, Paris"},
  {"window": 9, "title": "12"}, {"window": 11, "title": "Film three", "hidden": true}])");

std::vector<int64_t> named(const std::vector<std::string>& words) {
  const auto found = named_windows(words, kWindows);
  EXPECT_TRUE(found) << found.error().message;
  return found.value_or(std::vector<int64_t>{});
}

TEST(NamedWindows, AreNumbersTitlesOrAll) {
  EXPECT_THAT(named({"3", "1,4"}), ElementsAre(3, 1, 4)) << "the manager says what is not there";
  EXPECT_THAT(named({"all", "4"}), ElementsAre(1, 4, 7, 9)) << "without hidden windows";
  EXPECT_FALSE(named_windows({"film three"}, kWindows));
  EXPECT_THAT(named({"11"}), ElementsAre(11));
  EXPECT_THAT(named({"film"}), ElementsAre(1)) << "the whole title before a part of one";
  EXPECT_THAT(named({"TWO", "clock, paris"}), ElementsAre(4, 7));
  EXPECT_THAT(named({"12"}), ElementsAre(12)) << "a number is a number";
  EXPECT_THAT(named({}), IsEmpty());
  const auto several = named_windows({"ilm"}, kWindows);
  ASSERT_FALSE(several);
  EXPECT_THAT(several.error().message, HasSubstr("1,4"));
  for (const char* word : {"opera", "1,", "1,,4", "0", "-3", "1.5", ""}) {
    EXPECT_FALSE(named_windows({word}, sail::Json::array())) << word;
    EXPECT_FALSE(named_windows({word}, {{{"window", 5}, {"title", "a 0-3,1.4"}}})) << word;
  }
}

TEST(ValueTexts, SizesPartsAndTimesAreReadAsPeopleWriteThem) {
  EXPECT_EQ(read_size("1920x1080"), std::pair(1920, 1080));
  EXPECT_EQ(read_size("1920×1080"), std::pair(1920, 1080)) << "as `ls` prints it";
  EXPECT_EQ(read_size("1920"), std::pair(1920, 0));
  EXPECT_EQ(read_size("x1080"), std::pair(0, 1080));
  for (const char* wrong :
       {"", "x", "10by10", "-1x2", "1x2x3", "1.5x2", "99999999999x1", "65537", "0x0"}) {
    EXPECT_FALSE(read_size(wrong)) << wrong;
  }
  sail::Json rect;
  EXPECT_TRUE(read_rect("1,-2,30×40", rect));
  EXPECT_EQ(rect, sail::Json({1, -2, 30, 40}));
  for (const char* wrong : {"1,2", "1,2,0x4", "1,2,3x65537", "-1000001,2,3x4", "1,2,3x4x"}) {
    EXPECT_FALSE(read_rect(wrong, rect)) << wrong;
  }
  EXPECT_EQ(read_share("0.5"), 0.5);
  EXPECT_EQ(read_share("50%"), 0.5);
  EXPECT_EQ(read_share("1"), 1.0);
  for (const char* wrong : {"", "%", "2", "-0.1", "101%", "half", "nan"}) {
    EXPECT_FALSE(read_share(wrong)) << wrong;
  }
  EXPECT_EQ(read_seconds("90"), 90);
  EXPECT_EQ(read_seconds("1.5"), 1.5);
  EXPECT_EQ(read_seconds("1:30"), 90);
  EXPECT_EQ(read_seconds("1:02:03.5"), 3723.5);
  for (const char* wrong : {"", ":", "1:", "-1", "1:60", "1:2:3:4", "soon", "nan", "inf"}) {
    EXPECT_FALSE(read_seconds(wrong)) << wrong;
  }
}

TEST(WallPicture, IsOfTheKindOfTheFilesEnding) {
  EXPECT_EQ(picture_kind("a/wall.png"), PictureKind::kPng);
  EXPECT_EQ(picture_kind("wall.x.JPG"), PictureKind::kJpeg);
  EXPECT_EQ(picture_kind("wall.jpeg"), PictureKind::kJpeg);
  for (const char* other : {"wall", "png", "wall.gif", "wall.", ""}) {
    EXPECT_FALSE(picture_kind(other)) << other;
  }
  const std::string path = testing::TempDir() + "vitrail_wall_picture.jpg";
  const WallPicture white{
      .size = {2, 2}, .pixels = std::vector<uint8_t>(16, 255), .frames = {}, .missing = {}};
  ASSERT_TRUE(write_picture(white, path));
  std::ifstream file(path, std::ios::binary);
  EXPECT_EQ(file.get(), 0xFF);
  EXPECT_EQ(file.get(), 0xD8);
  EXPECT_FALSE(write_picture(white, "/no/such/folder/wall.jpg"));
}

TEST(FilmPlace, IsATimeAStepOrAShare) {
  sail::Json window = {
      {"window", 3},
      {"playback", {{"position_s", 60.0}, {"at_ns", 0}, {"duration_s", 100.0}, {"rate", 2.0}}}};
  const auto seconds = [&](const char* text) {
    const auto place = read_film_place(text);
    EXPECT_TRUE(place) << text;
    return place ? seconds_of(*place, window, 5'000'000'000) : 0;
  };
  EXPECT_EQ(seconds("1:02:03"), 3723) << "the manager knows the film's end";
  EXPECT_EQ(seconds("50%"), 50);
  EXPECT_EQ(seconds("+5"), 75);
  EXPECT_EQ(seconds("-1:00"), 10);
  EXPECT_EQ(seconds("-1:30"), 0);
  EXPECT_EQ(seconds("+1:30"), 100);
  window["playback"]["position_s"] = 95.0;
  EXPECT_EQ(seconds("-5"), 95) << "it is at its end";
  window["playback"]["loop"] = true;
  EXPECT_EQ(seconds("-3"), 2) << "it has begun again";
  window["playback"]["loop"] = false;
  window["playback"]["position_s"] = 60.0;
  window["playback"]["paused"] = true;
  EXPECT_EQ(seconds("+5"), 65);
  window["playback"]["duration_s"] = 0;
  EXPECT_EQ(seconds("+1:30"), 150);
  EXPECT_FALSE(seconds("50%")) << "of what?";
  window.erase("playback");
  EXPECT_FALSE(seconds("+5"));
  EXPECT_EQ(seconds("5"), 5);
  for (const char* wrong : {"", "+", "-", "+-5", "101%", "-5%", "soon"}) {
    EXPECT_FALSE(read_film_place(wrong)) << wrong;
  }
}

sail::Wall wall(const std::string& text) {
  auto parsed = sail::parse_wall(text);
  EXPECT_TRUE(parsed) << parsed.error().message;
  return parsed.value_or(sail::Wall{});
}

TEST(WallCheck, SaysWhatAWallIsAndWhatIsHardlyMeant) {
  const sail::Wall good = wall(R"({"grid": {"columns": 4, "rows": 3, "resolution": [1920, 1080],
                                  "tiles_per_receiver": [4, 1]}})");
  EXPECT_EQ(wall_summary(good), "12 displays, 3 nodes, 7680×3240");
  EXPECT_THAT(wall_warnings(good), IsEmpty());
  const std::string tile = R"({"receiver": "n", "resolution": [1920, 1080], )";
  const auto turned =
      wall(R"({"tiles": [)" + tile + R"("at": [0, 0], "rotation": 90},)" + tile +
           R"("at": [2000, 0], "rotation": 270, "size": [1920, 1080], "window_at": [0, 0]}]})");
  EXPECT_THAT(wall_warnings(turned), ElementsAre(HasSubstr("tile2"), HasSubstr("1 of its 2")));
}

}  // namespace
}  // namespace ui
