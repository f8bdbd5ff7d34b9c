// What people do at the wall with whatever they hold: each hand is a pointer on it, may hold the
// window under it, and may give that window's application its pointer. Several hands may hold one
// window: two of them move and scale it, as fingers do. Pure: what is to happen goes to a Seat.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sail/base/geometry.h"
#include "sail/wire/json.h"
#include "ui/pointer/wall_view.h"

namespace ui {

// A place at the wall: where hands send what they want.
class Seat {
 public:
  virtual ~Seat() = default;
  virtual const WallView& view() const = 0;
  // number: 0 to kMaxPointers − 1.
  virtual void show_pointer(int number, const WallPoint& at, bool pressed) = 0;
  virtual void hide_pointer(int number) = 0;
  // Places with one gesture are one step of the history; the last of them is to be certain.
  virtual void place(uint32_t window, const sail::Rect& rect, const std::string& gesture,
                     bool last) = 0;
  // Something for the window's application: the params of the verb "input".
  virtual void input(const sail::Json& params) = 0;
  // Any other verb.
  virtual void ask(std::string_view verb, const sail::Json& params) = 0;
};

// Buttons of the verb "input", as browsers number them.
enum class InputButton { kLeft = 0, kMiddle = 1, kRight = 2 };

class Hands {
 public:
  using Hand = uint64_t;                   // the device's choice, unique among all
  static constexpr int kMaxPointers = 32;  // shown at a time; more hands work unseen
  static constexpr size_t kMaxHands = 256;

  explicit Hands(Seat& seat) : seat_(seat) {}

  // The hand is there now. It appears with its first point; windows and applications feel it move.
  void point(Hand hand, const WallPoint& at);
  // It is gone, and lets go of all.
  void leave(Hand hand);
  void leave_all();

  // Takes the window under the hand; false when there is none, or it is locked.
  bool grab(Hand hand);
  void let_go(Hand hand);
  bool holds(Hand hand) const;
  // Scales the held window about the hand.
  void scale(Hand hand, double factor);
  // Raises the window under the hand, or the one that it holds.
  void raise(Hand hand);
  void close(Hand hand);
  void maximise(Hand hand);  // or back to its place
  void undo() { seat_.ask("undo", sail::Json::object()); }
  void redo() { seat_.ask("redo", sail::Json::object()); }

  // From now on the application of the window under the hand feels it; false when it takes no
  // input, or there is no window.
  bool begin_input(Hand hand);
  void end_input(Hand hand);
  bool in_input(Hand hand) const;
  // While in input; else they do nothing.
  void press(Hand hand, InputButton button, bool down);
  void wheel(Hand hand, double dx, double dy);  // notches
  void key(Hand hand, const std::string& key, bool down);

  // The wall has changed: windows that are gone are held no more.
  void view_changed();
  WallPoint where(Hand hand) const;
  // The window that it holds, else the one under it; 0: none.
  uint32_t window_of(Hand hand) const;

 private:
  struct State {
    WallPoint at;
    int pointer = -1;      // shown as; −1: unseen
    uint32_t held = 0;     // window; 0: none
    uint32_t input = 0;    // window; 0: none
    uint32_t buttons = 0;  // pressed in its application: bit of browsers' `buttons`
  };
  struct Start {
    Hand hand = 0;
    WallPoint at;
  };
  // In fractions, so that many small steps do not add up rounding.
  struct Place {
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;
  };
  // A window in somebody's hands.
  struct Grip {
    Place start;               // where it was when the set of hands last changed
    std::vector<Start> hands;  // the first two count
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

  Seat& seat_;
  std::map<Hand, State> hands_;
  std::map<uint32_t, Grip> grips_;
  uint64_t gestures_ = 0;
};

}  // namespace ui
