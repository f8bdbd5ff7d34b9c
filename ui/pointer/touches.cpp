#include "ui/pointer/touches.h"

#include <algorithm>
#include <cmath>

namespace ui {

double Touches::slop() const {
  const sail::Size wall = session_.view().size();
  constexpr double kLeast = 4;  // wall pixels
  return std::max(kLeast, kSlop * std::hypot(wall.width, wall.height));
}

void Touches::take(const TouchChange& change, const sail::Rect& area, int64_t now_ms) {
  const sail::Size wall = session_.view().size();
  const sail::Rect whole = area.empty() ? sail::Rect{0, 0, wall.width, wall.height} : area;
  const WallPoint at{whole.x + change.x * whole.width, whole.y + change.y * whole.height};
  const uint64_t hand = first_hand_ + change.touch;
  if (change.kind == TouchChange::Kind::kDown) return down(hand, at, now_ms);
  const auto found = fingers_.find(hand);
  if (found == fingers_.end()) return;
  if (change.kind == TouchChange::Kind::kMove) {
    Finger& finger = found->second;
    const bool far = std::hypot(at.x - finger.start.x, at.y - finger.start.y) > slop();
    // Grab at the current position, so that the window does not jump by the slop.
    pointer_mapper_.point(hand, at);
    if (!finger.dragging && far) drag(hand);
    return;
  }
  if (!found->second.dragging && now_ms - found->second.start_ms <= kTapMs)
    pointer_mapper_.raise(hand);
  pointer_mapper_.leave(hand);
  fingers_.erase(found);
}

void Touches::down(uint64_t hand, const WallPoint& at, int64_t now_ms) {
  pointer_mapper_.point(hand, at);
  fingers_[hand] = {at, now_ms, false};
  const uint32_t window = pointer_mapper_.window_of(hand);
  if (window == 0) return;
  // A second finger on the same window starts a drag with both fingers; it is not a tap.
  for (auto& [other, finger] : fingers_) {
    if (other == hand || pointer_mapper_.window_of(other) != window) continue;
    if (!finger.dragging) drag(other);
    drag(hand);
  }
}

void Touches::drag(uint64_t hand) {
  fingers_.at(hand).dragging = true;
  pointer_mapper_.grab(hand);
}

}  // namespace ui
