#include "sail/apps/share/x11/x11_windows.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace sail {

Result<std::unique_ptr<X11Windows>> X11Windows::manage() {
  auto x11 = X11Connection::open("");
  if (!x11) return x11.error();
  xcb_connection_t* connection = (*x11)->get();
  const uint32_t events[] = {XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT};
  const auto asked = xcb_change_window_attributes_checked(connection, (*x11)->screen().root,
                                                          XCB_CW_EVENT_MASK, events);
  if (const X11Reply<xcb_generic_error_t> refused{xcb_request_check(connection, asked)}) {
    return fail(ErrorCode::kUnavailable,
                "another window manager is already running on this screen");
  }
  return std::unique_ptr<X11Windows>(new X11Windows(std::move(*x11)));
}

X11Windows::X11Windows(std::unique_ptr<X11Connection> x11) : x11_(std::move(x11)) {}

void X11Windows::pump() {
  constexpr uint8_t kSentByOthers = 0x80;
  while (const auto event = x11_->poll()) {
    switch (event->response_type & ~kSentByOthers) {
      case XCB_MAP_REQUEST:
        show(reinterpret_cast<const xcb_map_request_event_t*>(event.get())->window);
        break;
      case XCB_CONFIGURE_REQUEST: {
        const auto& wish = *reinterpret_cast<const xcb_configure_request_event_t*>(event.get());
        move_to(wish.window, place_of(wish.window, {wish.width, wish.height}));
        break;
      }
      default:
        break;
    }
  }
  xcb_flush(x11_->get());
}

void X11Windows::show(xcb_window_t window) {
  xcb_connection_t* connection = x11_->get();
  const X11Reply<xcb_get_geometry_reply_t> shape(
      xcb_get_geometry_reply(connection, xcb_get_geometry(connection, window), nullptr));
  if (!shape) return;  // already destroyed
  move_to(window, place_of(window, {shape->width, shape->height}));
  xcb_map_window(connection, window);
  xcb_set_input_focus(connection, XCB_INPUT_FOCUS_POINTER_ROOT, window, XCB_CURRENT_TIME);
}

Rect X11Windows::place_of(xcb_window_t window, Size wanted) const {
  const Size screen{x11_->screen().width_in_pixels, x11_->screen().height_in_pixels};
  if (!is_dialogue(window)) return {0, 0, screen.width, screen.height};
  const Size size{std::min(wanted.width, screen.width), std::min(wanted.height, screen.height)};
  return {(screen.width - size.width) / 2, (screen.height - size.height) / 2, size.width,
          size.height};
}

void X11Windows::move_to(xcb_window_t window, const Rect& place) {
  constexpr uint32_t kNoBorder = 0;
  const uint32_t values[] = {static_cast<uint32_t>(place.x),
                             static_cast<uint32_t>(place.y),
                             static_cast<uint32_t>(place.width),
                             static_cast<uint32_t>(place.height),
                             kNoBorder,
                             XCB_STACK_MODE_ABOVE};
  xcb_configure_window(x11_->get(), window,
                       XCB_CONFIG_WINDOW_X | XCB_CONFIG_WINDOW_Y | XCB_CONFIG_WINDOW_WIDTH |
                           XCB_CONFIG_WINDOW_HEIGHT | XCB_CONFIG_WINDOW_BORDER_WIDTH |
                           XCB_CONFIG_WINDOW_STACK_MODE,
                       values);
}

bool X11Windows::is_dialogue(xcb_window_t window) const {
  xcb_connection_t* connection = x11_->get();
  const X11Reply<xcb_get_property_reply_t> owner(xcb_get_property_reply(
      connection,
      xcb_get_property(connection, 0, window, XCB_ATOM_WM_TRANSIENT_FOR, XCB_ATOM_WINDOW, 0, 1),
      nullptr));
  return owner && xcb_get_property_value_length(owner.get()) > 0;
}

}  // namespace sail
