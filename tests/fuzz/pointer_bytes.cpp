// Datagrams of trackers: OSC, TUIO frames, and 6-DoF messages as OSC or JSON. The first byte of the
// input chooses how the rest is split into datagrams. Also the text of a plane.
#include <algorithm>
#include <cmath>
#include <set>
#include <span>

#include "tests/fuzz/fuzz.h"
#include "ui/pointer/osc.h"
#include "ui/pointer/tuio.h"
#include "ui/pointer/wand.h"

namespace {

void check_touches(const std::vector<ui::TouchChange>& changes, std::set<uint64_t>& down) {
  using Kind = ui::TouchChange::Kind;
  for (const ui::TouchChange& change : changes) {
    fuzz::require(change.x >= 0 && change.x <= 1 && change.y >= 0 && change.y <= 1,
                  "a touch is within its surface");
    if (change.kind == Kind::kDown) {
      fuzz::require(down.insert(change.touch).second, "a touch comes down once");
    } else {
      fuzz::require(down.contains(change.touch), "only touches that are down move and go");
      if (change.kind == Kind::kUp) down.erase(change.touch);
    }
  }
}

void check_poses(std::span<const uint8_t> bytes) {
  const auto poses = ui::read_wand_poses(bytes);
  if (!poses) return;
  for (const ui::WandPose& pose : *poses) {
    const auto& q = pose.orientation;
    const double length = std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3]));
    fuzz::require(std::abs(length - 1) < 1e-6, "an orientation is of length 1");
    const auto met = ui::intersection(pose, ui::centred_plane(4, 2));
    fuzz::require(!met || (std::isfinite(met->u) && std::isfinite(met->v)), "a ray ends somewhere");
  }
}

}  // namespace

FUZZ_TARGET(pointer_bytes) {
  if (size == 0) return 0;
  const size_t piece = data[0] == 0 ? size : size_t{data[0]} * 4;
  std::span<const uint8_t> rest(data + 1, size - 1);
  ui::TuioReader tuio;
  std::set<uint64_t> down;
  int64_t now_ms = 0;
  const auto plane = ui::parse_plane({reinterpret_cast<const char*>(data), size});
  fuzz::require(plane || !plane.error().message.empty(), "a refusal says why");
  while (!rest.empty()) {
    const auto datagram = rest.first(std::min(piece, rest.size()));
    rest = rest.subspan(datagram.size());
    check_poses(datagram);
    const auto messages = ui::read_osc(datagram);
    if (messages) {
      check_touches(tuio.take("tracker", *messages, now_ms), down);
      for (const ui::OscMessage& message : *messages) {
        fuzz::require(!ui::event_payload(message).dump().empty(), "a payload is UTF-8");
      }
    }
    now_ms += 700;
    check_touches(tuio.expire(now_ms), down);
  }
  check_touches(tuio.expire(now_ms + ui::TuioReader::kSilentMs), down);
  fuzz::require(down.empty(), "all touches of silent trackers are lifted");
  return 0;
}
