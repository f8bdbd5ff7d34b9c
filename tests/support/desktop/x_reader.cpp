#include "tests/support/desktop/x_reader.h"

#include <fmt/core.h>

#include <cstdlib>
#include <memory>

namespace test {
namespace {

constexpr uint32_t kUnicode = 0x01000000;
constexpr uint32_t kFirstFunction = 0xfd00;
constexpr size_t kLevel3 = 4;

bool is_modifier(uint32_t keysym) {
  return (keysym >= 0xffe1 && keysym <= 0xffee) || keysym == 0xfe03;
}

std::string utf8(uint32_t point) {
  if (point < 0x80) return {static_cast<char>(point)};
  std::string text;
  const int more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
  constexpr int kFirst[] = {0, 0xc0, 0xe0, 0xf0};
  text += static_cast<char>(static_cast<uint32_t>(kFirst[more]) | point >> (6 * more));
  for (int i = more - 1; i >= 0; --i) {
    text += static_cast<char>(0x80 | ((point >> (6 * i)) & 0x3f));
  }
  return text;
}

}  // namespace

XReader::XReader(XDesktop& desktop, xcb_window_t window)
    : desktop_(desktop), protocols_(atom("WM_PROTOCOLS")), ping_(atom("_NET_WM_PING")) {
  xcb_change_property(desktop_.connection(), XCB_PROP_MODE_REPLACE, window, protocols_,
                      XCB_ATOM_ATOM, 32, 1, &ping_);
  xcb_set_input_focus(desktop_.connection(), XCB_INPUT_FOCUS_POINTER_ROOT, window,
                      XCB_CURRENT_TIME);
  read_mapping();
}

xcb_atom_t XReader::atom(const std::string& name) {
  const std::unique_ptr<xcb_intern_atom_reply_t, void (*)(void*)> reply(
      xcb_intern_atom_reply(desktop_.connection(),
                            xcb_intern_atom(desktop_.connection(), 0,
                                            static_cast<uint16_t>(name.size()), name.data()),
                            nullptr),
      std::free);
  return reply->atom;
}

void XReader::read_mapping() {
  const xcb_setup_t* setup = xcb_get_setup(desktop_.connection());
  const auto count = static_cast<uint8_t>(setup->max_keycode - setup->min_keycode + 1);
  const std::unique_ptr<xcb_get_keyboard_mapping_reply_t, void (*)(void*)> mapping(
      xcb_get_keyboard_mapping_reply(
          desktop_.connection(),
          xcb_get_keyboard_mapping(desktop_.connection(), setup->min_keycode, count), nullptr),
      std::free);
  const xcb_keysym_t* keysyms = xcb_get_keyboard_mapping_keysyms(mapping.get());
  symbols_.assign(keysyms, keysyms + xcb_get_keyboard_mapping_keysyms_length(mapping.get()));
  each_ = mapping->keysyms_per_keycode;
}

void XReader::step() {
  const auto event = desktop_.next_event();
  if (!event) return;
  switch (event->response_type & 0x7f) {
    case XCB_MAPPING_NOTIFY:
      return read_mapping();
    case XCB_CLIENT_MESSAGE:
      return answer(reinterpret_cast<const xcb_client_message_event_t&>(*event));
    case XCB_KEY_PRESS:
      return press(reinterpret_cast<const xcb_key_press_event_t&>(*event));
    default:
      break;
  }
}

void XReader::answer(xcb_client_message_event_t ping) {
  if (ping.type != protocols_ || ping.data.data32[0] != ping_) return;
  const xcb_window_t root = desktop_.screen()->root;
  ping.window = root;
  xcb_send_event(desktop_.connection(), 0, root,
                 XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY | XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT,
                 reinterpret_cast<const char*>(&ping));
  desktop_.settle();
}

uint32_t XReader::symbol(const xcb_key_press_event_t& key) const {
  const size_t first = (key.detail - xcb_get_setup(desktop_.connection())->min_keycode) * each_;
  const size_t group = (key.state >> 13) & 1;
  size_t level = 2 * group;
  if ((key.state & XCB_MOD_MASK_5) != 0 && kLevel3 < each_ && symbols_[first + kLevel3] != 0) {
    level = kLevel3;
  }
  const uint32_t small = symbols_[first + level];
  const uint32_t capital = symbols_[first + level + 1];
  // For a letter pair Lock acts like Shift; for other letters it makes the result a capital.
  const bool lock = (key.state & XCB_MOD_MASK_LOCK) != 0;
  const bool pair = capital != small && small == capital + 0x20;
  const bool shift = ((key.state & XCB_MOD_MASK_SHIFT) != 0) != (lock && pair);
  const uint32_t found = shift && capital != 0 ? capital : small;
  const bool latin = found >= 0xe0 && found < 0xff;
  const bool cyrillic = found >= kUnicode + 0x430 && found < kUnicode + 0x450;
  return lock && !pair && (latin || cyrillic) ? found - 0x20 : found;
}

void XReader::press(const xcb_key_press_event_t& key) {
  const uint32_t found = symbol(key);
  if (is_modifier(found)) return;
  std::string typed = utf8(found & ~kUnicode);
  if (found < kUnicode && found >= kFirstFunction) typed = fmt::format("<{:x}>", found);
  if ((key.state & XCB_MOD_MASK_CONTROL) != 0) {
    const bool shift = (key.state & XCB_MOD_MASK_SHIFT) != 0;
    typed = fmt::format("<{}Control+{}>", shift ? "Shift+" : "", typed);
  }
  text_ += typed;
}

}  // namespace test
