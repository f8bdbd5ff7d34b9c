#include "sail/apps/share/x11/x11_connection.h"

#include <fmt/core.h>
#include <xcb/composite.h>
#include <xcb/damage.h>
#include <xcb/shm.h>
#include <xcb/xfixes.h>
#include <xcb/xtest.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <iterator>
#include <optional>

#include "sail/core/base/environment.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"

namespace sail {
namespace {

constexpr uint32_t kMostPropertyWords = 16384;
constexpr size_t kMostTitlesTold = 8;

std::string no_desktop(const std::string& display) {
  const std::string named = display.empty() ? environment("DISPLAY") : display;
  if (!named.empty()) {
    return fmt::format(
        "cannot reach the X display {}: is it running, and may this user use it ($XAUTHORITY)?",
        named);
  }
  if (!environment("WAYLAND_DISPLAY").empty()) {
    return "this Wayland session has no X server: omit --window and --list, then the desktop asks "
           "what to share";
  }
  return "no desktop found: $DISPLAY is not set; name a display, for example --display :0";
}

// Parses a window number as printed by xwininfo.
std::optional<xcb_window_t> window_number(std::string_view text) {
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    text.remove_prefix(2);
    base = 16;
  }
  xcb_window_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string titles_of(const std::vector<X11Window>& windows) {
  std::string text;
  for (size_t i = 0; i < std::min(windows.size(), kMostTitlesTold); ++i) {
    text += fmt::format("{}\"{}\" ({:#x})", i == 0 ? "" : ", ", windows[i].title, windows[i].id);
  }
  if (windows.size() > kMostTitlesTold) text += ", …";
  return text;
}

}  // namespace

Result<std::unique_ptr<X11Connection>> X11Connection::open(const std::string& display) {
  std::unique_ptr<X11Connection> x11(new X11Connection());
  int number = 0;
  x11->connection_.reset(xcb_connect(display.empty() ? nullptr : display.c_str(), &number));
  if (x11->lost()) return fail(ErrorCode::kUnavailable, no_desktop(display));
  auto screens = xcb_setup_roots_iterator(xcb_get_setup(x11->get()));
  for (; number > 0 && screens.rem > 1; --number) xcb_screen_next(&screens);
  x11->screen_ = screens.data;
  if (auto usable = x11->check_pixels(); !usable) return usable.error();
  x11->query_extensions();
  return x11;
}

// Checks that pixels are B, G, R and an unused byte.
Result<void> X11Connection::check_pixels() const {
  const xcb_setup_t* setup = xcb_get_setup(get());
  bool usable = setup->image_byte_order == XCB_IMAGE_ORDER_LSB_FIRST;
  for (auto format = xcb_setup_pixmap_formats_iterator(setup); format.rem > 0;
       xcb_format_next(&format)) {
    if (format.data->depth == screen_->root_depth) usable &= format.data->bits_per_pixel == 32;
  }
  for (auto depth = xcb_screen_allowed_depths_iterator(screen_); depth.rem > 0;
       xcb_depth_next(&depth)) {
    for (auto visual = xcb_depth_visuals_iterator(depth.data); visual.rem > 0;
         xcb_visualtype_next(&visual)) {
      if (visual.data->visual_id != screen_->root_visual) continue;
      usable &= visual.data->red_mask == 0xff0000 && visual.data->green_mask == 0xff00 &&
                visual.data->blue_mask == 0xff;
    }
  }
  if (usable) return {};
  return fail(ErrorCode::kUnavailable,
              fmt::format("the screen has a colour depth of {} bits, only 24 bits (8 per colour) "
                          "are supported: start the X server with depth 24",
                          screen_->root_depth));
}

void X11Connection::query_extensions() {
  for (xcb_extension_t* extension :
       {&xcb_shm_id, &xcb_damage_id, &xcb_xfixes_id, &xcb_composite_id, &xcb_test_id}) {
    xcb_prefetch_extension_data(get(), extension);
  }
  const auto present = [this](xcb_extension_t* extension) {
    const xcb_query_extension_reply_t* data = xcb_get_extension_data(get(), extension);
    return data != nullptr && data->present != 0;
  };
  extensions_.shared_memory = present(&xcb_shm_id);
  extensions_.test = present(&xcb_test_id);
  if (present(&xcb_xfixes_id)) {
    // Each extension requires a version query before use.
    const X11Reply<xcb_xfixes_query_version_reply_t> version(
        xcb_xfixes_query_version_reply(get(), xcb_xfixes_query_version(get(), 5, 0), nullptr));
    extensions_.fixes = version && version->major_version >= 2;
    extensions_.fixes_event = xcb_get_extension_data(get(), &xcb_xfixes_id)->first_event;
  }
  if (present(&xcb_composite_id)) {
    const X11Reply<xcb_composite_query_version_reply_t> version(xcb_composite_query_version_reply(
        get(), xcb_composite_query_version(get(), 0, 4), nullptr));
    extensions_.composite = version && (version->major_version > 0 || version->minor_version >= 2);
  }
  if (present(&xcb_damage_id) && extensions_.fixes) query_damage();
}

// Damage is reported as XFixes regions.
void X11Connection::query_damage() {
  const X11Reply<xcb_damage_query_version_reply_t> version(
      xcb_damage_query_version_reply(get(), xcb_damage_query_version(get(), 1, 1), nullptr));
  extensions_.damage = version && version->major_version >= 1;
  extensions_.damage_event = xcb_get_extension_data(get(), &xcb_damage_id)->first_event;
}

X11Reply<xcb_generic_event_t> X11Connection::poll() {
  return X11Reply<xcb_generic_event_t>(xcb_poll_for_event(get()));
}

xcb_keycode_t X11Connection::first_keycode() const {
  return xcb_get_setup(get())->min_keycode;
}

xcb_keycode_t X11Connection::last_keycode() const {
  return xcb_get_setup(get())->max_keycode;
}

std::vector<X11Window> X11Connection::windows() const {
  std::vector<xcb_window_t> numbers = listed_windows();
  if (numbers.empty()) numbers = titled_children();
  std::vector<X11Window> windows;
  for (const xcb_window_t number : numbers) {
    if (windows.size() == kMaxWindows) break;
    if (const auto window = look_at(number); window && !window->title.empty()) {
      windows.push_back(*window);
    }
  }
  return windows;
}

Result<X11Window> X11Connection::find_window(const std::string& text) const {
  if (const auto number = window_number(text)) {
    if (const auto window = look_at(*number)) return *window;
  }
  const std::vector<X11Window> all = windows();
  std::vector<X11Window> found;
  std::ranges::copy_if(all, std::back_inserter(found),
                       [&](const X11Window& window) { return window.title == text; });
  if (found.empty()) {
    std::ranges::copy_if(all, std::back_inserter(found), [&](const X11Window& window) {
      return lower(window.title).find(lower(text)) != std::string::npos;
    });
  }
  if (found.size() == 1) return found.front();
  if (found.size() > 1) {
    return fail(ErrorCode::kNotFound,
                fmt::format("several windows match \"{}\": {}; give the whole title or the ID",
                            text, titles_of(found)));
  }
  return fail(ErrorCode::kNotFound,
              fmt::format("there is no window \"{}\" on this desktop; {}", text,
                          all.empty() ? "no window has a title" : "windows: " + titles_of(all)));
}

std::vector<xcb_window_t> X11Connection::listed_windows() const {
  const std::vector<uint8_t> list =
      property(screen_->root, atom("_NET_CLIENT_LIST"), XCB_ATOM_WINDOW);
  std::vector<xcb_window_t> windows(list.size() / sizeof(xcb_window_t));
  if (!windows.empty()) {
    std::memcpy(windows.data(), list.data(), windows.size() * sizeof(xcb_window_t));
  }
  return windows;
}

std::vector<xcb_window_t> X11Connection::titled_children() const {
  const X11Reply<xcb_query_tree_reply_t> tree(
      xcb_query_tree_reply(get(), xcb_query_tree(get(), screen_->root), nullptr));
  if (!tree) return {};
  const xcb_window_t* children = xcb_query_tree_children(tree.get());
  const int count = std::min<int>(xcb_query_tree_children_length(tree.get()), kMaxWindows);
  return {children, children + count};
}

std::unique_ptr<X11Window> X11Connection::look_at(xcb_window_t window) const {
  const X11Reply<xcb_get_window_attributes_reply_t> attributes(
      xcb_get_window_attributes_reply(get(), xcb_get_window_attributes(get(), window), nullptr));
  const X11Reply<xcb_get_geometry_reply_t> geometry(
      xcb_get_geometry_reply(get(), xcb_get_geometry(get(), window), nullptr));
  if (!attributes || !geometry || attributes->_class != XCB_WINDOW_CLASS_INPUT_OUTPUT) return {};
  return std::make_unique<X11Window>(
      X11Window{window, title_of(window), {geometry->width, geometry->height}});
}

std::string X11Connection::title_of(xcb_window_t window) const {
  std::vector<uint8_t> title = property(window, atom("_NET_WM_NAME"), atom("UTF8_STRING"));
  if (title.empty()) title = property(window, XCB_ATOM_WM_NAME, XCB_ATOM_STRING);
  return make_plain_text({reinterpret_cast<const char*>(title.data()), title.size()},
                         kMaxTitleLength);
}

std::vector<uint8_t> X11Connection::property(xcb_window_t window, xcb_atom_t name,
                                             xcb_atom_t type) const {
  const X11Reply<xcb_get_property_reply_t> reply(xcb_get_property_reply(
      get(), xcb_get_property(get(), 0, window, name, type, 0, kMostPropertyWords), nullptr));
  if (!reply || reply->type != type) return {};
  const auto* bytes = static_cast<const uint8_t*>(xcb_get_property_value(reply.get()));
  return {bytes, bytes + xcb_get_property_value_length(reply.get())};
}

xcb_atom_t X11Connection::atom(std::string_view name) const {
  const X11Reply<xcb_intern_atom_reply_t> reply(xcb_intern_atom_reply(
      get(), xcb_intern_atom(get(), 0, static_cast<uint16_t>(name.size()), name.data()), nullptr));
  return reply ? reply->atom : static_cast<xcb_atom_t>(XCB_ATOM_NONE);
}

}  // namespace sail
