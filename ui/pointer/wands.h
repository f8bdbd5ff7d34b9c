// Maps wands to hands: the first button grabs, the second sends input to the window's application
// while pressed, the third raises. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "ui/pointer/one_euro.h"
#include "ui/pointer/pointer_mapper.h"
#include "ui/pointer/wand.h"

namespace ui {

class Wands {
 public:
  static constexpr size_t kMaxWands = 32;
  static constexpr int64_t kSilentMs = 2000;  // then the wand is removed
  // A message is late if its time is before the last one's. If it is earlier by more than this, the
  // tracker's clock was restarted.
  static constexpr double kRestartS = 1;

  // smooth: applies the 1€ filter. first_hand: base of the hand ids.
  Wands(PointerMapper& pointer_mapper, bool smooth, uint64_t first_hand)
      : pointer_mapper_(pointer_mapper), smooth_(smooth), next_hand_(first_hand) {}

  // wall: the wall's size in pixels. Returns false if there are too many wands.
  bool take(const WandPose& pose, const WallPlane& plane, const sail::Size& wall, int64_t now_ms);
  void expire(int64_t now_ms);
  void forget_all() { wands_.clear(); }
  bool empty() const { return wands_.empty(); }
  uint64_t late() const { return late_; }

 private:
  struct Wand {
    uint64_t hand = 0;
    int64_t last_message_ms = 0;
    std::optional<double> time_s;
    uint32_t buttons = 0;
    bool on_wall = false;
    OneEuro x;
    OneEuro y;
  };
  void press(Wand& wand, uint32_t buttons);

  PointerMapper& pointer_mapper_;
  bool smooth_;
  uint64_t next_hand_;
  std::map<std::string, Wand> wands_;
  uint64_t late_ = 0;
};

}  // namespace ui
