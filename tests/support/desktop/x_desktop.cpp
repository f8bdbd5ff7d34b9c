#include "tests/support/desktop/x_desktop.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <sys/uio.h>
#include <unistd.h>
#include <xcb/randr.h>
#include <xcb/xcbext.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>

#include "tests/support/headless_wall.h"

namespace test {
namespace {

constexpr int kMaxCursorSide = 64;

}  // namespace

XDesktop::XDesktop(sail::Size size, const std::vector<std::string>& more) {
  // The server chooses a free display number, and writes it to the file when it listens.
  std::string file = testing::TempDir() + "vitrail-display-XXXXXX";
  const int number = mkstemp(file.data());
  std::vector<std::string> words{"/bin/sh",
                                 "-c",
                                 "file=$1; shift; exec Xvfb -displayfd 3 \"$@\" 3>\"$file\"",
                                 "sh",
                                 file,
                                 "-screen",
                                 "0",
                                 fmt::format("{}x{}x24", size.width, size.height),
                                 "-nolisten",
                                 "tcp",
                                 "-noreset"};
  words.insert(words.end(), more.begin(), more.end());
  server_.emplace(words);
  std::string text;
  EXPECT_TRUE(eventually([&] {
    std::ifstream in(file);
    std::getline(in, text);
    return !in.eof() || server_->exit_code();
  })) << server_->output();
  close(number);
  std::filesystem::remove(file);
  display_ = ":" + text;
  connection_ = xcb_connect(display_.c_str(), nullptr);
  EXPECT_EQ(xcb_connection_has_error(connection_), 0) << display_;
  screen_ = xcb_setup_roots_iterator(xcb_get_setup(connection_)).data;
}

XDesktop::~XDesktop() {
  xcb_disconnect(connection_);
}

xcb_window_t XDesktop::open_window(const std::string& title, const sail::Rect& place) {
  const xcb_window_t window = xcb_generate_id(connection_);
  const uint32_t values[] = {0, XCB_EVENT_MASK_KEY_PRESS | XCB_EVENT_MASK_KEY_RELEASE |
                                    XCB_EVENT_MASK_BUTTON_PRESS | XCB_EVENT_MASK_BUTTON_RELEASE |
                                    XCB_EVENT_MASK_POINTER_MOTION};
  xcb_create_window(connection_, XCB_COPY_FROM_PARENT, window, screen_->root,
                    static_cast<int16_t>(place.x), static_cast<int16_t>(place.y),
                    static_cast<uint16_t>(place.width), static_cast<uint16_t>(place.height), 0,
                    XCB_WINDOW_CLASS_INPUT_OUTPUT, screen_->root_visual,
                    XCB_CW_BACK_PIXEL | XCB_CW_EVENT_MASK, values);
  xcb_change_property(connection_, XCB_PROP_MODE_REPLACE, window, XCB_ATOM_WM_NAME, XCB_ATOM_STRING,
                      8, static_cast<uint32_t>(title.size()), title.data());
  xcb_map_window(connection_, window);
  settle();
  return window;
}

void XDesktop::draw(xcb_drawable_t drawable, const sail::Rect& rect, const Colours& colours) {
  std::vector<uint32_t> pixels;
  for (int y = 0; y < rect.height; ++y) {
    for (int x = 0; x < rect.width; ++x) pixels.push_back(colours(rect.x + x, rect.y + y));
  }
  const xcb_gcontext_t context = xcb_generate_id(connection_);
  // The default graphics context clips at child windows, so the root window is drawn beneath other
  // windows too, like a desktop background.
  xcb_create_gc(connection_, context, drawable, 0, nullptr);
  const auto rows_at_once = static_cast<size_t>(60'000 / rect.width);
  const auto width = static_cast<size_t>(rect.width);
  for (size_t row = 0; row < static_cast<size_t>(rect.height); row += rows_at_once) {
    const size_t rows = std::min(rows_at_once, static_cast<size_t>(rect.height) - row);
    xcb_put_image(connection_, XCB_IMAGE_FORMAT_Z_PIXMAP, drawable, context,
                  static_cast<uint16_t>(rect.width), static_cast<uint16_t>(rows),
                  static_cast<int16_t>(rect.x),
                  static_cast<int16_t>(rect.y + static_cast<int>(row)), 0, 24,
                  static_cast<uint32_t>(rows * width * 4),
                  reinterpret_cast<const uint8_t*>(pixels.data() + row * width));
  }
  xcb_free_gc(connection_, context);
  settle();
}

void XDesktop::resize(xcb_window_t window, sail::Size size) {
  const uint32_t values[] = {static_cast<uint32_t>(size.width), static_cast<uint32_t>(size.height)};
  xcb_configure_window(connection_, window, XCB_CONFIG_WINDOW_WIDTH | XCB_CONFIG_WINDOW_HEIGHT,
                       values);
  settle();
}

void XDesktop::resize_screen(sail::Size size) {
  constexpr double kMmPerPixel = 25.4 / 96;
  const auto mm = [](int pixels) { return static_cast<uint32_t>(pixels * kMmPerPixel); };
  // The output must not reach beyond the screen. No test checks this server's output, so it is
  // switched off.
  const std::unique_ptr<xcb_randr_get_screen_resources_reply_t, void (*)(void*)> resources(
      xcb_randr_get_screen_resources_reply(
          connection_, xcb_randr_get_screen_resources(connection_, screen_->root), nullptr),
      std::free);
  ASSERT_TRUE(resources);
  const xcb_randr_crtc_t* crtcs = xcb_randr_get_screen_resources_crtcs(resources.get());
  for (int i = 0; i < xcb_randr_get_screen_resources_crtcs_length(resources.get()); ++i) {
    const auto asked =
        xcb_randr_set_crtc_config(connection_, crtcs[i], XCB_CURRENT_TIME, XCB_CURRENT_TIME, 0, 0,
                                  XCB_NONE, XCB_RANDR_ROTATION_ROTATE_0, 0, nullptr);
    std::free(xcb_randr_set_crtc_config_reply(connection_, asked, nullptr));
  }
  const auto asked = xcb_randr_set_screen_size_checked(
      connection_, screen_->root, static_cast<uint16_t>(size.width),
      static_cast<uint16_t>(size.height), mm(size.width), mm(size.height));
  const std::unique_ptr<xcb_generic_error_t, void (*)(void*)> refused(
      xcb_request_check(connection_, asked), std::free);
  EXPECT_FALSE(refused) << "error " << int{refused ? refused->error_code : uint8_t{0}};
}

xcb_atom_t XDesktop::atom(const std::string& name) {
  const auto asked =
      xcb_intern_atom(connection_, 0, static_cast<uint16_t>(name.size()), name.data());
  const std::unique_ptr<xcb_intern_atom_reply_t, void (*)(void*)> reply(
      xcb_intern_atom_reply(connection_, asked, nullptr), std::free);
  EXPECT_TRUE(reply);
  return reply ? reply->atom : XCB_NONE;
}

void XDesktop::set_monitor(const std::string& name, const sail::Rect& place) {
  xcb_randr_monitor_info_t monitor{};
  monitor.name = atom(name);
  monitor.x = static_cast<int16_t>(place.x);
  monitor.y = static_cast<int16_t>(place.y);
  monitor.width = static_cast<uint16_t>(place.width);
  monitor.height = static_cast<uint16_t>(place.height);
  // xcb_randr_set_monitor() of libxcb 1.15 closes the connection: it sends a wrong length.
  xcb_randr_set_monitor_request_t request{};
  request.window = screen_->root;
  const xcb_protocol_request_t protocol{2, &xcb_randr_id, XCB_RANDR_SET_MONITOR, 1};
  std::array<iovec, 4> parts{};  // XCB uses the first two.
  parts[2] = {&request, sizeof(request)};
  parts[3] = {&monitor, sizeof(monitor)};
  xcb_send_request(connection_, 0, &parts[2], &protocol);
  settle();
}

void XDesktop::remove_monitor(const std::string& name) {
  xcb_randr_delete_monitor(connection_, screen_->root, atom(name));
  settle();
}

void XDesktop::close_window(xcb_window_t window) {
  xcb_destroy_window(connection_, window);
  settle();
}

void XDesktop::set_cursor(int side, uint32_t colour) {
  ASSERT_LE(side, kMaxCursorSide);
  const xcb_pixmap_t bits = xcb_generate_id(connection_);
  const auto length = static_cast<uint16_t>(side);
  xcb_create_pixmap(connection_, 1, bits, screen_->root, length, length);
  const xcb_gcontext_t context = xcb_generate_id(connection_);
  const uint32_t set = 1;
  xcb_create_gc(connection_, context, bits, XCB_GC_FOREGROUND, &set);
  const xcb_rectangle_t all{0, 0, length, length};
  xcb_poly_fill_rectangle(connection_, bits, context, 1, &all);
  const auto part = [&](int shift) {
    return static_cast<uint16_t>(((colour >> shift) & 0xff) * 257);
  };
  const xcb_cursor_t cursor = xcb_generate_id(connection_);
  xcb_create_cursor(connection_, cursor, bits, bits, part(16), part(8), part(0), 0, 0, 0,
                    static_cast<uint16_t>(side / 2), static_cast<uint16_t>(side / 2));
  xcb_change_window_attributes(connection_, screen_->root, XCB_CW_CURSOR, &cursor);
  xcb_free_cursor(connection_, cursor);
  xcb_free_gc(connection_, context);
  xcb_free_pixmap(connection_, bits);
  settle();
}

void XDesktop::move_pointer(int x, int y) {
  xcb_warp_pointer(connection_, XCB_NONE, screen_->root, 0, 0, 0, 0, static_cast<int16_t>(x),
                   static_cast<int16_t>(y));
  settle();
}

void XDesktop::settle() {
  std::free(xcb_get_input_focus_reply(connection_, xcb_get_input_focus(connection_), nullptr));
}

std::unique_ptr<xcb_generic_event_t, void (*)(void*)> XDesktop::next_event() {
  return {xcb_poll_for_event(connection_), std::free};
}

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
