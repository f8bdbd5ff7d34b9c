#include "sail/client/sender/lost_frames.h"

#include <utility>

#include "sail/client/encode/encoded_frame.h"

namespace sail {

bool LostFrames::is_still(uint64_t submitted, int64_t now_ns) {
  if (std::exchange(submitted_, submitted) != submitted) {
    still_since_ns_ = now_ns;
    if (submitted != answer_) tries_ = 0;
  }
  return now_ns - still_since_ns_ >= kStillNs;
}

bool LostFrames::take_missing(uint64_t newest, bool dark) {
  const bool missing = newest < submitted_ || dark;
  return missing && std::exchange(requested_, submitted_) != submitted_;
}

bool LostFrames::may_ask_again(int64_t now_ns) const {
  return tries_ < kMostTries && now_ns - still_since_ns_ >= kStillNs << tries_;
}

void LostFrames::note_request(bool again) {
  if (again) ++tries_;
  answer_ = submitted_ + 1;
}

}  // namespace sail
