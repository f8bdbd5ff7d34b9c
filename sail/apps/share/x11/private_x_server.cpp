#include "sail/apps/share/x11/private_x_server.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/random.h>
#include <unistd.h>

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
