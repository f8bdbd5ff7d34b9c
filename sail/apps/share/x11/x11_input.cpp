#include "sail/apps/share/x11/x11_input.h"

#include <poll.h>
#include <xcb/xtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "sail/apps/share/x11/x11_connection.h"
#include "sail/core/time/clock.h"
#include "sail/core/wire/input.h"

namespace sail {
namespace {

// X11 button numbers: 4 to 7 are the wheel.
constexpr std::array<uint8_t, 5> kButtons{1, 2, 3, 8, 9};
constexpr uint8_t kWheelUp = 4;
constexpr uint8_t kWheelDown = 5;
constexpr uint8_t kWheelLeft = 6;
constexpr uint8_t kWheelRight = 7;
constexpr size_t kMostKeysHeld = 32;
// Keysyms.
constexpr uint32_t kShift = 0xffe1;
constexpr uint32_t kCapsLock = 0xffe5;
constexpr uint32_t kLevel3 = 0xfe03;  // AltGr
// Position of the layout number (group) in the keyboard state.
constexpr unsigned kGroupShift = 13;
constexpr unsigned kGroups = 3;

bool may_have_case(uint32_t keysym) {
  constexpr uint32_t kFirstBeyondAscii = 0xa0;
  return keysym >= kFirstBeyondAscii || std::isalpha(static_cast<int>(keysym)) != 0;
}

constexpr int kPingTimeoutMs = 500;
constexpr int kUnansweredMs = 30;

struct PingAtoms {
  xcb_atom_t protocols = XCB_NONE;
  xcb_atom_t ping = XCB_NONE;
};

bool answers_pings(const X11Connection& x11, xcb_window_t window, const PingAtoms& atoms) {
  const std::vector<uint8_t> list = x11.property(window, atoms.protocols, XCB_ATOM_ATOM);
  std::vector<xcb_atom_t> protocols(list.size() / sizeof(xcb_atom_t));
  if (protocols.empty()) return false;
  std::memcpy(protocols.data(), list.data(), protocols.size() * sizeof(xcb_atom_t));
  return std::ranges::find(protocols, atoms.ping) != protocols.end();
}

// Returns the focused window, or its nearest ancestor, that answers pings.
xcb_window_t focused_program(const X11Connection& x11, const PingAtoms& atoms) {
  const X11Reply<xcb_get_input_focus_reply_t> focus(
      xcb_get_input_focus_reply(x11.get(), xcb_get_input_focus(x11.get()), nullptr));
  xcb_window_t window = focus ? focus->focus : xcb_window_t{XCB_NONE};
  while (window > XCB_INPUT_FOCUS_POINTER_ROOT && window != x11.screen().root) {
    if (answers_pings(x11, window, atoms)) return window;
    const X11Reply<xcb_query_tree_reply_t> tree(
        xcb_query_tree_reply(x11.get(), xcb_query_tree(x11.get(), window), nullptr));
    window = tree ? tree->parent : xcb_window_t{XCB_NONE};
  }
  return XCB_NONE;
}

// Waits for an event and consumes others. Returns true if it arrived.
template <typename IsWanted>
bool await_event(X11Connection& x11, int wait_timeout_ms, const IsWanted& is_wanted) {
  const int64_t end_ns = steady_now_ns() + wait_timeout_ms * kMillisecondNs;
  while (!x11.lost()) {
    while (const auto event = x11.poll()) {
      if (is_wanted(*event)) return true;
    }
    const int64_t left_ms = (end_ns - steady_now_ns()) / kMillisecondNs;
    if (left_ms <= 0) break;
    pollfd ready{xcb_get_file_descriptor(x11.get()), POLLIN, 0};
    ::poll(&ready, 1, static_cast<int>(left_ms));
  }
  return false;
}

// Ping replies are sent to the root window.
void watch_root(const X11Connection& x11, uint32_t events) {
  xcb_change_window_attributes(x11.get(), x11.screen().root, XCB_CW_EVENT_MASK, &events);
  xcb_flush(x11.get());
}

// Waits until the program with the keyboard focus has handled all events so far, at most
// kPingTimeoutMs. Programs answer pings (_NET_WM_PING of the Extended Window Manager Hints) in
// order with other events. If the program does not support pings, waits kUnansweredMs. Consumes all
// events of the connection meanwhile.
void await_reader(X11Connection& x11) {
  const PingAtoms atoms{x11.atom("WM_PROTOCOLS"), x11.atom("_NET_WM_PING")};
  const xcb_window_t window = focused_program(x11, atoms);
  if (window == XCB_NONE) {
    await_event(x11, kUnansweredMs, [](const xcb_generic_event_t&) { return false; });
    return;
  }
  const auto stamp = static_cast<uint32_t>(steady_now_ns() / kMillisecondNs);
  xcb_client_message_event_t ping{};
  ping.response_type = XCB_CLIENT_MESSAGE;
  ping.format = 32;
  ping.window = window;
  ping.type = atoms.protocols;
  ping.data.data32[0] = atoms.ping;
  ping.data.data32[1] = stamp;
  ping.data.data32[2] = window;
  watch_root(x11, XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY);
  xcb_send_event(x11.get(), 0, window, XCB_EVENT_MASK_NO_EVENT,
                 reinterpret_cast<const char*>(&ping));
  xcb_flush(x11.get());
  await_event(x11, kPingTimeoutMs, [&](const xcb_generic_event_t& event) {
    const auto& answer = reinterpret_cast<const xcb_client_message_event_t&>(event);
    return (event.response_type & 0x7f) == XCB_CLIENT_MESSAGE && answer.type == atoms.protocols &&
           answer.data.data32[0] == atoms.ping && answer.data.data32[1] == stamp;
  });
  watch_root(x11, XCB_EVENT_MASK_NO_EVENT);
}

}  // namespace

Result<std::unique_ptr<X11Input>> X11Input::open(const std::string& display) {
  auto x11 = X11Connection::open(display);
  if (!x11) return x11.error();
  if ((*x11)->extensions().test) return std::unique_ptr<X11Input>(new X11Input(std::move(*x11)));
  return fail(
      ErrorCode::kUnavailable,
      "the X server does not allow pointer control (extension XTest is missing): omit --control");
}

X11Input::X11Input(std::unique_ptr<X11Connection> x11)
    : x11_(std::move(x11)), keyboard_(std::make_unique<X11Keyboard>(*x11_)) {}

X11Input::~X11Input() {
  if (x11_->lost()) return;
  release_all();
  keyboard_.reset();
  // A server discards unread requests of a closed connection if it cannot write events to it. The
  // reply proves that all requests have been processed.
  const X11Reply<xcb_get_input_focus_reply_t> done(
      xcb_get_input_focus_reply(x11_->get(), xcb_get_input_focus(x11_->get()), nullptr));
}

void X11Input::aim_at(xcb_window_t window, int left, int top) {
  window_ = window;
  left_ = left;
  top_ = top;
}

void X11Input::move_to(int x, int y) {
  const X11Reply<xcb_translate_coordinates_reply_t> at(xcb_translate_coordinates_reply(
      x11_->get(),
      xcb_translate_coordinates(x11_->get(), window_, x11_->screen().root,
                                static_cast<int16_t>(left_ + x), static_cast<int16_t>(top_ + y)),
      nullptr));
  if (!at) return;
  xcb_test_fake_input(x11_->get(), XCB_MOTION_NOTIFY, 0, XCB_CURRENT_TIME, x11_->screen().root,
                      at->dst_x, at->dst_y, 0);
  xcb_flush(x11_->get());
}

void X11Input::press_button(int button, bool down) {
  if (button < 0 || static_cast<size_t>(button) >= kButtons.size()) return;
  const uint8_t number = kButtons.at(static_cast<size_t>(button));
  fake(down ? XCB_BUTTON_PRESS : XCB_BUTTON_RELEASE, number);
  down ? static_cast<void>(buttons_.insert(number)) : static_cast<void>(buttons_.erase(number));
}

void X11Input::turn_wheel(double right, double down) {
  const int columns = wheel_right_.add(right);
  const int rows = wheel_down_.add(down);
  click(columns < 0 ? kWheelLeft : kWheelRight, std::abs(columns));
  click(rows < 0 ? kWheelUp : kWheelDown, std::abs(rows));
}

bool X11Input::press_key(const std::string& key, bool down) {
  if (!down) {
    let_go(key);
    return true;
  }
  const auto keysym = keysym_of(key);
  if (!keysym || pressed_.size() >= kMostKeysHeld) return false;
  hear();
  const X11Reply<xcb_query_pointer_reply_t> pointer(xcb_query_pointer_reply(
      x11_->get(), xcb_query_pointer(x11_->get(), x11_->screen().root), nullptr));
  const unsigned state = pointer ? pointer->mask : 0U;
  const X11Keyboard::Key found = key_for(*keysym, (state >> kGroupShift) & kGroups);
  if (found.code == 0) return false;
  // Windows sends Control before AltGr; that would turn the character into a shortcut.
  if (key == "AltGraph") let_go("Control");
  if (is_character(*keysym)) {
    press_character(*keysym, found, state);
  } else {
    fake(XCB_KEY_PRESS, found.code);
  }
  pressed_[key] = found.code;
  return true;
}

X11Keyboard::Key X11Input::key_for(uint32_t keysym, unsigned group) {
  const X11Keyboard::Key found = keyboard_->find(keysym, group);
  if (found.code != 0 && (!found.level3 || keyboard_->find(kLevel3, 0).code != 0)) return found;
  const auto is_held = [this](xcb_keycode_t code) {
    return std::ranges::any_of(pressed_, [code](const auto& one) { return one.second == code; });
  };
  return keyboard_->lend(keysym, is_held, [this] { await_reader(*x11_); });
}

void X11Input::press_character(uint32_t keysym, const X11Keyboard::Key& key, unsigned state) {
  const bool command =
      pressed_.contains("Control") || pressed_.contains("Alt") || pressed_.contains("Meta");
  // Shortcuts use the held modifiers: Control+Shift+z arrives as Z, and with Caps Lock as z.
  if (command && key.capitalised) return fake(XCB_KEY_PRESS, key.code);
  const bool locked = (state & XCB_MOD_MASK_LOCK) != 0;
  const bool shifted = (state & XCB_MOD_MASK_SHIFT) != 0;
  const bool shift = key.shift != (locked && key.capitalised);
  const bool altered = pressed_.contains("AltGraph");
  std::vector<std::pair<uint8_t, xcb_keycode_t>> before;  // undone in reverse order
  const auto add = [&](uint8_t type, xcb_keycode_t code) {
    if (code != 0) before.emplace_back(type, code);
  };
  if (locked && !key.capitalised && may_have_case(keysym)) {
    const xcb_keycode_t caps_lock = keyboard_->find(kCapsLock, 0).code;
    add(XCB_KEY_PRESS, caps_lock);
    add(XCB_KEY_RELEASE, caps_lock);
  }
  if (shift && !shifted && !key.any_shift) add(XCB_KEY_PRESS, keyboard_->find(kShift, 0).code);
  if (!shift && shifted && !key.any_shift && !command && pressed_.contains("Shift")) {
    add(XCB_KEY_RELEASE, pressed_.at("Shift"));
  }
  if (key.level3 && !altered) add(XCB_KEY_PRESS, keyboard_->find(kLevel3, 0).code);
  if (key.has_level3 && altered) add(XCB_KEY_RELEASE, pressed_.at("AltGraph"));
  for (const auto& [type, code] : before) fake(type, code);
  fake(XCB_KEY_PRESS, key.code);
  for (auto one = before.rbegin(); one != before.rend(); ++one) {
    fake(one->first == XCB_KEY_PRESS ? XCB_KEY_RELEASE : XCB_KEY_PRESS, one->second);
  }
}

void X11Input::let_go(const std::string& key) {
  const auto held = pressed_.extract(key);
  if (!held.empty()) fake(XCB_KEY_RELEASE, held.mapped());
}

void X11Input::release_all() {
  for (const uint8_t button : buttons_) fake(XCB_BUTTON_RELEASE, button);
  for (const auto& [key, code] : pressed_) fake(XCB_KEY_RELEASE, code);
  buttons_.clear();
  pressed_.clear();
}

void X11Input::fake(uint8_t type, uint8_t detail) {
  xcb_test_fake_input(x11_->get(), type, detail, XCB_CURRENT_TIME, XCB_NONE, 0, 0, 0);
  xcb_flush(x11_->get());
}

void X11Input::click(uint8_t button, int times) {
  for (int i = 0; i < times; ++i) {
    fake(XCB_BUTTON_PRESS, button);
    fake(XCB_BUTTON_RELEASE, button);
  }
}

// The keyboard mapping may change, for example when the user selects another layout.
void X11Input::hear() {
  bool changed = false;
  while (const auto event = x11_->poll()) {
    changed |= (event->response_type & 0x7f) == XCB_MAPPING_NOTIFY;
  }
  if (changed) keyboard_->read();
}

}  // namespace sail
