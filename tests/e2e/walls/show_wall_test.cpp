// vitrail-show: the wall shows the picture, the page, or the part that users have selected.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "sail/media/still/vips_library.h"
#include "tests/support/desktop/child_program.h"
#include "tests/support/desktop/stills.h"
#include "tests/support/headless_wall.h"
#include "tests/support/temp_folder.h"
#include "ui/client/answers.h"

namespace test {
namespace {

constexpr sail::Size kWall{480, 360};

uint32_t ramp(int x, int y) {
  return static_cast<uint32_t>(x & 0xff) << 16 | static_cast<uint32_t>(y & 0xff) << 8 | 0x40;
}

class ShowWall : public testing::Test {
 protected:
  static void SetUpTestSuite() { ASSERT_TRUE(sail::start_vips(1)); }

  std::string path(const char* name) const { return folder_.file(name); }
  ChildProgram& show(std::vector<std::string> more) {
    std::vector<std::string> words{SHOW_PROGRAM, "--codec=raw", "--manager",
                                   wall_.manager_address()};
    words.insert(words.end(), more.begin(), more.end());
    program_.emplace(words);
    return *program_;
  }
  bool has_frame_size(sail::Size size) {
    return ui::member(wall_.window(), "frame_size") == sail::Json{size.width, size.height};
  }
  // Sends input to the window, as its only UI client.
  void input(sail::Json params) {
    params["window"] = wall_.window()["window"];
    wall_.call("input", params);
  }
  void press(const char* key) { input({{"type", "key_down"}, {"key", key}}); }

  // Bytes that the program has read, and its peak memory, from /proc/PID.
  uint64_t bytes_read() const { return process_figure("io", "rchar:"); }
  uint64_t peak_kib() const { return process_figure("status", "VmHWM:"); }
  uint64_t process_figure(const char* file, const std::string& name) const {
    std::ifstream in(fmt::format("/proc/{}/{}", program_->pid(), file));
    std::string word;
    uint64_t value = 0;
    while (in >> word) {
      if (word == name && in >> value) return value;
    }
    ADD_FAILURE() << name;
    return 0;
  }

