// A film whose pictures wait for the test's permission: a slow disk or decoder without real time.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <semaphore>
#include <utility>

#include "sail/core/base/result.h"
#include "sail/media/source/source.h"

namespace test {

struct SlowFilm {
  int64_t pictures = 0;
  int64_t picture_ns = 1;                                  // duration of each picture
  int64_t fails_at = std::numeric_limits<int64_t>::max();  // index of a bad picture
  // Index of the picture from which on the time stamps are an hour later.
  int64_t jumps_at = std::numeric_limits<int64_t>::max();
  bool seekable = true;
  bool reconnects = false;
  size_t picture_bytes = 1;
  std::counting_semaphore<> leave{0};  // one permit for each call of next()
  std::atomic<int> given{0};           // pictures delivered, in all rounds
  std::atomic<int> waiting{0};         // calls of next() that wait for a permit
  sail::Source::Late late{};           // what the reader has set
};

class SlowSource : public sail::Source {
 public:
  explicit SlowSource(SlowFilm& film) : film_(film) {
    info_.duration_ns = film.pictures * film.picture_ns;
    info_.live = info_.reconnects = film.reconnects;
  }

  const sail::SourceInfo& info() const override { return info_; }
  sail::Result<std::optional<sail::Picture>> next() override {
    ++film_.waiting;
    film_.leave.acquire();
    --film_.waiting;
    if (next_ == film_.fails_at) return sail::fail(sail::ErrorCode::kIo, "cannot read picture");
    if (next_ >= film_.pictures) return std::nullopt;
    while (next_ > first_ && next_ + 1 < film_.pictures && film_.late &&
           film_.late(next_ * film_.picture_ns, film_.picture_ns)) {
      ++next_;
      ++left_out_;
    }
    ++film_.given;
    sail::Picture picture;
    picture.pts_ns = next_ * film_.picture_ns;
    if (next_++ >= film_.jumps_at) picture.pts_ns += kHourNs;
    picture.duration_ns = film_.picture_ns;
    picture.size = {1, 1};
    picture.pixels.format = SAIL_BGRA;
    picture.pixels.planes[0] = &pixel_;
    picture.pixels.strides[0] = static_cast<ptrdiff_t>(film_.picture_bytes);
    return std::optional<sail::Picture>(std::move(picture));
  }
  sail::Result<void> seek(int64_t position_ns) override {
    if (!film_.seekable || position_ns >= info_.duration_ns) {
      return sail::fail(sail::ErrorCode::kUnavailable, "cannot seek");
    }
    first_ = next_ = position_ns / film_.picture_ns;
    return {};
  }
  void leave_out(const Late& late) override { film_.late = late; }
  uint64_t take_left_out() override { return std::exchange(left_out_, 0); }

 private:
  static constexpr int64_t kHourNs = 3'600'000'000'000;
  SlowFilm& film_;
  int64_t first_ = 0;  // after opening or a seek
  int64_t next_ = 0;
  uint64_t left_out_ = 0;
  uint8_t pixel_ = 0;
  sail::SourceInfo info_;
};

}  // namespace test
