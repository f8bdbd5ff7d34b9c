// A game controller as a hand on the wall. Speed depends on time, not on the polling rate. Pure.
#pragma once

#include <cstdint>

#include "ui/pointer/pointer_mapper.h"

namespace ui {

// Buttons of a controller, named as on an A, B, X, Y layout.
enum PadButton : uint32_t {
  kPadA = 1 << 0,
  kPadB = 1 << 1,
  kPadX = 1 << 2,
  kPadY = 1 << 3,
  kPadBack = 1 << 4,
  kPadLeftShoulder = 1 << 5,
  kPadRightShoulder = 1 << 6,
  kPadUp = 1 << 7,
  kPadDown = 1 << 8,
  kPadLeft = 1 << 9,
  kPadRight = 1 << 10,
};

struct PadState {
  double left_x = 0;  // −1 left to 1 right
  double left_y = 0;  // −1 up to 1 down
  double right_x = 0;
  double right_y = 0;
  double left_trigger = 0;  // 0 to 1
  double right_trigger = 0;
  uint32_t buttons = 0;  // bits of PadButton
};

// Describes the buttons, for --help.
extern const char* const kPadHelp;

class StickPointer {
 public:
  static constexpr double kDeadZone = 0.18;  // share of full deflection
  static constexpr double kSlowest = 0.15;   // wall widths a second at full deflection, at first
  static constexpr double kFastest = 0.60;   // at full deflection after kAccelerationS
  static constexpr double kAccelerationS = 0.8;  // time from kSlowest to kFastest
  static constexpr double kCloseHoldS = 1.0;     // holding Back this long closes the window
  static constexpr double kRestS = 30;           // hides the pointer after this time without input
  static constexpr double kLongestStepS = 0.1;   // avoids a jump after the program was delayed

  StickPointer(PointerMapper& pointer_mapper, const WallSession& session, PointerMapper::Hand hand)
      : pointer_mapper_(pointer_mapper), session_(session), hand_(hand) {}
  ~StickPointer() { pointer_mapper_.leave(hand_); }
  StickPointer(const StickPointer&) = delete;
  StickPointer& operator=(const StickPointer&) = delete;

  // Handles the controller's current state; since_s: seconds since the last call.
  void step(const PadState& pad, double since_s);

 private:
  bool touched(const PadState& pad) const;
  void move(const PadState& pad, double step_s);
  void triggers(const PadState& pad, double step_s);
  void buttons(const PadState& pad);
  void input_buttons(uint32_t pressed, uint32_t released);
  void wall_buttons(uint32_t pressed, uint32_t released);
  void hold_back(const PadState& pad, double step_s);

  PointerMapper& pointer_mapper_;
  const WallSession& session_;
  PointerMapper::Hand hand_;
  WallPoint at_;
  bool placed_ = false;  // at_ is somewhere on the wall
  bool shown_ = false;
  double pushed_s_ = 0;  // how long the stick has been deflected
  double rested_s_ = 0;
  double back_s_ = 0;        // how long Back has been held
  double scrolled_ = 0;      // notches not sent yet
  bool by_trigger_ = false;  // a trigger holds the window, not A
  uint32_t before_ = 0;      // buttons
};

}  // namespace ui
