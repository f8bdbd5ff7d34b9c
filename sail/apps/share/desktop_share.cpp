#include "sail/apps/share/desktop_share.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"
#include "sail/core/time/clock.h"

namespace sail {
namespace {

constexpr Size kUsualScreen = {1280, 720};
constexpr int kLongestWaitMs = 100;  // maximum delay for signals
constexpr int kSoundPauseMs = PrivatePulse::kPauseNs / kMillisecondNs;

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "desktop";
}

}  // namespace

DesktopShare::DesktopShare(const char* name, ShareOptions options,
                           std::unique_ptr<ScreenProgram> own, OpenDesktop open)
    : ProgramShell(name, options),
      options_(std::move(options)),
      own_(std::move(own)),
      open_(std::move(open)),
      pace_(static_cast<int64_t>(static_cast<double>(kSecondNs) / options_.fps)) {}

int DesktopShare::run() {
  if (const auto begun = begin(); !begun) return give_up(begun.error().message);
  int64_t due_ns = steady_now_ns();
  while (!ended_) {
    pump();
    due_ns = attend(due_ns);
  }
  return exit_code_;
}

Result<void> DesktopShare::start_own() {
  const Size size = options_.screen.value_or(kUsualScreen);
  auto screen = PrivateXServer::start(size);
  if (!screen) return screen.error();
  screen_ = std::move(*screen);
  start_sound();
  return own_->start(size);
}

void DesktopShare::start_sound() {
  auto sound = PrivatePulse::start();
  if (!sound) return log_.warning("no sound reaches the wall: {}", sound.error().message);
  sound_ = std::move(*sound);
}

Result<void> DesktopShare::begin() {
  if (own_) {
    if (auto started = start_own(); !started) return started;
  }
  // Do not ask the user what to share while no wall is reachable.
  if (auto opened = session_.open(); !opened) return opened;
  ShareOptions wishes = options_;
  wishes.hides_cursor = own_ != nullptr;  // only the wall's users move it
  auto desktop = open_(wishes, [this] { return signals_.arrived(); });
  if (!desktop) return desktop.error();
  desktop_ = std::move(*desktop);
  if (options_.control && !desktop_->takes_input()) {
    log_.warning(
        "the desktop does not allow remote control: pointer and keyboard input from the wall is "
        "ignored");
  }
  if (!desktop_->has_picture()) {
    log_.info(
        "no frame received from the desktop yet: the window stays dark until the shared content "
        "changes");
  }
  return open_window();
}

Result<void> DesktopShare::open_window() {
  desktop_->begin_frame();
  dirty_ = true;
  Opening opening{.title = {}, .codec = options_.codec, .size = desktop_->size()};
  fill_in(opening, options_, title());
  opening.fps = options_.fps;
  opening.content = options_.content;
  opening.takes_input = desktop_->takes_input();
  return window_.open(opening);
}

std::string DesktopShare::title() const {
  if (own_) return make_plain_text(own_->title(), kMaxNameLength);
  const std::string named = desktop_->title();
  return named.empty() ? "desktop of " + host_name() : named;
}

void DesktopShare::pump() {
  if (own_) {
    screen_->pump();
    own_->pump();
    if (const auto code = own_->exit_code()) {
      log_.info("{} has ended", own_->title());
      exit_code_ = *code;
      ended_ = true;
      return;
    }
  }
  const auto there = desktop_->pump();
  if (!there) {
    give_up(there.error().message);
  } else if (!*there) {
    log_.info("the shared screen or window was closed");
    ended_ = true;
  }
  if (!ended_) follow_size();
  if (ended_) return;
  dirty_ |= desktop_->update();
  if (dirty_) submit();
}

void DesktopShare::follow_size() {
  const Size size = desktop_->size();
  if (!window_.settled(size, kSettleNs) || size.width == 0 || size.height == 0) return;
  if (const auto opened = open_window(); !opened) give_up(opened.error().message);
}

void DesktopShare::submit() {
  pace_.stir(steady_now_ns());
  const sail_status status = desktop_->submit_to(window_);
  dirty_ = status != SAIL_OK;
  if (status < 0) give_up("libsail rejected the frame");
}

void DesktopShare::play() {
  if (!sound_) return;
  if (sound_->play(window_)) played_ns_ = steady_now_ns();
  if (!sound_->ended()) return;
  log_.warning("no sound reaches the wall any more: PulseAudio has ended");
  sound_.reset();
}

// Events may make the next check due earlier.
int64_t DesktopShare::attend(int64_t looked_ns) {
  const int64_t begun_ns = steady_now_ns();
  int64_t due_ns = begun_ns;
  int64_t left_ms = 1;
  while (!ended_ && left_ms > 0) {
    play();
    due_ns = std::max(pace_.due_ns(looked_ns), begun_ns);
    const int64_t now_ns = steady_now_ns();
    left_ms = (due_ns - now_ns + kMillisecondNs - 1) / kMillisecondNs;
    const int longest_ms = now_ns - played_ns_ < kSecondNs ? kSoundPauseMs : kLongestWaitMs;
    hear(static_cast<int>(std::clamp<int64_t>(left_ms, 0, longest_ms)));
  }
  return due_ns;
}

void DesktopShare::obey(const sail_event& event) {
  pace_.stir(steady_now_ns());
  switch (event.type) {
    case SAIL_EVENT_INPUT:
      if (desktop_->takes_input()) obey(event.input);
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
  if (!desktop_->obey(input)) {
    log_.debug("the desktop's keyboard has no key '{}'", make_plain_text(input.key, 36));
  }
}

}  // namespace sail
