// Tracked devices with six degrees of freedom: what their messages say and where their rays meet
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

#include "sail/base/geometry.h"
#include "sail/base/result.h"
#include "ui/pointer/osc.h"

namespace ui {

using Vector = std::array<double, 3>;

struct WandPose {
  std::string id;
  Vector position{};
  std::array<double, 4> orientation{0, 0, 0, 1};  // of length 1
  uint32_t buttons = 0;                           // bit 0: the first
  std::optional<double> time_s;                   // of the tracker's clock
};

// A datagram: OSC (`/vitrail/6dof` id px py pz qx qy qz qw buttons [time]; other addresses are
// passed over) or JSON, an object a line:
//   {"id":"wand","pos":[x,y,z],"quat":[x,y,z,w],"buttons":0,"t":12.5}
// kBadData when any of it makes no sense.
sail::Result<std::vector<WandPose>> read_wand_poses(std::span<const uint8_t> datagram);

// The wall in the tracker's coordinates, metres.
struct WallPlane {
  Vector top_left{};
  Vector right{};  // along the whole top edge
  Vector down{};   // along the whole left edge
};

// The wall upright with its centre at the origin: x to the right, y up, z towards the people.
WallPlane centred_plane(double width_m, double height_m);
// "X,Y,Z X,Y,Z X,Y,Z": the three vectors. kInvalidParams when they make no plane.
sail::Result<WallPlane> parse_plane(std::string_view text);

// Where on the wall, as shares of its sides (0,0 top left; beyond 0 to 1 beside it).
struct PlanePoint {
  double u = 0;
  double v = 0;
};
// None when the device points away from the plane or along it.
std::optional<PlanePoint> meet(const WandPose& pose, const WallPlane& plane);

}  // namespace ui
