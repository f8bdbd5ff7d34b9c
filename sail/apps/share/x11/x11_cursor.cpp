#include "sail/apps/share/x11/x11_cursor.h"

#include <xcb/xfixes.h>

#include <utility>

namespace sail {

X11Cursor::X11Cursor(X11Connection& x11, xcb_window_t window) : x11_(x11), window_(window) {
  xcb_xfixes_select_cursor_input(x11_.get(), x11_.screen().root,
                                 XCB_XFIXES_CURSOR_NOTIFY_MASK_DISPLAY_CURSOR);
}

void X11Cursor::obey(const xcb_generic_event_t& event) {
  if ((event.response_type & 0x7f) == x11_.extensions().fixes_event + XCB_XFIXES_CURSOR_NOTIFY) {
    stale_ = true;
  }
}

bool X11Cursor::update(const Rect& area) {
  const X11Reply<xcb_query_pointer_reply_t> pointer(
      xcb_query_pointer_reply(x11_.get(), xcb_query_pointer(x11_.get(), window_), nullptr));
  std::optional<Position> position;
  if (pointer && pointer->same_screen != 0 && area.contains(pointer->win_x, pointer->win_y)) {
    position = {pointer->win_x - area.x, pointer->win_y - area.y};
  }
  const bool moved = std::exchange(position_, position) != position;
  if (!position || !stale_) return moved;
  fetch_picture();
  return true;
}

void X11Cursor::fetch_picture() {
  stale_ = false;
  const X11Reply<xcb_xfixes_get_cursor_image_reply_t> image(xcb_xfixes_get_cursor_image_reply(
      x11_.get(), xcb_xfixes_get_cursor_image(x11_.get()), nullptr));
  if (!image) return;
  const uint32_t* pixels = xcb_xfixes_get_cursor_image_cursor_image(image.get());
  picture_.size = {image->width, image->height};
  picture_.hot_x = image->xhot;
  picture_.hot_y = image->yhot;
  picture_.pixels.assign(pixels, pixels + ptrdiff_t{image->width} * image->height);
}

}  // namespace sail
