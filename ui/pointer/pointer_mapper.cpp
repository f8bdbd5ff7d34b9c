#include "ui/pointer/pointer_mapper.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "sail/core/text/limits.h"

namespace ui {
namespace {

constexpr double kSmallestSide = 32;  // minimum size of a pinched window, in wall pixels
constexpr double kNearest = 8;        // minimum distance of two fingers, to bound the scale

// The bit in the DOM's MouseEvent.buttons: left 1, right 2, middle 4.
uint32_t bit_of(InputButton button) {
  switch (button) {
    case InputButton::kLeft:
      return 1;
    case InputButton::kRight:
      return 2;
    case InputButton::kMiddle:
      return 4;
  }
  return 0;
}

int pixel(double value, int limit) {
  return static_cast<int>(
      std::lround(std::clamp(value, -static_cast<double>(limit), static_cast<double>(limit))));
}

// Limits the factor so that sides of these lengths stay within the size limits.
double allowed_factor(double factor, double width, double height) {
  const double smallest = std::min(1.0, kSmallestSide / std::max(1.0, std::min(width, height)));
  const double largest = sail::kMaxWindowSide / std::max(1.0, std::max(width, height));
  return std::clamp(factor, smallest, std::max(smallest, largest));
}

template <typename Place>
sail::Rect rect_of(const Place& place) {
  return {pixel(place.x, sail::kMaxWindowOffset), pixel(place.y, sail::kMaxWindowOffset),
          std::max(1, pixel(place.width, sail::kMaxWindowSide)),
          std::max(1, pixel(place.height, sail::kMaxWindowSide))};
}

}  // namespace

void PointerMapper::point(Hand hand, const WallPoint& at) {
  auto found = hands_.find(hand);
  if (found == hands_.end()) {
    if (hands_.size() >= kMaxHands) return;
    const int pointer = free_pointer();
    found = hands_.try_emplace(hand, State{.at = at, .pointer = pointer}).first;
  } else if (found->second.at == at) {
    return;
  }
  State& state = found->second;
  state.at = at;
  show(state);
  if (state.input != 0) session_.input(input_params(state, "move"));
  if (state.held != 0) follow(state.held);
}

void PointerMapper::leave(Hand hand) {
  const auto found = hands_.find(hand);
  if (found == hands_.end()) return;
  release(hand);
  end_input(hand);
  if (found->second.pointer >= 0) session_.hide_pointer(found->second.pointer);
  hands_.erase(found);
}

void PointerMapper::leave_all() {
  while (!hands_.empty()) leave(hands_.begin()->first);
}

bool PointerMapper::grab(Hand hand) {
  const auto found = hands_.find(hand);
  if (found == hands_.end() || found->second.held != 0) return false;
  State& state = found->second;
  const ViewedWindow* window = under(state);
  if (window == nullptr || window->locked) return false;
  state.held = window->number;
  auto [grip, is_new] = grips_.try_emplace(window->number);
  if (is_new) {
    const sail::Rect& rect = window->wall_rect;
    grip->second.start = {static_cast<double>(rect.x), static_cast<double>(rect.y),
                          static_cast<double>(rect.width), static_cast<double>(rect.height)};
    grip->second.gesture = fmt::format("hand-{}", ++gestures_);
  } else {
    rebase(window->number);
  }
  grip->second.hands.push_back({hand, state.at});
  show(state);
  return true;
}

void PointerMapper::release(Hand hand) {
  const auto found = hands_.find(hand);
  if (found == hands_.end() || found->second.held == 0) return;
  const uint32_t window = found->second.held;
  found->second.held = 0;
  show(found->second);
  Grip& grip = grips_.at(window);
  rebase(window);
  std::erase_if(grip.hands, [&](const Start& start) { return start.hand == hand; });
  if (!grip.hands.empty()) return;
  if (grip.moved) session_.place(window, rect_of(grip.start), grip.gesture, true);
  grips_.erase(window);
}

bool PointerMapper::holds(Hand hand) const {
  const auto found = hands_.find(hand);
  return found != hands_.end() && found->second.held != 0;
}

void PointerMapper::scale(Hand hand, double factor) {
  const auto found = hands_.find(hand);
  if (found == hands_.end() || found->second.held == 0) return;
  const State& state = found->second;
  rebase(state.held);
  Grip& grip = grips_.at(state.held);
  Place& place = grip.start;
  const double by = allowed_factor(factor, place.width, place.height);
  place = {state.at.x + (place.x - state.at.x) * by, state.at.y + (place.y - state.at.y) * by,
           place.width * by, place.height * by};
  follow(state.held);
}

void PointerMapper::raise(Hand hand) {
  const auto found = hands_.find(hand);
  if (found == hands_.end()) return;
  if (const ViewedWindow* window = under(found->second)) {
    session_.ask("raise", {{"window", window->number}});
  }
}

void PointerMapper::close(Hand hand) {
  const auto found = hands_.find(hand);
  if (found == hands_.end()) return;
  if (const ViewedWindow* window = under(found->second)) {
    session_.ask("close", {{"window", window->number}});
  }
}

void PointerMapper::maximise(Hand hand) {
  const auto found = hands_.find(hand);
  if (found == hands_.end() || found->second.held != 0) return;
  if (const ViewedWindow* window = under(found->second)) {
    session_.ask("maximise", {{"window", window->number}, {"on", !window->maximised}});
  }
}

bool PointerMapper::begin_input(Hand hand) {
  const auto found = hands_.find(hand);
  if (found == hands_.end() || found->second.input != 0) return false;
  const ViewedWindow* window = under(found->second);
  if (window == nullptr || !window->takes_input) return false;
  release(hand);
  found->second.input = window->number;
  session_.input(input_params(found->second, "enter"));
  return true;
}

void PointerMapper::end_input(Hand hand) {
  const auto found = hands_.find(hand);
  if (found == hands_.end() || found->second.input == 0) return;
  for (const InputButton button : {InputButton::kLeft, InputButton::kMiddle, InputButton::kRight}) {
    press(hand, button, false);
  }
  session_.input(input_params(found->second, "leave"));
  found->second.input = 0;
}

bool PointerMapper::in_input(Hand hand) const {
  const auto found = hands_.find(hand);
  return found != hands_.end() && found->second.input != 0;
}

void PointerMapper::press(Hand hand, InputButton button, bool down) {
  const auto found = hands_.find(hand);
  if (found == hands_.end() || found->second.input == 0) return;
  State& state = found->second;
  const uint32_t bit = bit_of(button);
  if (((state.buttons & bit) != 0) == down) return;
  state.buttons ^= bit;
  sail::Json params = input_params(state, down ? "down" : "up");
  params["button"] = static_cast<int>(button);
  session_.input(params);
  show(state);
}

void PointerMapper::wheel(Hand hand, double dx, double dy) {
  const auto found = hands_.find(hand);
  if (found == hands_.end() || found->second.input == 0) return;
  sail::Json params = input_params(found->second, "wheel");
  params["wheel"] = {dx, dy};
  session_.input(params);
}

void PointerMapper::key(Hand hand, const std::string& key, bool down) {
  const auto found = hands_.find(hand);
  if (found == hands_.end() || found->second.input == 0) return;
  sail::Json params = {{"window", found->second.input},
                       {"type", down ? "key_down" : "key_up"},
                       {"key", key},
                       {"modifiers", 0}};
  session_.input(params);
}

void PointerMapper::view_changed() {
  const auto gone = [&](uint32_t window) {
    return window != 0 && session_.view().find(window) == nullptr;
  };
  for (auto& [hand, state] : hands_) {
    if (gone(state.held)) {
      grips_.erase(state.held);
      state.held = 0;
      show(state);
    }
    if (gone(state.input)) {
      state.input = 0;
      state.buttons = 0;
    }
  }
}

WallPoint PointerMapper::where(Hand hand) const {
  const auto found = hands_.find(hand);
  return found == hands_.end() ? WallPoint{} : found->second.at;
}

uint32_t PointerMapper::window_of(Hand hand) const {
  const auto found = hands_.find(hand);
  if (found == hands_.end()) return 0;
  const ViewedWindow* window = under(found->second);
  return window == nullptr ? 0 : window->number;
}

const ViewedWindow* PointerMapper::under(const State& state) const {
  return state.held != 0 ? session_.view().find(state.held) : session_.view().at(state.at);
}

void PointerMapper::show(const State& state) {
  if (state.pointer < 0) return;
  session_.show_pointer(state.pointer, state.at, state.held != 0 || state.buttons != 0);
}

// Makes the window's current place the new start, so that hands can join and leave without a jump.
void PointerMapper::rebase(uint32_t window) {
  Grip& grip = grips_.at(window);
  grip.start = place_of(grip);
  for (Start& start : grip.hands) start.at = where(start.hand);
}

PointerMapper::Place PointerMapper::place_of(const Grip& grip) const {
  const auto& [x, y, width, height] = grip.start;
  const WallPoint& s0 = grip.hands[0].at;
  const WallPoint p0 = where(grip.hands[0].hand);
  if (grip.hands.size() == 1) return {x + p0.x - s0.x, y + p0.y - s0.y, width, height};
  const WallPoint& s1 = grip.hands[1].at;
  const WallPoint p1 = where(grip.hands[1].hand);
  const double before = std::max(kNearest, std::hypot(s1.x - s0.x, s1.y - s0.y));
  const double now = std::max(kNearest, std::hypot(p1.x - p0.x, p1.y - p0.y));
  const double by = allowed_factor(now / before, width, height);
  // The point between the fingers keeps its position in the window.
  return {(p0.x + p1.x) / 2 + (x - (s0.x + s1.x) / 2) * by,
          (p0.y + p1.y) / 2 + (y - (s0.y + s1.y) / 2) * by, width * by, height * by};
}

void PointerMapper::follow(uint32_t window) {
  Grip& grip = grips_.at(window);
  grip.moved = true;
  session_.place(window, rect_of(place_of(grip)), grip.gesture, false);
}

sail::Json PointerMapper::input_params(const State& state, std::string_view type) const {
  return {{"window", state.input},
          {"type", type},
          {"at", {state.at.x, state.at.y}},
          {"buttons", state.buttons}};
}

int PointerMapper::free_pointer() const {
  for (int number = 0; number < kMaxPointers; ++number) {
    const bool taken = std::any_of(hands_.begin(), hands_.end(), [&](const auto& entry) {
      return entry.second.pointer == number;
    });
    if (!taken) return number;
  }
  return -1;
}

}  // namespace ui
