#include "ui/bridge/region_input.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace ui {
namespace {

constexpr size_t kMostTouches = 64;

bool contains(const sail::Rect& rect, double x, double y) {
  return x >= rect.x && y >= rect.y && x < rect.x + rect.width && y < rect.y + rect.height;
}

// The window keeps the input until all buttons and fingers are up.
bool is_held(const sail_input& input, const std::vector<int32_t>& touches) {
  if (!touches.empty()) return true;
  const bool first_button =
      input.type == SAIL_INPUT_DOWN && std::has_single_bit(static_cast<uint32_t>(input.buttons));
  return input.type == SAIL_INPUT_UP || (input.buttons != 0 && !first_button);
}

}  // namespace

void RegionInput::follow(const sail::Scene& scene) {
  const std::lock_guard lock(mutex_);
  targets_.clear();
  for (const sail::SceneWindow& window : scene.windows) {
    const bool is_seen = window.source && !window.dark;
    targets_.push_back({is_seen ? window.source->window : 0, window.wall_rect});
  }
}

uint32_t RegionInput::window_at(double x, double y) const {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(targets_.rbegin(), targets_.rend(), [&](const Target& target) {
    return contains(target.wall_rect, x, y);
  });
  return found == targets_.rend() ? 0 : found->window;
}

std::vector<Wish> RegionInput::leave() {
  touches_.clear();
  const uint32_t left = std::exchange(window_, 0);
  if (left == 0) return {};
  return {{.window = left, .verb = "input", .params = {{"window", left}, {"type", "leave"}}}};
}

void RegionInput::choose(const sail_input& input, const Wish& wish, std::vector<Wish>& wishes) {
  const sail::Json& at = wish.params.at("at");
  const uint32_t found = window_at(at.at(0), at.at(1));
  if (found == window_) return;
  wishes = leave();
  window_ = found;
  if (found == 0 || input.type == SAIL_INPUT_ENTER) return;
  Wish enter{.window = found,
             .verb = "input",
             .params = {{"window", found}, {"type", "enter"}, {"at", at}}};
  wishes.push_back(std::move(enter));
}

std::vector<Wish> RegionInput::wishes_of(const sail_event& event, const NearPlace& region) {
  if (event.type != SAIL_EVENT_INPUT || region.frame_size.width <= 0) return {};
  const sail_input& input = event.input;
  if (input.type == SAIL_INPUT_LEAVE) return leave();
  auto wish = wish_of(event, window_, region);
  if (!wish) return {};
  std::vector<Wish> wishes;
  if (input.has_point != 0 && !is_held(input, touches_)) choose(input, *wish, wishes);
  if (input.type == SAIL_INPUT_TOUCH_DOWN && touches_.size() < kMostTouches) {
    touches_.push_back(input.touch);
  }
  if (input.type == SAIL_INPUT_TOUCH_UP) std::erase(touches_, input.touch);
  if (window_ == 0) return wishes;
  wish->window = window_;
  wish->params["window"] = window_;
  wishes.push_back(*std::move(wish));
  return wishes;
}

}  // namespace ui
