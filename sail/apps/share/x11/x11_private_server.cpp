#include "sail/apps/share/x11/x11_private_server.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <utility>

#include "sail/core/base/private_file.h"
#include "sail/core/text/text.h"

namespace sail {
namespace {

constexpr int kServerTimeoutMs = 10'000;
constexpr size_t kMostReason = 200;

void append(std::string& bytes, std::string_view counted) {
  bytes += static_cast<char>(counted.size() >> 8);
  bytes += static_cast<char>(counted.size() & 0xff);
  bytes += counted;
}

// Writes one Xau(3) entry for any address and any display.
Result<void> write_secrets(const std::filesystem::path& name) {
  constexpr std::string_view kAnyAddress = "\xff\xff";
  std::array<char, 16> cookie{};
  if (getrandom(cookie.data(), cookie.size(), 0) != static_cast<ssize_t>(cookie.size())) {
    return fail(ErrorCode::kIo, "the system returned no random numbers");
  }
  std::string entry(kAnyAddress);
  append(entry, "");
  append(entry, "");
  append(entry, "MIT-MAGIC-COOKIE-1");
  append(entry, {cookie.data(), cookie.size()});
  return write_private_file(name, entry, Lasting::kThisBoot);
}

// Reads the display number that the server writes when listening. Empty: it ended or is too slow.
std::string read_number(int descriptor) {
  std::string text;
  pollfd ready{descriptor, POLLIN, 0};
  while (text.find('\n') == std::string::npos) {
    if (::poll(&ready, 1, kServerTimeoutMs) <= 0) return {};
    std::array<char, 16> bytes{};
    const ssize_t got = read(descriptor, bytes.data(), bytes.size());
    if (got <= 0) return {};
    text.append(bytes.data(), static_cast<size_t>(got));
  }
  return text.substr(0, text.find('\n'));
}

std::string last_line(const std::string& file) {
  std::ifstream stream(file);
  std::string last;
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty()) last = line;
  }
  return make_plain_text(last, kMostReason);
}

}  // namespace

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
  if (!shape) return;  // the window is already destroyed
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

Result<std::unique_ptr<PrivateXServer>> PrivateXServer::start(Size size) {
  auto folder = ScratchFolder::make("vitrail-x11");
  if (!folder) return folder.error();
  std::unique_ptr<PrivateXServer> screen(new PrivateXServer(std::move(*folder)));
  if (auto written = write_secrets(screen->secrets_); !written) return written.error();
  if (auto started = screen->start_server(size); !started) return started.error();
  auto windows = X11Windows::manage();
  if (!windows) return windows.error();
  screen->windows_ = std::move(*windows);
  return screen;
}

Result<void> PrivateXServer::start_server(Size size) {
  int ends[2] = {-1, -1};
  if (pipe2(ends, O_CLOEXEC) < 0) {
    return fail(ErrorCode::kIo, fmt::format("cannot create a pipe: {}", std::strerror(errno)));
  }
  // Xvfb also reports each display number in use there.
  const std::string errors = (folder_.path() / "errors").string();
  auto server = ChildProcess::start({"Xvfb", "-displayfd", "3", "-auth", secrets_, "-screen", "0",
                                     fmt::format("{}x{}x24", size.width, size.height), "-nolisten",
                                     "tcp", "-noreset", "-dpi", "96"},
                                    {ends[1]}, errors);
  close(ends[1]);
  const std::string number = server ? read_number(ends[0]) : std::string();
  close(ends[0]);
  if (!server && server.error().code == ErrorCode::kNotFound) {
    return fail(ErrorCode::kNotFound,
                "Xvfb, which provides the program's screen, is not installed: apt install xvfb");
  }
  if (!server) return server.error();
  if (number.empty()) {
    return fail(ErrorCode::kUnavailable,
                fmt::format("Xvfb failed to start: {}", last_line(errors)));
  }
  server_ = std::move(*server);
  setenv("DISPLAY", (":" + number).c_str(), 1);
  setenv("XAUTHORITY", secrets_.c_str(), 1);
  // Toolkits would otherwise prefer the desktop's own Wayland screen.
  unsetenv("WAYLAND_DISPLAY");
  setenv("XDG_SESSION_TYPE", "x11", 1);
  return {};
}

}  // namespace sail
