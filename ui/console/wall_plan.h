// A wall of equal displays as people describe one, and the wall file for it. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sail/base/geometry.h"
#include "sail/base/result.h"
#include "sail/wire/json.h"
#include "ui/console/found_displays.h"

namespace ui {

struct WallPlan {
  std::string name = "wall";
  int columns = 2;
  int rows = 2;
  std::string resolution = "1920x1080";
  std::string mullion = "0x0";       // between columns and between rows: pixels, or "5.3x5.3mm"
  double pixel_pitch_mm = 0;         // 0: not told
  std::vector<std::string> hosts{};  // that drive as many displays each; none: this one drives all
};

// kInvalidParams: it is none, or no wall can be like that.
sail::Result<sail::Json> wall_file(const WallPlan& plan);

// "localhost" and "" are no other host.
bool is_here(std::string_view host);

// What was found at one host.
struct HostDisplays {
  std::string host;
  FoundDisplays found;
};
// What they tell of the plan takes the place of what stands there. kInvalidParams: they are no grid
// of equal displays.
sail::Result<WallPlan> plan_for(const std::vector<HostDisplays>& hosts, WallPlan plan);

}  // namespace ui
