#include "ui/pointer/stick_pointer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace ui {

const char* const kPadHelp =
    "Game controllers:\n"
    "  left stick      moves the pointer, faster the longer it is held\n"
    "  A (hold)        drags the window under the pointer\n"
    "  triggers        scale the window: left smaller, right larger\n"
    "  X               brings the window to the front\n"
    "  Y               maximises the window or restores it\n"
    "  Back (hold 1 s) closes the window\n"
    "  shoulders       undo (left), redo (right)\n"
    "  B               starts or ends input to the window's application; meanwhile A and X are "
    "the\n"
    "                  left and right mouse buttons, the right stick is the wheel, the D-pad the\n"
    "                  arrow keys";

namespace {

struct Push {
  double x = 0;
  double y = 0;
  double much = 0;  // amount, 0 to 1
};

// Removes the round dead zone of a stick and scales the rest to 0 to 1.
Push push_of(double x, double y) {
  const double length = std::hypot(x, y);
  if (!(length > StickPointer::kDeadZone)) return {};
  const double much =
      std::min(1.0, (length - StickPointer::kDeadZone) / (1 - StickPointer::kDeadZone));
  return {x / length * much, y / length * much, much};
}

constexpr std::array kArrows = {std::pair{kPadUp, "ArrowUp"}, std::pair{kPadDown, "ArrowDown"},
                                std::pair{kPadLeft, "ArrowLeft"},
                                std::pair{kPadRight, "ArrowRight"}};

constexpr double kTriggerPulled = 0.1;

}  // namespace

bool StickPointer::touched(const PadState& pad) const {
  return pad.buttons != 0 || push_of(pad.left_x, pad.left_y).much > 0 ||
         push_of(pad.right_x, pad.right_y).much > 0 || pad.left_trigger > kTriggerPulled ||
         pad.right_trigger > kTriggerPulled;
}

void StickPointer::step(const PadState& pad, double since_s) {
  const double step_s = std::clamp(since_s, 0.0, kLongestStepS);
  const sail::Size wall = session_.view().size();
  if (wall.width <= 0) return;  // not connected yet
  rested_s_ = touched(pad) ? 0 : rested_s_ + since_s;
  if (rested_s_ > kRestS) {
    if (std::exchange(shown_, false)) pointer_mapper_.leave(hand_);
    return;
  }
  if (!placed_) at_ = {wall.width / 2.0, wall.height / 2.0};
  placed_ = true;
  // Show the pointer only after the first input, so an unused controller has no pointer.
  if (!shown_ && rested_s_ > 0) return;
  shown_ = true;
  move(pad, step_s);
  pointer_mapper_.point(hand_, at_);
  buttons(pad);
  triggers(pad, step_s);
  hold_back(pad, step_s);
  before_ = pad.buttons;
}

void StickPointer::move(const PadState& pad, double step_s) {
  const sail::Size wall = session_.view().size();
  const Push push = push_of(pad.left_x, pad.left_y);
  pushed_s_ = push.much > 0 ? pushed_s_ + step_s * push.much : 0;
  const double full = kSlowest + (kFastest - kSlowest) * std::min(1.0, pushed_s_ / kAccelerationS);
  // Speed is proportional to the square of the deflection, for fine steps.
  const double way = full * push.much * wall.width * step_s;
  at_.x = std::clamp(at_.x + push.x * way, 0.0, wall.width - 1.0);
  at_.y = std::clamp(at_.y + push.y * way, 0.0, wall.height - 1.0);
  if (!pointer_mapper_.in_input(hand_)) return;
  constexpr double kNotchesPerS = 8;
  scrolled_ += push_of(pad.right_x, pad.right_y).y * kNotchesPerS * step_s;
  const double notches = std::trunc(scrolled_);
  if (notches != 0) pointer_mapper_.wheel(hand_, 0, notches);
  scrolled_ -= notches;
}

// A pulled trigger grabs the window as button A does, so that it stays under the pointer.
void StickPointer::triggers(const PadState& pad, double step_s) {
  const double pull = pad.right_trigger - pad.left_trigger;
  const bool pulled = pad.right_trigger > kTriggerPulled || pad.left_trigger > kTriggerPulled;
  if (pointer_mapper_.in_input(hand_)) return;
  if (pulled && !pointer_mapper_.holds(hand_)) by_trigger_ = pointer_mapper_.grab(hand_);
  if (pulled) {
    constexpr double kFactorPerS = 2.5;
    pointer_mapper_.scale(hand_, std::pow(kFactorPerS, pull * step_s));
  } else if (std::exchange(by_trigger_, false) && (pad.buttons & kPadA) == 0) {
    pointer_mapper_.release(hand_);
  }
}

void StickPointer::buttons(const PadState& pad) {
  const uint32_t pressed = pad.buttons & ~before_;
  const uint32_t released = before_ & ~pad.buttons;
  if ((pressed & kPadB) != 0) {
    if (pointer_mapper_.in_input(hand_)) {
      pointer_mapper_.end_input(hand_);
    } else {
      pointer_mapper_.begin_input(hand_);
    }
    return;
  }
  if (pointer_mapper_.in_input(hand_)) {
    input_buttons(pressed, released);
  } else {
    wall_buttons(pressed, released);
  }
}

void StickPointer::input_buttons(uint32_t pressed, uint32_t released) {
  const uint32_t changed = pressed | released;
  if ((changed & kPadA) != 0)
    pointer_mapper_.press(hand_, InputButton::kLeft, (pressed & kPadA) != 0);
  if ((changed & kPadX) != 0)
    pointer_mapper_.press(hand_, InputButton::kRight, (pressed & kPadX) != 0);
  for (const auto& [button, key] : kArrows) {
    if ((changed & button) != 0) pointer_mapper_.key(hand_, key, (pressed & button) != 0);
  }
}

void StickPointer::wall_buttons(uint32_t pressed, uint32_t released) {
  if ((pressed & kPadA) != 0) pointer_mapper_.grab(hand_);
  if ((released & kPadA) != 0 && !by_trigger_) pointer_mapper_.release(hand_);
  if ((pressed & kPadX) != 0) pointer_mapper_.raise(hand_);
  if ((pressed & kPadY) != 0) pointer_mapper_.maximise(hand_);
  if ((pressed & kPadLeftShoulder) != 0) pointer_mapper_.undo();
  if ((pressed & kPadRightShoulder) != 0) pointer_mapper_.redo();
}

void StickPointer::hold_back(const PadState& pad, double step_s) {
  const double before_s = back_s_;
  back_s_ = (pad.buttons & kPadBack) != 0 ? back_s_ + step_s : 0;
  if (before_s < kCloseHoldS && back_s_ >= kCloseHoldS) pointer_mapper_.close(hand_);
}

}  // namespace ui
