#include "sail/client/sender/lost_frames.h"

#include <utility>

#include "sail/client/encode/encoded_frame.h"

namespace sail {

bool LostFrames::is_still(uint64_t submitted, int64_t now_ns) {
  if (std::exchange(submitted_, submitted) != submitted) still_since_ns_ = now_ns;
  return now_ns - still_since_ns_ >= kStillNs;
}

bool LostFrames::take_missing(uint64_t newest, bool dark) {
  const bool missing = newest < submitted_ || dark;
  return missing && std::exchange(requested_, submitted_) != submitted_;
}

}  // namespace sail
