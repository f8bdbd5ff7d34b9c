// The pointer of a desktop: its picture and where it is in a window. One thread.
#pragma once

#include <optional>

#include "sail/desk/cursor_overlay.h"
#include "sail/desk/x11_connection.h"

namespace sail {

class X11Cursor {
 public:
  // The pointer in a window of x11, which has XFixes and outlives this.
  X11Cursor(X11Connection& x11, xcb_window_t window);

  void obey(const xcb_generic_event_t& event);
  // Asks where the pointer is. True when it does not look as at the last call: it has another
  // picture or place, and is or was within the area, which is in the window's pixels.
  bool update(const Rect& area);

  // Nothing: not within the area.
  struct Position {
    int x = 0;  // of the area
    int y = 0;
    bool operator==(const Position&) const = default;
  };
  const std::optional<Position>& position() const { return position_; }
  const CursorPicture& picture() const { return picture_; }

 private:
  void fetch_picture();

  X11Connection& x11_;
  const xcb_window_t window_;
  bool stale_ = true;
  CursorPicture picture_;
  std::optional<Position> position_;
};

}  // namespace sail
