#include "sail/apps/play/terminal.h"

#include <fmt/format.h>
#include <unistd.h>

#include "sail/media/source/film_time.h"

namespace sail {
namespace {

// The kernel stops a background program that accesses the terminal.
bool in_foreground() {
  return tcgetpgrp(STDIN_FILENO) == getpgrp();
}

std::optional<PlayKey> plain_key(char byte) {
  switch (byte) {
    case ' ':
      return PlayKey::kSpace;
    case '+':
    case '=':
      return PlayKey::kPlus;
    case '-':
      return PlayKey::kMinus;
    case 'q':
    case 'Q':
      return PlayKey::kQuit;
    default:
      return std::nullopt;
  }
}

}  // namespace

std::string format_status(const PlayStatus& status) {
  std::string line = format_time(status.position_ns);
  if (status.duration_ns > 0) line += " / " + format_time(status.duration_ns);
  line += fmt::format("  {:.1f} fps  {} dropped", status.fps_shown, status.dropped);
  if (status.rate != 1) line += fmt::format("  rate {:g}", status.rate);
  if (status.paused) line += "  paused";
  return line;
}

std::vector<PlayKey> KeyParser::feed(std::string_view bytes) {
  std::vector<PlayKey> keys;
  for (const char byte : bytes) {
    switch (state_) {
      case State::kPlain:
        if (byte == '\x1B') {
          state_ = State::kEscape;
        } else if (const auto key = plain_key(byte)) {
          keys.push_back(*key);
        }
        break;
      case State::kEscape:
        state_ = byte == '[' || byte == 'O' ? State::kSequence : State::kPlain;
        break;
      case State::kSequence:
        if (byte == 'C') keys.push_back(PlayKey::kRight);
        if (byte == 'D') keys.push_back(PlayKey::kLeft);
        // An escape sequence ends with a letter or '~'.
        if (byte >= '@' && byte <= '~') state_ = State::kPlain;
        break;
    }
  }
  return keys;
}

TerminalKeys::TerminalKeys() {
  termios now{};
  if (isatty(STDIN_FILENO) == 0 || !in_foreground() || tcgetattr(STDIN_FILENO, &now) != 0) return;
  former_ = now;
  now.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  now.c_cc[VMIN] = 0;
  now.c_cc[VTIME] = 0;
  tcsetattr(STDIN_FILENO, TCSANOW, &now);
}

TerminalKeys::~TerminalKeys() {
  if (former_ && in_foreground()) tcsetattr(STDIN_FILENO, TCSANOW, &*former_);
}

std::vector<PlayKey> TerminalKeys::poll() {
  if (!former_ || !in_foreground()) return {};
  char bytes[64];
  const ssize_t got = read(STDIN_FILENO, bytes, sizeof(bytes));
  if (got <= 0) return {};
  return parser_.feed(std::string_view(bytes, static_cast<size_t>(got)));
}

}  // namespace sail
