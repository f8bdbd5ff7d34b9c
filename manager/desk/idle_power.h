// Turns the displays off when no window was shown and nobody used the wall for some time, and on
// with the next window. Runs on the loop thread.
#pragma once

#include <cstdint>

namespace manager {

class Desk;
class WallPower;

class IdlePower {
 public:
  // after_ms: 0: never. Both must outlive this object.
  IdlePower(const Desk& desk, WallPower& power, int64_t after_ms);

  // Somebody uses the wall: a pointer has moved, or a verb changes something.
  void touched();
  // Advances time. Call about every Director::kTickMs.
  void tick();

 private:
  // Whether the tiles show a window, a curtain, or a text over what is blank.
  bool shows() const;

  const Desk& desk_;
  WallPower& power_;
  const int64_t after_ns_;
  int64_t used_ns_;  // steady
};

}  // namespace manager
