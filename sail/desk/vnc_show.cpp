#include "sail/desk/vnc_show.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <utility>

#include "sail/base/clock.h"
#include "sail/desk/key_symbols.h"
#include "sail/wire/text.h"

namespace sail {
namespace {

// What comes from the wall and what comes from the desktop wait for each other so long at most.
constexpr int kWaitMs = 5;
constexpr int kIdleMs = 100;  // while there is no desktop
constexpr size_t kMostKeysHeld = 32;
// As RFB counts them: left, middle, right, then the wheel.
constexpr int kButtons = 3;
constexpr uint8_t kWheelUp = 3;
constexpr uint8_t kWheelDown = 4;
constexpr uint8_t kWheelLeft = 5;
constexpr uint8_t kWheelRight = 6;

}  // namespace

VncShow::VncShow(VncOptions options)
    : ProgramShell("vitrail-vnc", options), options_(std::move(options)) {}

int VncShow::run() {
  if (const auto begun = begin(); !begun) return give_up(begun.error().message);
  while (!ended_) {
    if (!desktop_) {
      hear(kIdleMs);
      try_again();
    } else if (look()) {
      hear(kWaitMs);
    }
  }
  if (desktop_) release_all();
  return exit_code_;
}

Result<std::string> VncShow::read_password() const {
  if (!options_.password_file.empty()) {
    std::ifstream file(options_.password_file);
    std::string line;
    if (std::getline(file, line)) return std::string(trimmed(line));
    return fail(ErrorCode::kIo, fmt::format("{}: there is no password in it, or it may not be read",
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
  desktop_ = std::move(*desktop);
  if (auto opened = session_.open(); !opened) return opened;
  return open_window();
}

Result<void> VncShow::open_window() {
  dirty_ = true;
  Opening opening{.title = {}, .codec = options_.codec, .size = desktop_->size()};
  const std::string name = desktop_->name();
  fill_in(opening, options_, name.empty() ? vnc_address_text(options_.desktop) : name);
  opening.takes_input = !options_.view_only;
  auto& place = opening.place;
  if (place && !place->empty()) place = fit_into(*place, opening.size);
  return window_.open(opening);
}

bool VncShow::look() {
  const auto changed = desktop_->attend(kWaitMs);
  if (!changed) {
    log_.warning("{}; trying again", changed.error().message);
    desktop_.reset();
    buttons_ = 0;
    keys_.clear();
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
    desktop_ = std::move(*desktop);
    log_.info("{} is back", vnc_address_text(options_.desktop));
    return;
  }
  pause_ns_ = std::min(2 * pause_ns_, kLongestPauseNs);
  again_at_ns_ = steady_now_ns() + pause_ns_;
  log_.debug("{}", desktop.error().message);
}

void VncShow::submit() {
  const sail_status status =
      window_.submit(desktop_->pixels(), ptrdiff_t{desktop_->size().width} * 4);
  dirty_ = status != SAIL_OK;
  if (status < 0) give_up("libsail does not take the picture");
}

void VncShow::obey(const sail_event& event) {
  switch (event.type) {
    case SAIL_EVENT_INPUT:
      if (desktop_ && !options_.view_only) obey(event.input);
      break;
    case SAIL_EVENT_CONNECTED:
    case SAIL_EVENT_REFRESH:
      dirty_ = true;
      break;
    default:
      break;
  }
}

void VncShow::obey(const sail_input& input) {
  if (input.has_point != 0 && input.type != SAIL_INPUT_PINCH) {
    const auto within = [](double at, int side) {
      return static_cast<int>(std::clamp(std::floor(at), 0.0, side - 1.0));
    };
    x_ = within(input.x, desktop_->size().width);
    y_ = within(input.y, desktop_->size().height);
  }
  const auto hold = [this](int button, bool down) {
    if (button < 0 || button >= kButtons) return;
    const auto bit = static_cast<uint8_t>(1U << static_cast<unsigned>(button));
    buttons_ = static_cast<uint8_t>(down ? buttons_ | bit : buttons_ & ~bit);
  };
  switch (input.type) {
    case SAIL_INPUT_DOWN:
    case SAIL_INPUT_UP:
      hold(input.button, input.type == SAIL_INPUT_DOWN);
      return send_pointer();
    case SAIL_INPUT_TOUCH_DOWN:
    case SAIL_INPUT_TOUCH_UP:
      hold(0, input.type == SAIL_INPUT_TOUCH_DOWN);
      return send_pointer();
    case SAIL_INPUT_WHEEL:
      return turn_wheel(input);
    case SAIL_INPUT_KEY_DOWN:
    case SAIL_INPUT_KEY_UP:
      return press_key(input);
    case SAIL_INPUT_LEAVE:
      return release_all();
    case SAIL_INPUT_PINCH:
      return;
    default:
      if (input.has_point != 0) send_pointer();
  }
}

void VncShow::press_key(const sail_input& input) {
  const auto keysym = keysym_of(input.key);
  const bool down = input.type == SAIL_INPUT_KEY_DOWN;
  if (!keysym || (down && keys_.size() >= kMostKeysHeld)) return;
  desktop_->press(*keysym, down);
  down ? static_cast<void>(keys_.insert(*keysym)) : static_cast<void>(keys_.erase(*keysym));
}

void VncShow::turn_wheel(const sail_input& input) {
  const int columns = wheel_right_.add(input.wheel_x);
  const int rows = wheel_down_.add(input.wheel_y);
  click(columns < 0 ? kWheelLeft : kWheelRight, std::abs(columns));
  click(rows < 0 ? kWheelUp : kWheelDown, std::abs(rows));
}

void VncShow::click(uint8_t button, int times) {
  const auto bit = static_cast<uint8_t>(1U << button);
  for (int i = 0; i < times; ++i) {
    desktop_->point(x_, y_, buttons_ | bit);
    desktop_->point(x_, y_, buttons_);
  }
}

void VncShow::send_pointer() {
  desktop_->point(x_, y_, buttons_);
}

void VncShow::release_all() {
  for (const uint32_t keysym : keys_) desktop_->press(keysym, false);
  keys_.clear();
  if (std::exchange(buttons_, 0) != 0) send_pointer();
}

}  // namespace sail
