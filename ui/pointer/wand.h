// Tracked devices with six degrees of freedom: parses their messages and intersects their rays with
// the wall. Positions in metres, orientations as quaternions (x, y, z, w); a device points along
// its own −z axis. Pure.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"
#include "ui/pointer/osc.h"

namespace ui {

using Vector = std::array<double, 3>;

struct WandPose {
  std::string id;
  Vector position{};
  std::array<double, 4> orientation{0, 0, 0, 1};  // normalised
  uint32_t buttons = 0;                           // bit 0: the first button
  std::optional<double> time_s;                   // by the tracker's clock
};

// Parses a datagram: OSC (`/vitrail/6dof` id px py pz qx qy qz qw buttons [time]; other addresses
// are ignored) or JSON, one object a line:
//   {"id":"wand","pos":[x,y,z],"quat":[x,y,z,w],"buttons":0,"t":12.5}
// kBadData: any part is invalid.
sail::Result<std::vector<WandPose>> read_wand_poses(std::span<const uint8_t> datagram);

// The wall in the tracker's coordinates, in metres.
struct WallPlane {
  Vector top_left{};
  Vector right{};  // the whole top edge
  Vector down{};   // the whole left edge
};

// An upright wall with its centre at the origin: x to the right, y up, z towards the viewers.
WallPlane centred_plane(double width_m, double height_m);
// Parses "X,Y,Z X,Y,Z X,Y,Z": the three vectors. kInvalidParams: they do not span a plane.
sail::Result<WallPlane> parse_plane(std::string_view text);

// A point of the wall's plane, in shares of its sides: 0,0 is top left; values outside 0 to 1 are
// beside the wall.
struct PlanePoint {
  double u = 0;
  double v = 0;
};
// Empty optional: the device points away from the plane or parallel to it.
std::optional<PlanePoint> intersection(const WandPose& pose, const WallPlane& plane);

}  // namespace ui
