#include "ui/bridge/wish.h"

#include <gtest/gtest.h>

#include <utility>

#include "sail/core/wall/picture_map.h"

namespace ui {
namespace {

constexpr uint32_t kWishWindow = 3;
const NearPlace kPlace{.wall_rect = {100, 50, 640, 360}, .look = {}, .frame_size = {320, 180}};

sail_event event_of(sail_event_type type, double value = 0) {
  sail_event event{};
  event.type = type;
  event.value = value;
  return event;
}

sail_event input_at(sail_input_type type, double x, double y) {
  sail_event event = event_of(SAIL_EVENT_INPUT);
  event.input = {};
  event.input.type = type;
  event.input.has_point = 1;
  event.input.x = x;
  event.input.y = y;
  return event;
}

TEST(Wish, PlaybackIsControlledByTheNearWallsVerb) {
  const auto pause = wish_of(event_of(SAIL_EVENT_PAUSE), kWishWindow, kPlace);
  ASSERT_TRUE(pause);
  EXPECT_EQ(pause->verb, "control");
  EXPECT_EQ(pause->params, (sail::Json{{"window", kWishWindow}, {"action", "pause"}}));
  const auto seek = wish_of(event_of(SAIL_EVENT_SEEK, 61.5), kWishWindow, kPlace);
  ASSERT_TRUE(seek);
  EXPECT_EQ(seek->params,
            (sail::Json{{"window", kWishWindow}, {"action", "seek"}, {"value", 61.5}}));
  for (const sail_event_type other : {SAIL_EVENT_CLOSE, SAIL_EVENT_RESIZE, SAIL_EVENT_REFRESH,
                                      SAIL_EVENT_VOLUME, SAIL_EVENT_CODEC}) {
    EXPECT_FALSE(wish_of(event_of(other), kWishWindow, kPlace)) << other;
  }
}

TEST(Wish, InputComesToTheSamePixelsOfTheApplication) {
  for (const int rotate : {0, 90, 180, 270}) {
    for (const bool flip : {false, true}) {
      for (const sail::Rect& crop : {sail::Rect{}, sail::Rect{40, 20, 160, 90}}) {
        NearPlace place = kPlace;
        place.look = {.crop = crop, .rotate = rotate, .flip = flip};
        sail_event wheel = input_at(SAIL_INPUT_WHEEL, 90, 60);
        wheel.input.wheel_x = 1;
        wheel.input.wheel_y = -2;
        const auto wish = wish_of(wheel, kWishWindow, place);
        ASSERT_TRUE(wish);
        EXPECT_EQ(wish->verb, "input");
        EXPECT_EQ(wish->params["type"], "wheel");
        const auto at = sail::source_point(place.wall_rect, place.look, place.frame_size,
                                           wish->params["at"][0], wish->params["at"][1]);
        EXPECT_NEAR(at.first, 90, 1e-9) << rotate << flip;
        EXPECT_NEAR(at.second, 60, 1e-9) << rotate << flip;
        EXPECT_EQ(sail::source_way(place.look, wish->params["wheel"][0], wish->params["wheel"][1]),
                  (std::pair{1.0, -2.0}));
      }
    }
  }
}

TEST(Wish, OnlyMotionsMayBeLeftOut) {
  EXPECT_TRUE(wish_of(input_at(SAIL_INPUT_MOVE, 1, 2), kWishWindow, kPlace)->is_motion);
  EXPECT_TRUE(wish_of(input_at(SAIL_INPUT_TOUCH_MOVE, 1, 2), kWishWindow, kPlace)->is_motion);
  EXPECT_FALSE(wish_of(input_at(SAIL_INPUT_DOWN, 1, 2), kWishWindow, kPlace)->is_motion);
  sail_event key = event_of(SAIL_EVENT_INPUT);
  key.input = {};
  key.input.type = SAIL_INPUT_KEY_DOWN;
  key.input.key[0] = 'a';
  const auto wish = wish_of(key, kWishWindow, kPlace);
  EXPECT_FALSE(wish->is_motion);
  EXPECT_EQ(wish->params["key"], "a");
  EXPECT_FALSE(wish->params.contains("at"));
}

}  // namespace
}  // namespace ui
