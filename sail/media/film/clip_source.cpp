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

ClipSource::ClipSource(std::unique_ptr<Source> source, std::string name, const ClipRange& range)
    : source_(std::move(source)),
      name_(std::move(name)),
      range_(range),
      usual_ns_(usual_duration(source_->info().rate)) {}

Result<ClipSource> ClipSource::open(std::unique_ptr<Source> source, std::string name,
                                    const ClipRange& range) {
  ClipSource clip(std::move(source), std::move(name), range);
  if (range.from_ns > 0) {
    auto sought = clip.source_->seek(range.from_ns);
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
  if (range_.to_ns) end = end > 0 ? std::min(end, *range_.to_ns) : *range_.to_ns;
  return std::max<int64_t>(0, end - range_.from_ns);
}

// Returns the next picture with the film's own times.
Result<std::optional<Picture>> ClipSource::read() {
  auto picture = source_->next();
  if (!picture || !*picture) return picture;
  if (range_.to_ns && (*picture)->pts_ns >= *range_.to_ns) return std::nullopt;
  return picture;
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
  if (found.duration_ns <= 0) found.duration_ns = usual_ns_;
  found.pts_ns += shift_ns_ - range_.from_ns;
  if (found.pts_ns < 0) {
    found.duration_ns = std::max<int64_t>(1, found.duration_ns + found.pts_ns);
    found.pts_ns = 0;
  }
  if (found.pts_ns <= last_ns_) {
    shift_ns_ += follows_ns_ - found.pts_ns;
    found.pts_ns = follows_ns_;
  }
  last_ns_ = found.pts_ns;
  follows_ns_ = found.pts_ns + found.duration_ns;
  return picture;
}

Result<void> ClipSource::rewind() {
  return jump_to(0);
}

Result<void> ClipSource::jump_to(int64_t pts_ns) {
  first_.reset();
  last_ns_ = -1;
  follows_ns_ = 0;
  shift_ns_ = 0;
  return source_->seek(range_.from_ns + pts_ns);
}

}  // namespace sail
