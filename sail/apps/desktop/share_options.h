// Command line of vitrail-share.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sail/apps/program/program_shell.h"
#include "sail/core/base/geometry.h"
#include "sail/core/wire/content.h"

namespace sail {

// Limits of the rate at which the desktop is checked, per second.
constexpr double kSlowestFps = 0.1;
constexpr double kFastestFps = 240;

struct ShareOptions : ShellOptions {
  std::string display;         // X11 display; empty: $DISPLAY
  std::optional<Rect> region;  // part of the screen
  std::string window;          // X11 window title or number; empty: the screen
  bool list = false;           // only list the windows
  bool choose = false;         // ask the user what to share, even if there is a stored choice
  bool cursor = true;
  bool hides_cursor = false;  // hidden until a user at the wall points
  bool control = false;       // allow pointer and keyboard input from the wall
  double fps = 30;
  std::vector<std::string> command;  // program to run on its own screen; empty: none
  std::optional<Size> screen;        // size of that screen; empty: 1280x720
  Content content;                   // how to start the share again; empty: not possible
};

std::variant<ShareOptions, CommandLineAnswer> parse_share_options(int count,
                                                                  const char* const* arguments);

}  // namespace sail
