// vitrail-share's command line.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sail/base/geometry.h"
#include "sail/program/program_shell.h"
#include "sail/wire/content.h"

namespace sail {

// How often the desktop is looked at, times a second.
constexpr double kSlowestFps = 0.1;
constexpr double kFastestFps = 240;

struct ShareOptions : ShellOptions {
  std::string display;         // of X11; empty: $DISPLAY
  std::optional<Rect> region;  // of the screen
  std::string window;          // a title or a number, of X11; empty: the screen
  bool list = false;           // only tell which windows there are
  bool choose = false;         // people choose what is shared, though they did before
  bool cursor = true;
  bool hides_cursor = false;  // until somebody at the wall points
  bool control = false;       // people at the wall move the pointer and press keys, if it can be
  double fps = 30;
  std::vector<std::string> command;  // shown on a screen of its own instead; empty: none
  std::optional<Size> screen;        // of that; absent: 1280x720
  Content content;                   // how to have it again; none: nobody can
};

std::variant<ShareOptions, CommandLineAnswer> parse_share_options(int count,
                                                                  const char* const* arguments);

}  // namespace sail
