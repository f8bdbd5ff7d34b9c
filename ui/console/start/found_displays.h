// A host's displays, from the output of display tools. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sail/core/base/geometry.h"

namespace ui {

struct FoundDisplay {
  std::string name;       // name of the output
  sail::Size resolution;  // desktop size, after rotation
  double width_mm = 0;    // after rotation; 0: unknown
  int x = 0;              // place on the desktop; (0, 0) if unknown
  int y = 0;

  bool operator==(const FoundDisplay&) const = default;
};

// Parses `xrandr --query`. Returns the displays that show a desktop.
std::vector<FoundDisplay> displays_of_xrandr(std::string_view text);
// Parses `wlr-randr`. Returns the enabled displays.
std::vector<FoundDisplay> displays_of_wlr_randr(std::string_view text);
// Parses lines such as "card0-HDMI-A-1 1920x1080": card, connector, and preferred mode.
std::vector<FoundDisplay> displays_of_kernel(std::string_view text);

// A shell script that prints the output of the tools present, for found_displays().
extern const char* const kFindDisplays;

struct FoundDisplays {
  std::string by;  // the tool, such as "xrandr"; empty: none found a display
  std::vector<FoundDisplay> displays;
};
// Returns the displays of the first tool that found any. Desktop tools come before the kernel
// because they know more.
FoundDisplays found_displays(std::string_view printed);

}  // namespace ui
