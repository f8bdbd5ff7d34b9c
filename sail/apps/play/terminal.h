// The status line of a playing video in the terminal, and keys pressed without Enter. One thread.
#pragma once

#include <termios.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sail {

// Contents of the status line. Pure.
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

enum class PlayKey : uint8_t { kSpace, kLeft, kRight, kPlus, kMinus, kQuit };

// Converts terminal bytes to keys; an arrow's bytes may arrive separately. Ignores others. Pure.
class KeyParser {
 public:
  std::vector<PlayKey> feed(std::string_view bytes);

 private:
  enum class State : uint8_t { kPlain, kEscape, kSequence } state_ = State::kPlain;
};

// While it exists, standard input delivers single keys without echo. If standard input is not a
// terminal, or the program runs in the background, there are no keys.
class TerminalKeys {
 public:
  TerminalKeys();
  ~TerminalKeys();
  TerminalKeys(const TerminalKeys&) = delete;
  TerminalKeys& operator=(const TerminalKeys&) = delete;

  bool active() const { return former_.has_value(); }
  // Returns the keys pressed since the last call; never blocks.
  std::vector<PlayKey> poll();

 private:
  std::optional<termios> former_;
  KeyParser parser_;
};

}  // namespace sail
