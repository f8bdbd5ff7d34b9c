// Maps input devices to actions on the wall. A hand is one pointer: it can hold the window under
// it, or send input to that window's application. Two hands on one window move and scale it, as
// fingers do. Pure: actions go to a WallSession.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sail/core/base/geometry.h"
#include "sail/core/text/json.h"
#include "ui/pointer/wall_view.h"

namespace ui {

// Receives the actions of the hands: a connection to the wall.
class WallSession {
 public:
  virtual ~WallSession() = default;
  virtual const WallView& view() const = 0;
  // number: 0 to kMaxPointers − 1.
  virtual void show_pointer(int number, const WallPoint& at, bool pressed) = 0;
  virtual void hide_pointer(int number) = 0;
  // Places with the same gesture are one undo step. The last one is always delivered.
  virtual void place(uint32_t window, const sail::Rect& rect, const std::string& gesture,
                     bool last) = 0;
  // Sends input to the window's application; parameters of the verb "input".
  virtual void input(const sail::Json& params) = 0;
  // Calls any other verb.
  virtual void ask(std::string_view verb, const sail::Json& params) = 0;
};

// Buttons of the verb "input", numbered as in the DOM.
enum class InputButton { kLeft = 0, kMiddle = 1, kRight = 2 };

class PointerMapper {
 public:
  using Hand = uint64_t;                   // chosen by the device code; unique
  static constexpr int kMaxPointers = 32;  // shown at a time; further hands are invisible
  static constexpr size_t kMaxHands = 256;

  explicit PointerMapper(WallSession& session) : session_(session) {}

  // Moves the hand; the first call creates it. A held window, or the application in input, follows.
  void point(Hand hand, const WallPoint& at);
  // Removes the hand, which releases everything.
  void leave(Hand hand);
  void leave_all();

  // Grabs the window under the hand. Returns false if there is none, or it is locked.
  bool grab(Hand hand);
  void release(Hand hand);
  bool holds(Hand hand) const;
  // Scales the held window about the hand's position.
  void scale(Hand hand, double factor);
  // Raises the held window, else the window under the hand.
  void raise(Hand hand);
  void close(Hand hand);
  void maximise(Hand hand);  // restores a maximised window
  void undo() { session_.ask("undo", sail::Json::object()); }
  void redo() { session_.ask("redo", sail::Json::object()); }

  // Starts sending input to the application of the window under the hand. Returns false if there is
  // no window, or it takes no input.
  bool begin_input(Hand hand);
  void end_input(Hand hand);
  bool in_input(Hand hand) const;
  // These do nothing unless the hand sends input (begin_input()).
  void press(Hand hand, InputButton button, bool down);
  void wheel(Hand hand, double dx, double dy);  // wheel notches
  void key(Hand hand, const std::string& key, bool down);

  // Call after the view has changed: hands release windows that are gone.
  void view_changed();
  WallPoint where(Hand hand) const;
  // The held window, else the window under the hand; 0: none.
  uint32_t window_of(Hand hand) const;

 private:
  struct State {
    WallPoint at;
    int pointer = -1;      // pointer number; −1: not shown
    uint32_t held = 0;     // held window; 0: none
    uint32_t input = 0;    // window that gets input; 0: none
    uint32_t buttons = 0;  // pressed in the application; bits of MouseEvent.buttons
  };
  struct Start {
    Hand hand = 0;
    WallPoint at;
  };
  // Fractions of pixels, so that small steps do not accumulate rounding errors.
  struct Place {
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;
  };
  // A window held by at least one hand.
  struct Grip {
    Place start;               // place when the set of hands last changed
    std::vector<Start> hands;  // only the first two have an effect
    std::string gesture;
    bool moved = false;
  };

  const ViewedWindow* under(const State& state) const;
  void show(const State& state);
  void rebase(uint32_t window);
  Place place_of(const Grip& grip) const;
  void follow(uint32_t window);
  sail::Json input_params(const State& state, std::string_view type) const;
  int free_pointer() const;

  WallSession& session_;
  std::map<Hand, State> hands_;
  std::map<uint32_t, Grip> grips_;
  uint64_t gestures_ = 0;
};

}  // namespace ui
