#include "ui/pointer/wands.h"

#include <algorithm>

namespace ui {
namespace {

enum WandButton : uint32_t { kGrab = 1, kInput = 2, kRaise = 4 };

// For positions in shares of the wall's sides: at rest steady to about a pixel of a wide wall,
// without lag for a swing of one width a second.
constexpr double kMinCutoffHz = 1.0;
constexpr double kBeta = 30;
// A pointer stays at the wall's edge while the ray misses by at most this share of its sides,
// because hands tremble.
constexpr double kBeside = 0.1;

constexpr double kShortestStepS = 0.001;
constexpr double kLongestStepS = 1;

}  // namespace

bool Wands::take(const WandPose& pose, const WallPlane& plane, const sail::Size& wall,
                 int64_t now_ms) {
  auto found = wands_.find(pose.id);
  const bool is_new = found == wands_.end();
  if (is_new) {
    if (wands_.size() >= kMaxWands) return false;
    const OneEuro filter(kMinCutoffHz, kBeta);
    found =
        wands_.emplace(pose.id, Wand{next_hand_++, now_ms, pose.time_s, 0, false, filter, filter})
            .first;
  }
  Wand& wand = found->second;
  double step_s = static_cast<double>(now_ms - wand.last_message_ms) / 1000;
  if (!is_new && pose.time_s && wand.time_s) {
    const double later_s = *pose.time_s - *wand.time_s;
    if (later_s < 0 && later_s > -kRestartS) {
      ++late_;
      return true;
    }
    step_s = later_s;
  }
  wand.last_message_ms = now_ms;
  wand.time_s = pose.time_s;
  auto hit = intersection(pose, plane);
  const auto beside = [](double share) { return share < -kBeside || share > 1 + kBeside; };
  if (hit && smooth_) {
    const double dt_s = std::clamp(step_s, kShortestStepS, kLongestStepS);
    const double aspect = static_cast<double>(wall.height) / std::max(1, wall.width);
    hit->u = wand.x.filter(hit->u, dt_s);
    hit->v = wand.y.filter(hit->v * aspect, dt_s) / aspect;
  }
  if (hit && !(beside(hit->u) || beside(hit->v))) {
    pointer_mapper_.point(wand.hand, {std::clamp(hit->u * wall.width, 0.0, wall.width - 1.0),
                                      std::clamp(hit->v * wall.height, 0.0, wall.height - 1.0)});
    wand.on_wall = true;
  } else if (wand.on_wall && !pointer_mapper_.holds(wand.hand)) {
    pointer_mapper_.leave(wand.hand);
    wand.on_wall = false;
  }
  press(wand, pose.buttons);
  return true;
}

void Wands::press(Wand& wand, uint32_t buttons) {
  const uint32_t pressed = buttons & ~wand.buttons;
  const uint32_t released = wand.buttons & ~buttons;
  wand.buttons = buttons;
  if ((released & kGrab) != 0) pointer_mapper_.release(wand.hand);
  if ((released & kInput) != 0) pointer_mapper_.end_input(wand.hand);
  if ((pressed & kGrab) != 0) pointer_mapper_.grab(wand.hand);
  if ((pressed & kRaise) != 0) pointer_mapper_.raise(wand.hand);
  if ((pressed & kInput) != 0 && pointer_mapper_.begin_input(wand.hand)) {
    pointer_mapper_.press(wand.hand, InputButton::kLeft, true);
  }
}

void Wands::expire(int64_t now_ms) {
  std::erase_if(wands_, [&](const auto& entry) {
    if (now_ms - entry.second.last_message_ms < kSilentMs) return false;
    pointer_mapper_.leave(entry.second.hand);
    return true;
  });
}

}  // namespace ui
