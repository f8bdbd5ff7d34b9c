// What the programs that show something on a wall have in common: their options, what they say, the
// window, and how they end. One thread; libsail has its own.
#pragma once

#include <optional>
#include <string>

#include "sail/base/geometry.h"
#include "sail/base/log.h"
#include "sail/base/stop_signals.h"
#include "sail/command_line/command_line.h"
#include "sail/program/wall_window.h"
#include "sail/wire/transport.h"

namespace sail {

struct ShellOptions {
  std::string manager;        // HOST:PORT; empty: libsail's own choice
  std::string title;          // of the window; empty: what is shown names itself
  std::optional<Rect> place;  // wall pixels; without a size the picture's own
  std::string codec = "dxt1";
  TransportOptions transport{};
  int threads = 0;  // 0: one a core
  LogLevel log_level = LogLevel::kInfo;
};

// Texts have sharp coloured edges, which DXT1 smears.
constexpr const char* kCodecForTexts = "dxt5ycocg";

// Some of them.
struct ShellLine {
  Option codec;
  Option quiet;
};
// Adds them to a command line; `options` outlives it. alpha: pictures may be transparent.
ShellLine add_shell_options(const Command& line, ShellOptions& options, bool alpha);

// The window is as the options have it; title: when they have none.
void fill_in(Opening& opening, const ShellOptions& options, const std::string& title);

class ProgramShell {
 public:
  ProgramShell(const ProgramShell&) = delete;
  ProgramShell& operator=(const ProgramShell&) = delete;

 protected:
  // Before any thread starts.
  ProgramShell(const char* name, const ShellOptions& options);
  virtual ~ProgramShell() = default;

  // What comes from the wall; when the window is closed, the program ends without it.
  virtual void obey(const sail_event& event) = 0;
  virtual void say(LogLevel level, const std::string& sentence) { log_.write(level, sentence); }

  // Obeys what has come, waiting for it at most so long. A signal ends the program.
  void hear(int timeout_ms);
  // Says why, and ends the program with this exit code.
  int give_up(const std::string& why);

  const Log log_;
  StopSignals signals_;
  WallSession session_;
  WallWindow window_;
  bool ended_ = false;
  int exit_code_ = 0;
};

}  // namespace sail
