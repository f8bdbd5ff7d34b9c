// The connection to an X server, its extensions and its windows. Only the x11_* files of this
// folder use libxcb. One thread.
#pragma once

#include <xcb/xcb.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"

namespace sail {

struct FreeX11Reply {
  void operator()(void* reply) const { std::free(reply); }
};
// The caller must free replies of xcb.
template <typename T>
using X11Reply = std::unique_ptr<T, FreeX11Reply>;

// Extensions of the server.
struct X11Extensions {
  bool shared_memory = false;  // MIT-SHM; usable only on the same machine
  bool damage = false;         // XDamage
  bool fixes = false;          // XFixes with cursor images
  bool composite = false;      // XComposite with named pixmaps
  bool test = false;           // XTest
  uint8_t damage_event = 0;    // number of XDamage's first event
  uint8_t fixes_event = 0;
};

struct X11Window {
  xcb_window_t id = XCB_NONE;
  std::string title;
  Size size;
};

class X11Connection {
 public:
  // display: as in $DISPLAY; empty: $DISPLAY. Returns kUnavailable if there is no display (with
  // advice), or if pixels are not 8 bits per component.
  static Result<std::unique_ptr<X11Connection>> open(const std::string& display);

  xcb_connection_t* get() const { return connection_.get(); }
  const xcb_screen_t& screen() const { return *screen_; }
  const X11Extensions& extensions() const { return extensions_; }
  // The range of key codes.
  xcb_keycode_t first_keycode() const;
  xcb_keycode_t last_keycode() const;
  xcb_atom_t atom(std::string_view name) const;
  // Returns the property's bytes; empty if the window has no such property of this type.
  std::vector<uint8_t> property(xcb_window_t window, xcb_atom_t name, xcb_atom_t type) const;
  // Returns the next event; null if there is none. Never blocks.
  X11Reply<xcb_generic_event_t> poll();
  // Returns true if the connection is lost.
  bool lost() const { return xcb_connection_has_error(connection_.get()) != 0; }

  // Returns the windows that the window manager lists, or the children of the root window if it
  // lists none. Only windows with a title, at most kMaxWindows.
  std::vector<X11Window> windows() const;
  // Finds a window by number (0x… or decimal), title, or part of exactly one title, ignoring case.
  Result<X11Window> find_window(const std::string& text) const;

 private:
  static constexpr size_t kMaxWindows = 1000;
  struct Disconnect {
    void operator()(xcb_connection_t* connection) const { xcb_disconnect(connection); }
  };
  X11Connection() = default;
  Result<void> check_pixels() const;
  void query_extensions();
  void query_damage();
  std::vector<xcb_window_t> listed_windows() const;
  std::vector<xcb_window_t> titled_children() const;
  std::string title_of(xcb_window_t window) const;
  // Returns null if there is no such window.
  std::unique_ptr<X11Window> look_at(xcb_window_t window) const;

  std::unique_ptr<xcb_connection_t, Disconnect> connection_;
  const xcb_screen_t* screen_ = nullptr;  // owned by the connection
  X11Extensions extensions_;
};

}  // namespace sail
