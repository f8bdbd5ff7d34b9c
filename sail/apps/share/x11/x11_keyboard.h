// The keyboard of an X server: finds the key for a symbol, and temporarily maps unused keys to
// symbols without a key. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sail/apps/share/x11/x11_connection.h"

namespace sail {

class X11Keyboard {
 public:
  struct Key {
    xcb_keycode_t code = 0;    // 0: no key
    bool shift = false;        // needs Shift
    bool any_shift = false;    // works with and without Shift
    bool level3 = false;       // needs AltGr
    bool has_level3 = false;   // with AltGr the key has another symbol
    bool capitalised = false;  // Caps Lock acts like Shift
  };

  // x11 must outlive this object.
  explicit X11Keyboard(X11Connection& x11);
  // Removes the temporary mappings.
  ~X11Keyboard();
  X11Keyboard(const X11Keyboard&) = delete;
  X11Keyboard& operator=(const X11Keyboard&) = delete;

  // Reads the mapping again after it has changed.
  void read();
  // Searches the server's own keys. group: the current layout, from 0.
  Key find(uint32_t keysym, unsigned group) const;
  // Maps an unused key to the symbol: the least recently used one that is not held down. Programs
  // look up a key's symbol when they handle its event. So a key that typed another symbol is
  // remapped only after await_reader(), which returns when programs have handled all events. Some
  // programs (Tk) look the symbol up before they handle the mapping's change. So await_reader() is
  // also called before the key is pressed.
  Key lend(uint32_t keysym, const std::function<bool(xcb_keycode_t)>& is_held,
           const std::function<void()>& await_reader);

 private:
  struct Lent {
    xcb_keycode_t code = 0;
    uint32_t symbol = 0;  // 0: none yet
    uint64_t used = 0;    // larger is more recent
  };
  uint32_t symbol(size_t key, size_t place) const;
  bool is_free(size_t key) const;
  bool is_borrowed(size_t key) const;

  X11Connection& x11_;
  std::vector<uint32_t> symbols_;  // `each_` symbols for each key
  size_t each_ = 0;
  std::vector<Lent> lent_;  // keys without symbols of their own
  uint64_t uses_ = 0;
  // Programs have handled all events up to this use.
  uint64_t read_ = 0;
};

}  // namespace sail
