#include "ui/bridge/wish.h"

#include <utility>

#include "sail/core/wall/picture_map.h"
#include "sail/core/wire/input.h"

namespace ui {
namespace {

const char* action_of(const sail_event& event) {
  switch (event.type) {
    case SAIL_EVENT_PAUSE:
      return "pause";
    case SAIL_EVENT_RESUME:
      return "resume";
    case SAIL_EVENT_SEEK:
      return "seek";
    case SAIL_EVENT_RATE:
      return "rate";
    case SAIL_EVENT_LOOP:
      return "loop";
    case SAIL_EVENT_PAGE:
      return "page";
    default:
      return nullptr;
  }
}

// The inverse of sail::source_point(): the wall pixel that shows this pixel of the frame.
sail::InputPoint wall_point(const NearPlace& place, double x, double y) {
  const sail::Rect& rect = place.wall_rect;
  const sail::Rect part =
      sail::source_part(place.look, place.frame_size, sail::eyes_of(place.look).front());
  const sail::Orientation turn = sail::orientation(place.look);
  double across = (x - part.x) / part.width;
  double down = (y - part.y) / part.height;
  if (turn.turned) std::swap(across, down);
  if (turn.across_backwards) across = 1 - across;
  if (turn.down_backwards) down = 1 - down;
  return {rect.x + across * rect.width, rect.y + down * rect.height};
}

// The inverse of sail::source_way().
void set_wheel(sail::Input& input, const sail::ViewTransform& look, double x, double y) {
  const sail::Orientation turn = sail::orientation(look);
  if (turn.turned) std::swap(x, y);
  input.wheel_x = turn.across_backwards ? -x : x;
  input.wheel_y = turn.down_backwards ? -y : y;
}

bool has_value(const sail_event& event) {
  return event.type != SAIL_EVENT_PAUSE && event.type != SAIL_EVENT_RESUME;
}

Wish input_wish(const sail_input& given, uint32_t window, const NearPlace& place) {
  sail::Input input{.type = static_cast<sail::InputType>(given.type - SAIL_INPUT_ENTER),
                    .button = given.button,
                    .buttons = given.buttons,
                    .key = given.key,
                    .modifiers = given.modifiers,
                    .touch = given.touch,
                    .scale = given.scale};
  if (given.has_point != 0) input.at = wall_point(place, given.x, given.y);
  set_wheel(input, place.look, given.wheel_x, given.wheel_y);
  Wish wish{.window = window,
            .verb = "input",
            .params = sail::to_json(input),
            .is_motion = given.type == SAIL_INPUT_MOVE || given.type == SAIL_INPUT_TOUCH_MOVE};
  wish.params["window"] = window;
  return wish;
}

}  // namespace

std::optional<Wish> wish_of(const sail_event& event, uint32_t window, const NearPlace& place) {
  if (event.type == SAIL_EVENT_INPUT) return input_wish(event.input, window, place);
  const char* action = action_of(event);
  if (action == nullptr) return std::nullopt;
  Wish wish{
      .window = window, .verb = "control", .params = {{"window", window}, {"action", action}}};
  if (has_value(event)) wish.params["value"] = event.value;
  return wish;
}

}  // namespace ui
