// The least of a window manager, for a screen with one program: its windows fill the screen, its
// dialogues stand in the middle, and the newest has the keyboard. One thread; a connection of its
// own.
#pragma once

#include <xcb/xcb.h>

#include <memory>

#include "sail/base/geometry.h"
#include "sail/base/result.h"
#include "sail/desk/x11_connection.h"

namespace sail {

class X11Windows {
 public:
  // On $DISPLAY. kUnavailable: somebody manages its windows already.
  static Result<std::unique_ptr<X11Windows>> manage();

  // Does what programs have asked for since.
  void look();

 private:
  explicit X11Windows(std::unique_ptr<X11Connection> x11);
  void show(xcb_window_t window);
  // Where it is to stand; wanted: what the program asked for.
  Rect place_of(xcb_window_t window, Size wanted) const;
  void move_to(xcb_window_t window, const Rect& place);
  bool is_dialogue(xcb_window_t window) const;

  const std::unique_ptr<X11Connection> x11_;
};

}  // namespace sail
