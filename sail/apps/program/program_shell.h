// The common part of programs that show something on a wall: options, messages, the window, and the
// end of the program. Runs on one thread; libsail has its own threads.
#pragma once

#include <optional>
#include <string>

#include "sail/apps/program/wall_window.h"
#include "sail/core/base/geometry.h"
#include "sail/core/base/log.h"
#include "sail/core/base/stop_signals.h"
#include "sail/core/command_line/command_line.h"
#include "sail/core/wall/transport.h"

namespace sail {

struct ShellOptions {
  std::string manager;        // HOST:PORT; empty: libsail's default
  std::string title;          // title of the window; empty: derived from the content
  std::optional<Rect> place;  // wall pixels; without a size, the picture's size is used
  std::string codec = "dxt1";
  TransportOptions transport{};
  int threads = 0;  // 0: one per core
  LogLevel log_level = LogLevel::kInfo;
};

// Text has sharp coloured edges, which DXT1 blurs.
constexpr const char* kCodecForTexts = "dxt5ycocg";

// Handles of some of these options.
struct ShellLine {
  Option codec;
  Option quiet;
};
// Adds the options to a command line, which `options` must outlive. films: allow transparency, and
// kCarried.
ShellLine add_shell_options(const Command& line, ShellOptions& options, bool films);

// Copies the options into `opening`. title: used if the options have none.
void fill_in(Opening& opening, const ShellOptions& options, const std::string& title);

class ProgramShell {
 public:
  ProgramShell(const ProgramShell&) = delete;
  ProgramShell& operator=(const ProgramShell&) = delete;

 protected:
  // Construct before any thread starts.
  ProgramShell(const char* name, const ShellOptions& options);
  virtual ~ProgramShell() = default;

  // Handles an event. CLOSE events are not passed on; they end the program.
  virtual void obey(const sail_event& event) = 0;
  virtual void say(LogLevel level, const std::string& sentence) { log_.write(level, sentence); }

  // Handles pending events, waiting at most timeout_ms for the first. A signal ends the program.
  void hear(int timeout_ms);
  // Logs the reason and ends the program with a failure. Returns the exit code.
  int give_up(const std::string& why);

  const Log log_;
  StopSignals signals_;
  WallSession session_;
  WallWindow window_;
  bool ended_ = false;
  int exit_code_ = 0;
};

}  // namespace sail
