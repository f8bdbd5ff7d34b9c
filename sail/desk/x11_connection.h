// The connection to an X server, what it can do, and its windows. libxcb lives in the files x11_*
// of this room and nowhere else. One thread.
#pragma once

#include <xcb/xcb.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sail/base/geometry.h"
#include "sail/base/result.h"

namespace sail {

struct FreeX11Reply {
  void operator()(void* reply) const { std::free(reply); }
};
// What xcb hands out belongs to the caller.
template <typename T>
using X11Reply = std::unique_ptr<T, FreeX11Reply>;

// What the server offers beyond the core protocol.
struct X11Extensions {
  bool shared_memory = false;  // MIT-SHM, and on this machine
  bool damage = false;         // XDamage
  bool fixes = false;          // XFixes with cursor pictures
  bool composite = false;      // XComposite with named pixmaps
  bool test = false;           // XTest
  uint8_t damage_event = 0;    // numbers of their first events
  uint8_t fixes_event = 0;
};

struct X11Window {
  xcb_window_t id = XCB_NONE;
  std::string title;
  Size size;
};

class X11Connection {
 public:
  // display: as $DISPLAY has it; empty: $DISPLAY. kUnavailable with what to do when there is none,
  // kUnavailable when its pixels are not 8 bits a component.
  static Result<std::unique_ptr<X11Connection>> open(const std::string& display);

  xcb_connection_t* get() const { return connection_.get(); }
  const xcb_screen_t& screen() const { return *screen_; }
  const X11Extensions& extensions() const { return extensions_; }
  // The range of the keyboard's codes.
  xcb_keycode_t first_keycode() const;
  xcb_keycode_t last_keycode() const;
  xcb_atom_t atom(std::string_view name) const;
  // Its bytes; none when the window has no such property of that type.
  std::vector<uint8_t> property(xcb_window_t window, xcb_atom_t name, xcb_atom_t type) const;
  // What has come from the server, the oldest first; nothing when that was all. Never waits.
  X11Reply<xcb_generic_event_t> poll();
  // The server has gone.
  bool lost() const { return xcb_connection_has_error(connection_.get()) != 0; }

  // Windows that a person would name: those that the window manager lists, or without one the
  // titled children of the root window. At most kMaxWindows.
  std::vector<X11Window> windows() const;
  // By its number (0x…, or decimal), its title, or a part of exactly one title, whatever the case.
  Result<X11Window> find_window(const std::string& text) const;

 private:
  static constexpr size_t kMaxWindows = 1000;
  struct Disconnect {
    void operator()(xcb_connection_t* connection) const { xcb_disconnect(connection); }
  };
  X11Connection() = default;
  Result<void> check_pixels() const;
  void look_for_extensions();
  void look_for_damage();
  std::vector<xcb_window_t> listed_windows() const;
  std::vector<xcb_window_t> titled_children() const;
  std::string title_of(xcb_window_t window) const;
  // Nothing when there is no such window.
  std::unique_ptr<X11Window> look_at(xcb_window_t window) const;

  std::unique_ptr<xcb_connection_t, Disconnect> connection_;
  const xcb_screen_t* screen_ = nullptr;  // the connection's
  X11Extensions extensions_;
};

}  // namespace sail
