#include "sail/media/film/clip_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sail/core/text/limits.h"
#include "sail/core/time/clock.h"
#include "sail/media/source/film_time.h"
#include "sail/media/source/picture_encoder.h"

namespace sail {
namespace {

int64_t usual_duration(const FrameRate& rate) {
  if (rate.numerator == 0) return kUsualDurationNs;
  return std::max<int64_t>(1, kSecondNs * rate.denominator / rate.numerator);
}

Size shape_of_clip(const Picture& picture) {
  return {std::min(picture.display_size.width, kMaxWindowSide),
          std::min(picture.display_size.height, kMaxWindowSide)};
}

}  // namespace

ClipSource::ClipSource(std::unique_ptr<Source> source, std::string name, const ClipRange& range,
                       const ClipShard& shard)
    : source_(std::move(source)),
      name_(std::move(name)),
      range_(range),
      shard_(shard),
      usual_ns_(usual_duration(source_->info().rate)) {}

Result<ClipSource> ClipSource::open(std::unique_ptr<Source> source, std::string name,
                                    const ClipRange& range, const ClipShard& shard) {
  ClipSource clip(std::move(source), std::move(name), range, shard);
  if (range.from_ns > 0 || shard.from_ns) {
    auto sought = clip.seek_begin();
    if (!sought) return std::move(sought.error());
  }
  auto first = clip.read();
  if (!first) return std::move(first.error());
  // Sources hold their last picture.
  const int64_t end_ns = clip.source_->info().duration_ns;
  if (!*first || (end_ns > 0 && range.from_ns >= end_ns)) {
    return fail(ErrorCode::kBadData,
                fmt::format("{}: no picture in the selected part", clip.name_));
  }
  clip.frame_size_ = (*first)->size;
  clip.display_size_ = shape_of_clip(**first);
  clip.color_ = codecs::color_of(view_of(**first));
  clip.first_ = std::move(*first);
  return clip;
}

int64_t ClipSource::duration_ns() const {
  int64_t end = source_->info().duration_ns;
  if (const auto to_ns = end_ns()) end = end > 0 ? std::min(end, *to_ns) : *to_ns;
  return std::max<int64_t>(0, end - shard_.from_ns.value_or(range_.from_ns));
}

// Returns the next picture with the film's own times.
Result<std::optional<Picture>> ClipSource::read() {
  const auto to_ns = end_ns();
  for (;;) {
    auto picture = source_->next();
    if (!picture || !*picture) return picture;
    const int64_t pts_ns = (*picture)->pts_ns;
    if (shard_.from_ns && pts_ns < *shard_.from_ns) {
      source_->take_left_out();  // counted by the shard before
      continue;
    }
    if (to_ns && pts_ns >= *to_ns) return std::nullopt;
    return picture;
  }
}

Result<std::optional<Picture>> ClipSource::next() {
  Result<std::optional<Picture>> picture = std::exchange(first_, std::nullopt);
  if (!*picture) picture = read();
  if (!picture || !*picture) return picture;
  Picture& found = **picture;
  if (found.size != frame_size_) {
    return fail(
        ErrorCode::kBadData,
        fmt::format(
            "{}: the picture size changes from {}x{} to {}x{} at {}: set one size with --size",
            name_, frame_size_.width, frame_size_.height, found.size.width, found.size.height,
            format_time(found.pts_ns)));
  }
  if (shape_of_clip(found) != display_size_) {
    return fail(ErrorCode::kBadData,
                fmt::format("{}: the shape of the pixels changes at {}: set one size with --size",
                            name_, format_time(found.pts_ns)));
  }
  if (auto set = set_clip_time(found); !set) return std::move(set.error());
  return picture;
}

Result<void> ClipSource::set_clip_time(Picture& picture) {
  const int64_t film_ns = picture.pts_ns;
  if (picture.duration_ns <= 0) picture.duration_ns = usual_ns_;
  picture.pts_ns += shift_ns_ - range_.from_ns;
  if (picture.pts_ns < 0) {
    picture.duration_ns = std::max<int64_t>(1, picture.duration_ns + picture.pts_ns);
    picture.pts_ns = 0;
  }
  if (picture.pts_ns <= last_ns_) {
    // The other shards do not know the shift.
    if (shard_.from_ns || shard_.to_ns) {
      return fail(ErrorCode::kBadData,
                  fmt::format("{} cannot be divided into shards: the time stamps do not increase "
                              "at {}",
                              name_, format_time(film_ns)));
    }
    shift_ns_ += follows_ns_ - picture.pts_ns;
    picture.pts_ns = follows_ns_;
  }
  last_ns_ = picture.pts_ns;
  follows_ns_ = picture.pts_ns + picture.duration_ns;
  return {};
}

Result<void> ClipSource::seek_begin() {
  return source_->seek(shard_.from_ns ? shard_.start_ns : range_.from_ns);
}

Result<void> ClipSource::rewind() {
  forget();
  return seek_begin();
}

Result<void> ClipSource::jump_to(int64_t pts_ns) {
  forget();
  return source_->seek(range_.from_ns + pts_ns);
}

void ClipSource::forget() {
  first_.reset();
  last_ns_ = -1;
  follows_ns_ = 0;
  shift_ns_ = 0;
}

}  // namespace sail
