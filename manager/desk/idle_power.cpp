#include "manager/desk/idle_power.h"

#include <algorithm>

#include "manager/desk/desk.h"
#include "manager/peers/wall_power.h"
#include "sail/core/time/clock.h"

namespace manager {

IdlePower::IdlePower(const Desk& desk, WallPower& power, int64_t after_ms)
    : desk_(desk),
      power_(power),
      after_ns_(after_ms * 1'000'000),
      used_ns_(sail::steady_now_ns()) {}

bool IdlePower::shows() const {
  const Arrangement& arrangement = desk_.arrangement();
  const bool blank = arrangement.switches().blank;
  const auto is_seen = [&](const Window& window) {
    if (blank && !window.covers_wall()) return false;
    return (window.arranged() || window.is_curtain()) && !window.hidden && !window.cover.blank &&
           std::ranges::any_of(desk_.wall().tiles, [&window](const sail::Tile& tile) {
             return !sail::intersect(tile.wall_rect, window.wall_rect).empty();
           });
  };
  return std::ranges::any_of(desk_.windows().bottom_to_top(), is_seen) ||
         std::ranges::any_of(arrangement.blanks(),
                             [](const sail::SceneBlank& one) { return !one.text.empty(); });
}

void IdlePower::touched() {
  used_ns_ = sail::steady_now_ns();
}

void IdlePower::tick() {
  if (shows()) {
    touched();
    if (power_.is_idle()) power_.wake();
  } else if (after_ns_ > 0 && sail::steady_now_ns() - used_ns_ >= after_ns_) {
    touched();
    power_.idle();
  }
}

}  // namespace manager
