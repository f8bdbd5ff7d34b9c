// The displays of a host, read from what its tools print. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sail/base/geometry.h"

namespace ui {

struct FoundDisplay {
  std::string name;
  sail::Size resolution;  // as its desktop has it: after rotation
  double width_mm = 0;    // likewise; 0: it does not say

  bool operator==(const FoundDisplay&) const = default;
};

// Of `xrandr --query`: those that show something.
std::vector<FoundDisplay> displays_of_xrandr(std::string_view text);
// Of `wlr-randr`: those that are enabled.
std::vector<FoundDisplay> displays_of_wlr_randr(std::string_view text);
// Of lines "card0-HDMI-A-1 1920x1080", a connector and the mode that its display likes best.
std::vector<FoundDisplay> displays_of_kernel(std::string_view text);

// For a shell: prints what the tools say that are there, for found_displays().
extern const char* const kLookForDisplays;

struct FoundDisplays {
  std::string by;  // "xrandr"; empty: nobody found any
  std::vector<FoundDisplay> displays;
};
// Of the first that found any: who shows a desktop knows more than the kernel.
FoundDisplays found_displays(std::string_view printed);

}  // namespace ui
