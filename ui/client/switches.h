// The arguments of commands that switch something on or off: a last word "on" or "off", or --off.
// On by default.
#pragma once

#include <string>
#include <vector>

#include "sail/core/command_line/command_line.h"

namespace ui {

struct Switch {
  std::string word = "on";
  bool off = false;

  bool on() const { return !off && word != "off"; }
};
// off_help: what --off does.
void add_switch(const sail::Command& command, Switch& to, const std::string& off_help);

// The same behind any number of windows: "1 2 off". A single word names a window.
struct WindowsSwitch {
  std::vector<std::string> words;
  bool off = false;

  std::vector<std::string> windows() const;
  bool has_word() const;
  bool on() const;
};
void add_windows_switch(const sail::Command& command, WindowsSwitch& to,
                        const std::string& off_help);

}  // namespace ui
