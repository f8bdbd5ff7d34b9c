#include "sail/desk/desktop_share.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "sail/base/clock.h"
#include "sail/base/environment.h"
#include "sail/desk/wall_input.h"
#include "sail/wire/limits.h"
#include "sail/wire/text.h"

namespace sail {
namespace {

constexpr int64_t kMillisecond = 1'000'000;
constexpr Size kUsualScreen = {1280, 720};
constexpr int kLongestWaitMs = 100;  // till signals are looked for

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "desktop";
}

}  // namespace

DesktopShare::DesktopShare(const char* name, ShareOptions options,
                           std::unique_ptr<ScreenProgram> own)
    : ProgramShell(name, options),
      options_(std::move(options)),
      own_(std::move(own)),
      pace_(static_cast<int64_t>(static_cast<double>(kSecondNs) / options_.fps)) {}

int DesktopShare::run() {
  if (own_) {
    if (const auto started = start_own(); !started) return give_up(started.error().message);
  }
  auto x11 = X11Connection::open(options_.display);
  if (!x11) return give_up(x11.error().message);
  x11_ = std::move(*x11);
  if (options_.list) return list_windows();
  if (const auto begun = begin(); !begun) return give_up(begun.error().message);
  int64_t due_ns = steady_now_ns();
  while (!ended_) {
    look();
    due_ns = attend(due_ns);
  }
  return exit_code_;
}

Result<void> DesktopShare::start_own() {
  const Size size = options_.screen.value_or(kUsualScreen);
  auto screen = OwnScreen::start(size);
  if (!screen) return screen.error();
  screen_ = std::move(*screen);
  return own_->start(size);
}

int DesktopShare::list_windows() {
  for (const X11Window& window : x11_->windows()) {
    fmt::print("{:#010x}  {}x{}  {}\n", window.id, window.size.width, window.size.height,
               window.title);
  }
  return EXIT_SUCCESS;
}

Result<void> DesktopShare::begin() {
  if (options_.control && !x11_->extensions().test) {
    return fail(
        ErrorCode::kUnavailable,
        "this X server lets nobody move its pointer (it has no XTest): leave --control out");
  }
  X11Capture::Target target{.window = std::nullopt, .region = options_.region};
  if (!options_.window.empty()) {
    auto found = x11_->find_window(options_.window);
    if (!found) return found.error();
    target.window = found->id;
    window_title_ = found->title;
  } else if (!own_ && environment("XDG_SESSION_TYPE") == "wayland") {
    log_.warning("this is a Wayland session: of its programs only those that use X can be seen");
  }
  auto capture = X11Capture::start(*x11_, target);
  if (!capture) return capture.error();
  capture_ = std::move(*capture);
  if (options_.cursor && x11_->extensions().fixes) cursor_.emplace(*x11_, capture_->window());
  if (options_.control) input_.emplace(*x11_);
  if (auto opened = session_.open(); !opened) return opened;
  return open_window();
}

Result<void> DesktopShare::open_window() {
  capture_->begin_frame();
  dirty_ = true;
  Opening opening{.title = {}, .codec = options_.codec, .size = capture_->size()};
  fill_in(opening, options_, title());
  opening.fps = options_.fps;
  opening.takes_input = input_.has_value();
  auto& place = opening.place;
  if (place && !place->empty()) place = fit_into(*place, opening.size);
  return window_.open(opening);
}

std::string DesktopShare::title() const {
  if (own_) return make_plain_text(own_->title(), kMaxNameLength);
  return window_title_.empty() ? "desktop of " + host_name() : window_title_;
}

void DesktopShare::look() {
  if (own_) {
    screen_->look();
    own_->look();
    if (const auto code = own_->exit_code()) {
      log_.info("{} has ended", own_->title());
      exit_code_ = *code;
      ended_ = true;
      return;
    }
  }
  while (const auto event = x11_->poll()) {
    capture_->obey(*event);
    if (cursor_) cursor_->obey(*event);
  }
  if (x11_->lost()) give_up("the X server has gone");
  if (!ended_ && capture_->gone()) {
    log_.info("the shared window was closed");
    ended_ = true;
  }
  if (!ended_) follow_size();
  if (ended_) return;
  dirty_ |= capture_->update();
  if (cursor_) {
    const Size size = window_.size();
    dirty_ |= cursor_->update({capture_->left(), capture_->top(), size.width, size.height});
  }
  if (dirty_) submit();
}

void DesktopShare::follow_size() {
  const Size size = capture_->size();
  if (!window_.settled(size, kSettleNs) || size.width == 0 || size.height == 0) return;
  if (const auto opened = open_window(); !opened) give_up(opened.error().message);
}

void DesktopShare::submit() {
  pace_.stir(steady_now_ns());
  const FramePixels frame = capture_->frame();
  const bool cursor = cursor_ && cursor_->position();
  if (cursor) {
    overlay_.draw(frame, cursor_->picture(), cursor_->position()->x, cursor_->position()->y);
  }
  const sail_status status = window_.submit(frame.pixels, frame.stride);
  if (cursor) overlay_.restore(frame);
  dirty_ = status != SAIL_OK;
  if (status < 0) give_up("libsail does not take the picture");
}

// What comes may be a reason to look sooner.
int64_t DesktopShare::attend(int64_t looked_ns) {
  const int64_t begun_ns = steady_now_ns();
  int64_t due_ns = begun_ns;
  int64_t left_ms = 1;
  while (!ended_ && left_ms > 0) {
    due_ns = std::max(pace_.due_ns(looked_ns), begun_ns);
    left_ms = (due_ns - steady_now_ns() + kMillisecond - 1) / kMillisecond;
    hear(static_cast<int>(std::clamp<int64_t>(left_ms, 0, kLongestWaitMs)));
  }
  return due_ns;
}

void DesktopShare::obey(const sail_event& event) {
  pace_.stir(steady_now_ns());
  switch (event.type) {
    case SAIL_EVENT_INPUT:
      if (input_) obey(event.input);
      break;
    case SAIL_EVENT_CONNECTED:
    case SAIL_EVENT_REFRESH:
      dirty_ = true;
      break;
    default:
      break;
  }
}

void DesktopShare::obey(const sail_input& input) {
  if (own_ && own_->takes(input)) return;
  input_->aim_at(capture_->window(), capture_->left(), capture_->top());
  if (!bring_to(*input_, input, window_.size())) {
    log_.debug("the desktop's keyboard has no key '{}'", make_plain_text(input.key, 36));
  }
}

}  // namespace sail
