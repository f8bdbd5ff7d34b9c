// Maps fingers (and objects) on touch surfaces to hands: one finger drags the window under it, two
// scale and move it, a tap raises it. Pure.
#pragma once

#include <cstdint>
#include <map>

#include "ui/pointer/pointer_mapper.h"
#include "ui/pointer/tuio.h"

namespace ui {

class Touches {
 public:
  // A touch is a tap if it is shorter than kTapMs and moves less than kSlop of the wall's diagonal.
  static constexpr int64_t kTapMs = 300;
  static constexpr double kSlop = 0.006;

  // first_hand: base of the hand ids, which keeps the devices' ranges apart.
  Touches(PointerMapper& pointer_mapper, const WallSession& session, uint64_t first_hand)
      : pointer_mapper_(pointer_mapper), session_(session), first_hand_(first_hand) {}

  // area: the part of the wall that the surface covers; empty: the whole wall.
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

  PointerMapper& pointer_mapper_;
  const WallSession& session_;
  uint64_t first_hand_;
  std::map<uint64_t, Finger> fingers_;
};

}  // namespace ui
