#include "sail/media/source/held_end.h"

#include <algorithm>
#include <utility>

namespace sail {

Result<std::optional<Picture>> HeldEnd::next() {
  if (!ahead_) ahead_ = source_->next();
  if (!*ahead_ || !**ahead_) return std::exchange(*ahead_, std::optional<Picture>());
  Picture picture = std::move(***ahead_);
  ahead_ = source_->next();
  const bool last = *ahead_ && !**ahead_;
  if (last) {
    picture.duration_ns = std::max(picture.duration_ns, info().duration_ns - picture.pts_ns);
  }
  return std::optional<Picture>(std::move(picture));
}

Result<void> HeldEnd::seek(int64_t position_ns) {
  ahead_.reset();
  return source_->seek(position_ns);
}

}  // namespace sail