  HeadlessWall wall_{one_tile_wall()};
  const sail::TempFolder folder_;
  std::optional<ChildProgram> program_;
};

TEST_F(ShowWall, APictureIsExactAndSubmittedOnce) {
  write_picture(path("a.png"), kWall, ramp);
  show({path("a.png")});
  wall_.expect_shown({0, 0, 480, 360}, ramp, "the picture");
  ASSERT_TRUE(eventually(
      [&] { return ui::number_member(ui::member(wall_.window(), "stats"), "frames_shown") >= 1; }));
  EXPECT_LE(ui::number_member(ui::member(wall_.window(), "stats"), "frames_submitted"), 3);
  EXPECT_EQ(ui::text_member(wall_.window(), "title"), "a.png");
}

TEST_F(ShowWall, AnotherShapeIsInTheMiddle) {
  write_picture(path("a.png"), {300, 300}, ramp);
  show({path("a.png"), "--place", "90,30,400x300"});
  wall_.expect_shown(
      {90, 30, 390, 300},
      [](int x, int y) { return x < 140 || x >= 440 ? 0 : ramp(x - 140, y - 30); },
      "bars at the left and right");
}

TEST_F(ShowWall, IsDrawnForTheSizeThatTheWindowHas) {
  write_mosaic(path("a.tif"), {960, 720}, Levels::kNone);
  show({path("a.tif"), "--place", "0,0,120x90"});
  ASSERT_TRUE(eventually([&] { return has_frame_size({120, 90}); }));
  wall_.call("resize", {{"window", wall_.window()["window"]}, {"width", 480}, {"height", 360}});
  ASSERT_TRUE(eventually([&] { return has_frame_size({480, 360}); }));
  // Near the border of two squares the reduced picture has intermediate values, within the radius
  // of the Lanczos kernel.
  const auto smaller = [](int x, int y) {
    const uint8_t stone = mosaic(x * 2, y * 2);
    for (const int step : {-6, 6}) {
      const bool inside = mosaic(std::max(x * 2 + step, 0), y * 2) == stone &&
                          mosaic(x * 2, std::max(y * 2 + step, 0)) == stone;
      if (!inside) return kAnything;
    }
    return stone * 0x010101U;
  };
  wall_.expect_shown({0, 0, 480, 360}, smaller, "sharper", 1);
}

// The preview, an eighth of the photo, is grey from x = 1200 to 1207, that is, in column 241.
TEST_F(ShowWall, ALargePhotoIsSharpAfterItsPreview) {
  write_picture(path("a.jpg"), {2400, 1800}, [](int x, int) { return x < 1204 ? 0xffffffU : 0U; });
  for (const bool placed : {false, true}) {
    std::vector<std::string> words{path("a.jpg")};
    if (placed) words.insert(words.end(), {"--place", "0,0,480x360"});
    show(words);
    wall_.expect_shown(
        {0, 0, 480, 360},
        [](int x, int) { return x < 238               ? 0xffffffU
                                : x == 241 || x > 244 ? 0U
                                                      : kAnything; },
        placed ? "the placed photo" : "the photo", 50);
    program_.reset();
    ASSERT_TRUE(eventually([&] { return wall_.window().empty(); }));
  }
}

TEST_F(ShowWall, IsDrawnForASizeThatItIsGivenWhileItOpens) {
  write_picture(path("a.png"), kWall, ramp);
  show({path("a.png")});
  ASSERT_TRUE(eventually([&] { return wall_.window().contains("title"); }));
  wall_.call("resize", {{"window", wall_.window()["window"]}, {"width", 240}, {"height", 180}});
  EXPECT_TRUE(eventually([&] { return has_frame_size({240, 180}); }));
}

TEST_F(ShowWall, PagesOfAllFilesAreTurnedByKeysAndByControl) {
  write_pdf(path("a.pdf"), {480, 360}, {0xff0000, 0x00ff00});
  write_picture(path("b.png"), kWall, ramp);
  show({path("a.pdf"), path("b.png"), "--place", "0,0,480x360"});
  const auto half = [](uint32_t colour) {
    return [=](int x, int) { return x < 240 ? colour : 0xffffffU; };
  };
  const auto page_is = [&](int page) {
    return eventually([&] {
      const sail::Json playback = ui::member(wall_.window(), "playback");
      return ui::number_member(playback, "page") == page &&
             ui::number_member(playback, "pages") == 3;
    });
  };
  wall_.expect_shown({0, 0, 480, 360}, half(0xff0000), "page 1");
  EXPECT_TRUE(page_is(1));
  press("ArrowRight");
  wall_.expect_shown({0, 0, 480, 360}, half(0x00ff00), "page 2");
  press("PageDown");
  wall_.expect_shown({0, 0, 480, 360}, ramp, "page 3");
  EXPECT_TRUE(page_is(3));
  press("Home");
  wall_.expect_shown({0, 0, 480, 360}, half(0xff0000), "page 1 again");
  wall_.call("control", {{"window", wall_.window()["window"]}, {"action", "page"}, {"value", 2}});
  wall_.expect_shown({0, 0, 480, 360}, half(0x00ff00), "page 2 by control");
  EXPECT_TRUE(page_is(2));
}

// A picture of 1.2 gigapixels; only the visible part is read.
TEST_F(ShowWall, AGigapixelIsZoomedAndPannedExactlyAndCheaply) {
  constexpr sail::Size kHuge{40000, 30000};
  write_mosaic(path("huge.tif"), kHuge, Levels::kPages);
  const uint64_t file_bytes = std::filesystem::file_size(path("huge.tif"));
  show({path("huge.tif"), "--place", "0,0,480x360"});
  wall_.expect_shown(
      {0, 0, 480, 360}, [](int, int) { return 0x7f7f7f; }, "all of it", 70);

  // One picture pixel per wall pixel, around the centre, at whole positions.
  const auto at = [](int left, int top) {
    return [=](int x, int y) { return mosaic(left + x, top + y) * 0x010101U; };
  };
  press("1");
  int left = kHuge.width / 2 - kWall.width / 2;
  int top = kHuge.height / 2 - kWall.height / 2;
  wall_.expect_shown({0, 0, 480, 360}, at(left, top), "1:1 in the middle");

  input({{"type", "down"}, {"at", {400, 300}}, {"button", 0}, {"buttons", 1}});
  input({{"type", "move"}, {"at", {100, 50}}, {"buttons", 1}});
  input({{"type", "up"}, {"at", {100, 50}}, {"button", 0}, {"buttons", 0}});
  left += 300;
  top += 250;
  wall_.expect_shown({0, 0, 480, 360}, at(left, top), "dragged");

  // The pixel under the pointer stays in place. Four steps of 1.25 outwards give a scale of 0.4096.
  for (int i = 0; i < 4; ++i) {
    input({{"type", "wheel"}, {"at", {240, 180}}, {"wheel", {0, 1}}});
  }
  for (int i = 0; i < 4; ++i) {
    input({{"type", "wheel"}, {"at", {240, 180}}, {"wheel", {0, -1}}});
  }
  wall_.expect_shown({0, 0, 480, 360}, at(left, top), "out and in again");
  input({{"type", "pinch"}, {"at", {240, 180}}, {"scale", 4.0}});
  wall_.expect_shown(
      {0, 0, 480, 360},
      [&](int x, int y) { return mosaic(left + 180 + x / 4, top + 135 + y / 4) * 0x010101U; },
      "pinched to four times");
  press("0");
  EXPECT_LT(bytes_read(), file_bytes / 2) << "of " << file_bytes;
  EXPECT_LT(peak_kib(), 400 * 1024U);
}

TEST_F(ShowWall, OnlyTheAreaOfAMissingTileIsCoarseAndTheTileIsNamed) {
  std::ofstream(path("a.dzi"))
      << R"(<Image xmlns="http://schemas.microsoft.com/deepzoom/2008" TileSize="256" Overlap="0")"
      << R"( Format="png"><Size Width="480" Height="360"/></Image>)";
  std::filesystem::create_directories(path("a_files/8"));
  std::filesystem::create_directories(path("a_files/9"));
  write_picture(path("a_files/8/0_0.png"), {240, 180}, [](int, int) { return 0x303030U; });
  write_picture(path("a_files/9/0_0.png"), {256, 256}, ramp);
  write_picture(path("a_files/9/1_0.png"), {224, 256},
                [](int x, int y) { return ramp(x + 256, y); });
  write_picture(path("a_files/9/0_1.png"), {256, 104},
                [](int x, int y) { return ramp(x, y + 256); });
  const ChildProgram& program = show({path("a.dzi")});
  wall_.expect_shown(
      {0, 0, 480, 360}, [](int x, int y) { return x >= 256 && y >= 256 ? 0x303030U : ramp(x, y); },
      "the other tiles are sharp", 1);
  EXPECT_TRUE(eventually([&] {
    return program.output().find("9/1_1.png is missing") != std::string::npos;
  })) << program.output();
}

// Its size is known, so its window opens before it is read.
TEST_F(ShowWall, EndsIfItsOnlyPhotoProvesUnreadable) {
  write_picture(path("a.jpg"), {2400, 1800}, ramp);
  hide_quantisation_tables(path("a.jpg"));
  ChildProgram& program = show({path("a.jpg"), "--place", "0,0,480x360"});
  ASSERT_TRUE(eventually([&] { return program.exit_code().has_value(); }));
  EXPECT_EQ(program.exit_code(), 1);
  EXPECT_NE(program.output().find("a.jpg cannot be read"), std::string::npos) << program.output();
}

TEST_F(ShowWall, SaysWhatCannotBeShown) {
  write_picture(path("good.png"), {32, 32}, ramp);
  std::ofstream(path("bad.png")) << "this is no picture";
  ChildProgram& none = show({path("bad.png"), path("none.pdf")});
  ASSERT_TRUE(eventually([&] { return none.exit_code().has_value(); }));
  EXPECT_EQ(none.exit_code(), 1);
  EXPECT_NE(none.output().find("bad.png cannot be read"), std::string::npos) << none.output();
  EXPECT_NE(none.output().find("none.pdf does not exist"), std::string::npos) << none.output();

  ChildProgram& some = show({path("bad.png"), path("good.png")});
  EXPECT_TRUE(eventually([&] { return wall_.window().contains("title"); }));
  wall_.call("close", {{"window", wall_.window()["window"]}});
  EXPECT_TRUE(eventually([&] { return some.exit_code() == 0; }));
}

}  // namespace
}  // namespace test
