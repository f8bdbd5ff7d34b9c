// Fingers (and objects) on touch surfaces as hands at the wall: one drags the window under it, two
// scale and move it, a tap raises it. Pure.
#pragma once

#include <cstdint>
#include <map>

#include "ui/pointer/hands.h"
#include "ui/pointer/tuio.h"

namespace ui {

class Touches {
 public:
  // A finger that is lifted sooner, and has not moved further than kSlop of the wall's diagonal,
  // has tapped.
  static constexpr int64_t kTapMs = 300;
  static constexpr double kSlop = 0.006;

  // first_hand: the touches' numbers are counted from there, to keep devices' hands apart.
  Touches(Hands& hands, const Seat& seat, uint64_t first_hand)
      : hands_(hands), seat_(seat), first_hand_(first_hand) {}

  // area: the part of the wall that the surface covers; an empty one is the whole wall.
  void take(const TouchChange& change, const sail::Rect& area, int64_t now_ms);
  void forget_all() { fingers_.clear(); }

 private:
  struct Finger {
    WallPoint start;
    int64_t start_ms = 0;
    bool dragging = false;
  };
  void down(uint64_t hand, const WallPoint& at, int64_t now_ms);
  void drag(uint64_t hand);
  double slop() const;

  Hands& hands_;
  const Seat& seat_;
  uint64_t first_hand_;
  std::map<uint64_t, Finger> fingers_;
};

}  // namespace ui
