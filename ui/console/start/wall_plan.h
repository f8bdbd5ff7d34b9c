// Describes a wall of equal displays, generates its wall file, and checks wall files. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"
#include "sail/core/text/json.h"
#include "sail/core/wall/wall.h"

namespace ui {

// --- a host's displays, from the output of display tools
struct FoundDisplay {
  std::string name;       // of the output
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

// --- the plan
struct WallPlan {
  std::string name = "wall";
  int columns = 2;
  int rows = 2;
  std::string resolution = "1920x1080";
  std::string mullion = "0x0";       // between columns and between rows: pixels, or "5.3x5.3mm"
  double pixel_pitch_mm = 0;         // 0: unknown
  std::vector<std::string> hosts{};  // drive equal shares; empty: only this host
  // The outputs of each host's displays, row by row; empty: the desktop chooses.
  std::vector<std::vector<std::string>> outputs{};
};

// kInvalidParams: the plan is invalid, or no wall can be built from it.
sail::Result<sail::Json> wall_file(const WallPlan& plan);

// Returns true for "localhost" and "".
bool is_here(std::string_view host);

// Displays found on one host.
struct HostDisplays {
  std::string host;
  FoundDisplays found;
};
// Returns the plan with grid, resolution and pixel pitch taken from the displays found, and their
// outputs if hosts have several.
// kInvalidParams: the displays do not form a grid of equal displays.
sail::Result<WallPlan> plan_for(const std::vector<HostDisplays>& hosts, WallPlan plan);

// --- summary and warnings for a valid wall file
// "12 displays, 3 nodes, 2238×834".
std::string wall_summary(const sail::Wall& wall);
// Warnings about settings that are valid but probably unintended, one sentence each.
std::vector<std::string> wall_warnings(const sail::Wall& wall);

}  // namespace ui
