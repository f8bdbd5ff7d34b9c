// A minimal window manager for a screen with one program: windows fill the screen, dialogues are
// centred, and the newest window gets the keyboard focus. One thread; separate connection.
#pragma once

#include <xcb/xcb.h>

#include <memory>

#include "sail/apps/share/x11/x11_connection.h"
#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"

namespace sail {

class X11Windows {
 public:
  // Manages $DISPLAY. Returns kUnavailable if there is another window manager.
  static Result<std::unique_ptr<X11Windows>> manage();

  // Handles pending requests of programs.
  void pump();

 private:
  explicit X11Windows(std::unique_ptr<X11Connection> x11);
  void show(xcb_window_t window);
  // Returns the window's rectangle. wanted: size requested by the program.
  Rect place_of(xcb_window_t window, Size wanted) const;
  void move_to(xcb_window_t window, const Rect& place);
  bool is_dialogue(xcb_window_t window) const;

  const std::unique_ptr<X11Connection> x11_;
};

}  // namespace sail
