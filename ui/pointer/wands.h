// Wands as hands at the wall: the first button grabs, the second gives the window's application the
// pointer while it is pressed, the third raises. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "ui/pointer/hands.h"
#include "ui/pointer/one_euro.h"
#include "ui/pointer/wand.h"

namespace ui {

class Wands {
 public:
  static constexpr size_t kMaxWands = 32;
  static constexpr int64_t kSilentMs = 2000;  // then it is put away, and lets go
  // A message that is older than the last by its own time is late; by more, its clock began anew.
  static constexpr double kBeganAnewS = 1;

  // smooth: by the 1€ filter. first_hand: the wands' hands are counted from there.
  Wands(Hands& hands, bool smooth, uint64_t first_hand)
      : hands_(hands), smooth_(smooth), next_hand_(first_hand) {}

  // wall: how large the plane's wall is, pixels. False when there are too many wands for this one.
  bool take(const WandPose& pose, const WallPlane& plane, const sail::Size& wall, int64_t now_ms);
  void expire(int64_t now_ms);
  void forget_all() { wands_.clear(); }
  bool empty() const { return wands_.empty(); }
  uint64_t late() const { return late_; }

 private:
  struct Wand {
    uint64_t hand = 0;
    int64_t heard_ms = 0;
    std::optional<double> time_s;
    uint32_t buttons = 0;
    bool on_wall = false;
    OneEuro x;
    OneEuro y;
  };
  void press(Wand& wand, uint32_t buttons);

  Hands& hands_;
  bool smooth_;
  uint64_t next_hand_;
  std::map<std::string, Wand> wands_;
  uint64_t late_ = 0;
};

}  // namespace ui
