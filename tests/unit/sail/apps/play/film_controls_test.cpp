#include "sail/apps/play/film_controls.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>

#include "sail/core/time/clock.h"

namespace sail {
namespace {

class FilmControlsTest : public testing::Test {
 protected:
  // Returns the command as text; empty: none.
  std::string read(const sail_input& input) {
    const auto wish = controls.read(input, film);
    if (!wish) return "";
    if (std::holds_alternative<FilmControls::TogglePause>(*wish)) return "pause";
    if (std::holds_alternative<FilmControls::ToggleLoop>(*wish)) return "loop";
    if (const auto* seek = std::get_if<FilmControls::SeekTo>(&*wish)) {
      return "seek " + std::to_string(seek->position_ns / kSecondNs);
    }
    return "volume " +
           std::to_string(std::lround(std::get<FilmControls::SetVolume>(*wish).volume * 100));
  }
  std::string at(sail_input_type type, double x, double y, int button = 0) {
    sail_input input{};
    input.type = type;
    input.client = 3;
    input.has_point = 1;
    input.x = x;
    input.y = y;
    input.button = button;
    return read(input);
  }
  std::string key(const char* name) {
    sail_input input{};
    input.type = SAIL_INPUT_KEY_DOWN;
    std::strncpy(input.key, name, sizeof input.key - 1);
    return read(input);
  }

  FilmControls controls;
  FilmControls::Film film{.picture = {1000, 600},
                          .position_ns = 20 * kSecondNs,
                          .duration_ns = 100 * kSecondNs,
                          .volume = 0.5};
};

TEST_F(FilmControlsTest, AClickOnThePicturePauses) {
  EXPECT_EQ(at(SAIL_INPUT_DOWN, 500, 300), "pause");
  EXPECT_EQ(at(SAIL_INPUT_UP, 500, 300), "");
  EXPECT_EQ(at(SAIL_INPUT_DOWN, 500, 300, 2), "");
  EXPECT_EQ(at(SAIL_INPUT_TOUCH_DOWN, 500, 300), "pause");
  EXPECT_EQ(at(SAIL_INPUT_MOVE, 500, 300), "");
}

TEST_F(FilmControlsTest, TheStripSeeksWhileItIsHeld) {
  EXPECT_EQ(at(SAIL_INPUT_DOWN, 250, 590), "seek 25");
  EXPECT_EQ(at(SAIL_INPUT_MOVE, 500, 100), "seek 50");
  EXPECT_EQ(at(SAIL_INPUT_MOVE, -40, 100), "seek 0");
  EXPECT_EQ(at(SAIL_INPUT_MOVE, 4000, 100), "seek 100");
  EXPECT_EQ(at(SAIL_INPUT_UP, 4000, 100), "");
  EXPECT_EQ(at(SAIL_INPUT_MOVE, 300, 590), "");
  EXPECT_EQ(at(SAIL_INPUT_TOUCH_DOWN, 100, 590), "seek 10");
  EXPECT_EQ(at(SAIL_INPUT_TOUCH_MOVE, 200, 590), "seek 20");
  EXPECT_EQ(at(SAIL_INPUT_TOUCH_UP, 200, 590), "");
  film.duration_ns = 0;
  EXPECT_EQ(at(SAIL_INPUT_DOWN, 250, 590), "pause");
}

TEST_F(FilmControlsTest, KeysAndWheel) {
  EXPECT_EQ(key(" "), "pause");
  EXPECT_EQ(key("l"), "loop");
  EXPECT_EQ(key("Home"), "seek 0");
  EXPECT_EQ(key("ArrowLeft"), "seek 15");
  EXPECT_EQ(key("ArrowRight"), "seek 25");
  EXPECT_EQ(key("ArrowUp"), "volume 55");
  EXPECT_EQ(key("x"), "");
  sail_input wheel{};
  wheel.type = SAIL_INPUT_WHEEL;
  wheel.wheel_y = 3;
  EXPECT_EQ(read(wheel), "volume 35");
  wheel.wheel_y = 300;
  EXPECT_EQ(read(wheel), "volume 0");
}

}  // namespace
}  // namespace sail
