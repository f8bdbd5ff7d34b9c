// A film whose pictures come when the test gives leave for them.
#pragma once

#include <memory>
#include <semaphore>

#include "sail/media/source.h"

namespace sail {

// Pictures of a millisecond each; there is nothing to be sought behind the last one.
class SlowSource : public Source {
 public:
  static constexpr int64_t kPictureNs = 1'000'000;

  // torn: the end is that of a file which ends early.
  SlowSource(std::counting_semaphore<>& leave, int64_t pictures, bool torn = false)
      : leave_(leave), pictures_(pictures), torn_(torn) {
    info_.duration_ns = pictures * kPictureNs;
  }

  const SourceInfo& info() const override { return info_; }
  Result<std::optional<Picture>> next() override {
    leave_.acquire();
    if (next_ >= pictures_) {
      if (torn_) return fail(ErrorCode::kBadData, "the file ends early");
      return std::nullopt;
    }
    Picture picture;
    picture.pts_ns = next_++ * kPictureNs;
    picture.duration_ns = kPictureNs;
    return std::optional<Picture>(std::move(picture));
  }
  Result<void> seek(int64_t position_ns) override {
    if (position_ns >= info_.duration_ns) return fail(ErrorCode::kIo, "no");
    next_ = position_ns / kPictureNs;
    return {};
  }

 private:
  std::counting_semaphore<>& leave_;
  const int64_t pictures_;
  const bool torn_;
  int64_t next_ = 0;
  SourceInfo info_;
};

}  // namespace sail
