#include "sail/apps/share/x11/x11_ping.h"

#include <poll.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "sail/core/time/clock.h"

namespace sail {
namespace {

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

}  // namespace

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

}  // namespace sail
