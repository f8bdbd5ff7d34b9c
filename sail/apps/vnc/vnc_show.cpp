#include "sail/apps/vnc/vnc_show.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <utility>

#include "sail/apps/desktop/wall_input.h"
#include "sail/core/text/text.h"
#include "sail/core/time/clock.h"
#include "sail/core/wire/input.h"

namespace sail {
namespace {

constexpr size_t kMostKeysHeld = 32;
// Keysyms.
constexpr uint32_t kShift = 0xffe1;
constexpr uint32_t kControl = 0xffe3;
// RFB buttons: left, middle, right, then the wheel.
constexpr int kButtons = 3;
constexpr unsigned kWheelUp = 3;
constexpr unsigned kWheelDown = 4;
constexpr unsigned kWheelLeft = 5;
constexpr unsigned kWheelRight = 6;

// Events of the wall and of the desktop delay each other by at most this.
constexpr int kWaitMs = 5;
constexpr int kIdleMs = 100;  // polling interval while not connected

}  // namespace

void VncInput::move_to(int x, int y) {
  x_ = x;
  y_ = y;
  desktop_.point(x_, y_, buttons_);
}

void VncInput::press_button(int button, bool down) {
  if (button < 0 || button >= kButtons) return;
  const auto bit = static_cast<uint8_t>(1U << static_cast<unsigned>(button));
  buttons_ = static_cast<uint8_t>(down ? buttons_ | bit : buttons_ & ~bit);
  desktop_.point(x_, y_, buttons_);
}

void VncInput::turn_wheel(double right, double down) {
  const int columns = wheel_right_.add(right);
  const int rows = wheel_down_.add(down);
  click(columns < 0 ? kWheelLeft : kWheelRight, std::abs(columns));
  click(rows < 0 ? kWheelUp : kWheelDown, std::abs(rows));
}

bool VncInput::press_key(const std::string& key, bool down) {
  const auto keysym = keysym_of(key);
  if (!keysym || (down && keys_.size() >= kMostKeysHeld)) return false;
  if (!down && keys_.erase(*keysym) == 0) return true;
  // Windows sends Control before AltGr; that would turn the character into a shortcut.
  if (key == "AltGraph" && keys_.erase(kControl) > 0) desktop_.press(kControl, false);
  if (key == "CapsLock" && down) caps_lock_ = !caps_lock_;
  // Some servers (TigerVNC) press Caps Lock for a capital without Shift.
  const bool shift = down && is_capital(*keysym) && !caps_lock_ && !keys_.contains(kShift);
  if (shift) desktop_.press(kShift, true);
  desktop_.press(*keysym, down);
  if (shift) desktop_.press(kShift, false);
  if (down) keys_.insert(*keysym);
  return true;
}

void VncInput::release_all() {
  for (const uint32_t keysym : keys_) desktop_.press(keysym, false);
  keys_.clear();
  if (std::exchange(buttons_, 0) != 0) desktop_.point(x_, y_, 0);
}

void VncInput::click(unsigned button, int times) {
  for (int i = 0; i < times; ++i) {
    desktop_.point(x_, y_, static_cast<uint8_t>(buttons_ | 1U << button));
    desktop_.point(x_, y_, buttons_);
  }
}

VncShow::VncShow(VncOptions options)
    : ProgramShell("vitrail-vnc", options), options_(std::move(options)) {}

int VncShow::run() {
  if (const auto begun = begin(); !begun) return give_up(begun.error().message);
  while (!ended_) {
    if (!desktop_) {
      hear(kIdleMs);
      try_again();
    } else if (pump()) {
      hear(kWaitMs);
    }
  }
  if (input_) input_->release_all();
  return exit_code_;
}

Result<std::string> VncShow::read_password() const {
  if (!options_.password_file.empty()) {
    std::ifstream file(options_.password_file);
    std::string line;
    if (std::getline(file, line)) return std::string(trimmed(line));
    return fail(ErrorCode::kIo, fmt::format("cannot read a password from the first line of {}",
                                            options_.password_file));
  }
  return std::string();
}

Result<void> VncShow::begin() {
  auto password = read_password();
  if (!password) return password.error();
  password_ = std::move(*password);
  auto desktop = VncDesktop::connect(options_.desktop, password_);
  if (!desktop && desktop.error().code == ErrorCode::kUnauthorized && password_.empty() &&
      isatty(STDIN_FILENO) == 1) {
    const char* typed = getpass(fmt::format("Password of {}: ",  //
                                            vnc_address_text(options_.desktop))
                                    .c_str());
    password_ = typed == nullptr ? "" : typed;
    desktop = VncDesktop::connect(options_.desktop, password_);
  }
  if (!desktop) return desktop.error();
  take(std::move(*desktop));
  if (auto opened = session_.open(); !opened) return opened;
  return open_window();
}

Result<void> VncShow::open_window() {
  dirty_ = true;
  Opening opening{.title = {}, .codec = options_.codec, .size = desktop_->size()};
  const std::string name = desktop_->name();
  fill_in(opening, options_, name.empty() ? vnc_address_text(options_.desktop) : name);
  opening.takes_input = !options_.view_only;
  // With a password or --view-only the program cannot be restarted: neither of them is stored.
  if (password_.empty() && !options_.view_only) {
    const std::string medium = std::string(kVncScheme) + vnc_address_text(options_.desktop);
    opening.content = {{medium}, "vitrail-vnc", false};
  }
  return window_.open(opening);
}

bool VncShow::pump() {
  const auto changed = desktop_->attend(kWaitMs);
  if (!changed) {
    log_.warning("{}; reconnecting", changed.error().message);
    input_.reset();
    desktop_.reset();
    pause_ns_ = kFirstPauseNs;
    again_at_ns_ = steady_now_ns() + pause_ns_;
    return false;
  }
  dirty_ |= *changed;
  if (window_.settled(desktop_->size(), kSettleNs)) {
    if (const auto opened = open_window(); !opened) give_up(opened.error().message);
  }
  if (dirty_ && !ended_ && desktop_->size() == window_.size()) submit();
  return true;
}

void VncShow::try_again() {
  if (ended_ || steady_now_ns() < again_at_ns_) return;
  auto desktop = VncDesktop::connect(options_.desktop, password_);
  if (desktop) {
    take(std::move(*desktop));
    log_.info("reconnected to {}", vnc_address_text(options_.desktop));
    return;
  }
  pause_ns_ = std::min(2 * pause_ns_, kLongestPauseNs);
  again_at_ns_ = steady_now_ns() + pause_ns_;
  log_.debug("{}", desktop.error().message);
}

void VncShow::take(std::unique_ptr<VncDesktop> desktop) {
  desktop_ = std::move(desktop);
  if (!options_.view_only) input_.emplace(*desktop_);
}

void VncShow::submit() {
  const sail_status status =
      window_.submit(desktop_->pixels(), ptrdiff_t{desktop_->size().width} * 4);
  dirty_ = status != SAIL_OK;
  if (status < 0) give_up("libsail rejected the frame");
}

void VncShow::obey(const sail_event& event) {
  switch (event.type) {
    case SAIL_EVENT_INPUT:
      if (input_) bring_to(*input_, event.input, desktop_->size());
      break;
    case SAIL_EVENT_CONNECTED:
    case SAIL_EVENT_REFRESH:
      dirty_ = true;
      break;
    default:
      break;
  }
}

}  // namespace sail
