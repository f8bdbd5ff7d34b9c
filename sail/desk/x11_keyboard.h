// An X server's keyboard: which key types a symbol, and keys lent to symbols that none types. One
// thread.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sail/desk/x11_connection.h"

namespace sail {

class X11Keyboard {
 public:
  struct Key {
    xcb_keycode_t code = 0;    // 0: there is none
    bool shift = false;        // the symbol needs Shift
    bool any_shift = false;    // it comes with Shift and without
    bool level3 = false;       // it needs AltGr
    bool has_level3 = false;   // with AltGr the key has another
    bool capitalised = false;  // Caps Lock does the same as Shift
  };

  // x11 outlives it.
  explicit X11Keyboard(X11Connection& x11);
  // Takes back what it lent.
  ~X11Keyboard();
  X11Keyboard(const X11Keyboard&) = delete;
  X11Keyboard& operator=(const X11Keyboard&) = delete;

  // Somebody has changed the mapping.
  void read();
  // Among the keys that the server has. group: the layout in use, from 0.
  Key find(uint32_t keysym, unsigned group) const;
  // Maps a key without symbols to this one: the one that was used longest ago, and that is not held
  // down. Programs look a key up when they come to its event, so one that typed something else is
  // mapped to another symbol after await_reader(), which returns when they have come to all events.
  // Some (Tk) look it up before they come to the notice that the mapping has changed: so it also
  // waits before the key is pressed.
  Key lend(uint32_t keysym, const std::function<bool(xcb_keycode_t)>& is_held,
           const std::function<void()>& await_reader);

 private:
  struct Lent {
    xcb_keycode_t code = 0;
    uint32_t symbol = 0;  // 0: none yet
    uint64_t used = 0;    // a larger number is later
  };
  uint32_t symbol(size_t key, size_t place) const;
  bool is_free(size_t key) const;
  bool is_lent(size_t key) const;

  X11Connection& x11_;
  std::vector<uint32_t> symbols_;  // of all keys, each_ a key
  size_t each_ = 0;
  std::vector<Lent> lent_;  // of keys without symbols of their own
  uint64_t uses_ = 0;
  uint64_t read_ = 0;  // the programs have come to what was typed until this use
};

}  // namespace sail
