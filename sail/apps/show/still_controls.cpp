#include "sail/apps/show/still_controls.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace sail {
namespace {

constexpr double kZoomANotch = 1.25;
constexpr double kMostNotches = 20;  // maximum per event
constexpr double kPanAKey = 0.125;   // fraction of the frame
constexpr double kLeastPinch = 0.1;
constexpr int kPrimary = 1;  // bit in sail_input.buttons

struct Step {
  int x = 0;
  int y = 0;
};

std::optional<Step> arrow(std::string_view key) {
  if (key == "ArrowLeft") return Step{-1, 0};
  if (key == "ArrowRight") return Step{1, 0};
  if (key == "ArrowUp") return Step{0, -1};
  if (key == "ArrowDown") return Step{0, 1};
  return std::nullopt;
}

}  // namespace

StillControls::Turn StillControls::obey(const sail_input& input, PageZoom& zoom) {
  const Point at = point_of(input, zoom);
  switch (input.type) {
    case SAIL_INPUT_WHEEL:
      zoom.zoom(std::pow(kZoomANotch, std::clamp(-input.wheel_y, -kMostNotches, kMostNotches)),
                at.x, at.y);
      break;
    case SAIL_INPUT_PINCH:
      zoom.zoom(std::clamp(input.scale, kLeastPinch, 1 / kLeastPinch), at.x, at.y);
      break;
    case SAIL_INPUT_DOWN:
      if (input.button == 0) hold({input.client, kPointer}, input);
      break;
    case SAIL_INPUT_TOUCH_DOWN:
      hold({input.client, std::max(0, input.touch)}, input);
      break;
    case SAIL_INPUT_MOVE:
      if ((input.buttons & kPrimary) == 0) held_.erase({input.client, kPointer});
      drag({input.client, kPointer}, input, zoom);
      break;
    case SAIL_INPUT_TOUCH_MOVE:
      drag({input.client, std::max(0, input.touch)}, input, zoom);
      break;
    case SAIL_INPUT_UP:
      if (input.button == 0) held_.erase({input.client, kPointer});
      break;
    case SAIL_INPUT_TOUCH_UP:
      held_.erase({input.client, std::max(0, input.touch)});
      break;
    case SAIL_INPUT_LEAVE:
      let_go(input.client);
      break;
    case SAIL_INPUT_KEY_DOWN:
      return press(input, zoom);
    case SAIL_INPUT_ENTER:
    case SAIL_INPUT_KEY_UP:
      break;
  }
  return {};
}

// Returns the input's position, or the centre of the frame if it has none.
StillControls::Point StillControls::point_of(const sail_input& input, const PageZoom& zoom) {
  if (input.has_point != 0) return {input.x, input.y};
  const Size frame = zoom.view().frame;
  return {frame.width / 2.0, frame.height / 2.0};
}

void StillControls::hold(const Holder& holder, const sail_input& input) {
  if (input.has_point != 0 && held_.size() < kMostHolders) held_[holder] = {input.x, input.y};
}

// With several fingers the picture follows their centroid.
void StillControls::drag(const Holder& holder, const sail_input& input, PageZoom& zoom) {
  const auto held = held_.find(holder);
  if (held == held_.end() || input.has_point == 0) return;
  const auto hands = std::ranges::count_if(
      held_, [&](const auto& one) { return one.first.first == holder.first; });
  const auto share = static_cast<double>(hands);
  zoom.pan((input.x - held->second.x) / share, (input.y - held->second.y) / share);
  held->second = {input.x, input.y};
}

void StillControls::let_go(uint32_t client) {
  std::erase_if(held_, [&](const auto& one) { return one.first.first == client; });
}

StillControls::Turn StillControls::press(const sail_input& input, PageZoom& zoom) {
  const std::string_view key = input.key;
  const PageView view = zoom.view();
  const double middle_x = view.frame.width / 2.0;
  const double middle_y = view.frame.height / 2.0;
  if (const auto step = arrow(key)) {
    if (zoom.fitted()) return {.by = step->x + step->y, .to = {}};
    zoom.pan(-step->x * kPanAKey * view.frame.width, -step->y * kPanAKey * view.frame.height);
  } else if (key == "+" || key == "=") {
    zoom.zoom(kZoomANotch, middle_x, middle_y);
  } else if (key == "-") {
    zoom.zoom(1 / kZoomANotch, middle_x, middle_y);
  } else if (key == "0") {
    zoom.fit();
  } else if (key == "1") {
    zoom.one_to_one();
  } else if (key == "PageDown" || key == " ") {
    return {.by = 1, .to = {}};
  } else if (key == "PageUp") {
    return {.by = -1, .to = {}};
  } else if (key == "Home") {
    return {.by = 0, .to = 1};
  } else if (key == "End") {
    return {.by = 0, .to = kLastPage};
  }
  return {};
}

}  // namespace sail
