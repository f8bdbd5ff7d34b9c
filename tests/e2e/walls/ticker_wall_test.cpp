// A ticker on two tiles: it moves by whole pixels, and both tiles move it in one swap.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sail/apps/show/ticker_line.h"
#include "sail/apps/show/ticker_strip.h"
#include "sail/core/wire/ticker_medium.h"
#include "tests/support/desktop/child_program.h"
#include "tests/support/headless_wall.h"
#include "tests/support/temp_folder.h"
#include "ui/client/answers.h"
#include "ui/client/wall_picture.h"

namespace test {
namespace {

constexpr sail::Rect kTickerPlace{0, 148, 640, 32};

sail::Wall two_tiles() {
  return sail::parse_wall(R"({"grid": {"columns": 2, "rows": 1, "resolution": [320, 180]}})")
      .value();
}

class TickerWall : public testing::Test {
 protected:
  void show(const std::string& medium) {
    program_.emplace(std::vector<std::string>{SHOW_PROGRAM, "--codec=raw", "--place=0,148,640x32",
                                              "--manager", wall_.manager_address(), medium});
  }

  static sail::TickerStrip strip_of(const std::string& text) {
    const sail::TickerMedium usual;
    return *sail::TickerStrip::draw(sail::line_of_text(text)->text, kTickerPlace.height,
                                    {usual.ink, usual.paper});
  }

  // How far the wall's strip has moved, if it is this strip at one instant on all tiles.
  static std::optional<int> moved(const ui::WallPicture& picture, const sail::TickerStrip& strip) {
    sail::Raster frame({kTickerPlace.width, kTickerPlace.height});
    const size_t begin = static_cast<size_t>(kTickerPlace.y) * 640 * 4;
    for (int pixels = 0; pixels < strip.period(); ++pixels) {
      strip.copy(pixels, frame);
      if (std::memcmp(&picture.pixels[begin], frame.bgra.data(), frame.bgra.size()) == 0) {
        return pixels;
      }
    }
    return std::nullopt;
  }
  std::optional<int> moved_now(const sail::TickerStrip& strip) {
    return moved(ui::wall_picture(wall_.tiles()), strip);
  }

  HeadlessWall wall_{two_tiles()};
  const sail::TempFolder folder_;
  std::optional<ChildProgram> program_;
};

TEST_F(TickerWall, MovesByWholePixelsOnAllTilesInOneSwap) {
  show("ticker:Doors open at 18:00");
  const sail::TickerStrip strip = strip_of("Doors open at 18:00");
  std::optional<int> first;
  ASSERT_TRUE(eventually([&] { return (first = moved_now(strip)).has_value(); }))
      << program_->output();
  int steps = 0;
  EXPECT_TRUE(eventually([&] {
    const ui::TilePictures tiles = wall_.tiles();
    if (!ui::agrees(tiles.snapshot)) return false;  // taken during a swap, on a busy machine
    const auto now = moved(ui::wall_picture(tiles), strip);
    EXPECT_TRUE(now) << "a mixed frame, or a part of a pixel";
    steps += now && now != first ? 1 : 0;
    return steps == 3 || !now;
  }));
  EXPECT_EQ(steps, 3);
}

TEST_F(TickerWall, TheTextOfAChangedFileAppears) {
  const std::string file = folder_.write("news", "One");
  show("ticker:" + file);
  ASSERT_TRUE(eventually([&] { return moved_now(strip_of("One")).has_value(); }))
      << program_->output();
  EXPECT_EQ(ui::text_member(wall_.window(), "title"), "news");
  folder_.write("new", "Another text");
  std::filesystem::rename(folder_.file("new"), file);
  EXPECT_TRUE(eventually([&] { return moved_now(strip_of("Another text")).has_value(); }))
      << program_->output();
}

TEST_F(TickerWall, SaysWhatCannotBeShown) {
  show("ticker:" + folder_.file("none"));
  EXPECT_TRUE(eventually([&] { return program_->exit_code() == 1; }));
  EXPECT_NE(program_->output().find("cannot read"), std::string::npos) << program_->output();
  show("ticker:?size=9?x");
  EXPECT_TRUE(eventually([&] { return program_->exit_code() == 1; }));
}

}  // namespace
}  // namespace test
