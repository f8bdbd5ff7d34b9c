// The mouse pointer: its image and its position in a window. One thread.
#pragma once

#include <optional>

#include "sail/apps/desktop/desktop_frame.h"
#include "sail/apps/share/x11/x11_connection.h"

namespace sail {

class X11Cursor {
 public:
  // For a window of x11, which must have XFixes and outlive this object.
  X11Cursor(X11Connection& x11, xcb_window_t window);

  void obey(const xcb_generic_event_t& event);
  // Queries the pointer. area: in the window's pixels. Returns true if the visible pointer has
  // changed since the last call: its image or position, or it entered or left the area.
  bool update(const Rect& area);

  // Empty: outside of the area.
  struct Position {
    int x = 0;  // in the area
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
