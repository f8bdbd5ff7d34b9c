// Decides whether the application is asked for the newest frame again: the frame was refused, a
// receiver lost it, or no frame has been shown yet; and no newer frame follows. Pure.
#pragma once

#include <cstdint>

namespace sail {

class LostFrames {
 public:
  // Call a few times a second. submitted: number of the last frame submitted, sent or not.
  // Returns true once no frame has been submitted for a while.
  bool is_still(uint64_t submitted, int64_t now_ns);
  // Returns true if the last frame submitted was refused, or if the window is still dark. Returns
  // true at most once per frame. newest: number of the newest frame that was accepted; 0: none.
  // dark: all frames were dropped.
  bool take_missing(uint64_t newest, bool dark);

 private:
  uint64_t submitted_ = 0;
  int64_t still_since_ns_ = 0;  // steady
  uint64_t requested_ = 0;
};

}  // namespace sail
