// Describes a wall of equal displays, generates its wall file, and checks wall files. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"
#include "sail/core/text/json.h"
#include "sail/core/wall/wall.h"
#include "ui/console/start/found_displays.h"

namespace ui {

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
