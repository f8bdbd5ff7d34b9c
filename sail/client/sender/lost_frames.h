// Decides whether the application is asked for the newest frame again: the frame was refused, a
// receiver lost it or cannot decode it, or no frame has been shown yet; and no newer frame follows.
// Pure.
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
  // A receiver cannot decode the last frame submitted, and no newer frame follows. Returns true if
  // the frame may be asked for again: after pauses that double, and at most kMostTries times. The
  // count starts again when the application submits a frame for which it was not asked.
  bool may_ask_again(int64_t now_ns) const;
  // The last pause is longer than a receiver's pause before it starts a lost decoder again.
  static constexpr int kMostTries = 7;
  // The application is asked for the last frame submitted. again: because a receiver cannot decode
  // the frame.
  void note_request(bool again);

 private:
  uint64_t submitted_ = 0;
  int64_t still_since_ns_ = 0;  // steady
  uint64_t requested_ = 0;
  int tries_ = 0;        // requests for a frame that cannot be decoded
  uint64_t answer_ = 0;  // number of the frame that answers the last request
};

}  // namespace sail
