// What a person sees of a playing film in the terminal, and presses there without waiting for
// Enter. One thread.
#pragma once

#include <termios.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sail {

// The line under the film. Pure.
struct PlayStatus {
  int64_t position_ns = 0;
  int64_t duration_ns = 0;  // 0: unknown
  bool paused = false;
  double rate = 1;
  double fps_shown = 0;
  uint64_t dropped = 0;
};

// "0:03.4 / 0:05.3  25.0 fps  2 dropped  paused".
std::string format_status(const PlayStatus& status);

enum class Key : uint8_t { kSpace, kLeft, kRight, kPlus, kMinus, kQuit };

// Bytes of a terminal to keys; an arrow's three bytes may come in pieces. Others are ignored. Pure.
class KeyParser {
 public:
  std::vector<Key> feed(std::string_view bytes);

 private:
  enum class State : uint8_t { kPlain, kEscape, kSequence } state_ = State::kPlain;
};

// While it lives, standard input gives single keys without echo. Where standard input is no
// terminal, or not ours (the program runs in the background), no keys come.
class TerminalKeys {
 public:
  TerminalKeys();
  ~TerminalKeys();
  TerminalKeys(const TerminalKeys&) = delete;
  TerminalKeys& operator=(const TerminalKeys&) = delete;

  bool active() const { return former_.has_value(); }
  // Those pressed since the last call; never waits.
  std::vector<Key> poll();

 private:
  std::optional<termios> former_;
  KeyParser parser_;
};

}  // namespace sail
