// A film of numbered files whose last picture is held where its source leaves the pictures after it
// out, so that the film keeps its length. One thread at a time.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "sail/media/source/source.h"

namespace sail {

class HeldEnd : public Source {
 public:
  // The source's duration counts the pictures that it leaves out.
  explicit HeldEnd(std::unique_ptr<Source> source) : source_(std::move(source)) {}

  const SourceInfo& info() const override { return source_->info(); }
  Result<std::optional<Picture>> next() override;
  Result<void> seek(int64_t position_ns) override;
  Result<void> choose_subtitles(const SubtitleChoice& choice) override {
    return source_->choose_subtitles(choice);
  }
  void leave_out(const Late& late) override { source_->leave_out(late); }
  std::optional<std::string> take_complaint() override { return source_->take_complaint(); }
  uint64_t take_left_out() override { return source_->take_left_out(); }
  ReadFigures read_figures() const override { return source_->read_figures(); }

 private:
  const std::unique_ptr<Source> source_;
  // Read, not returned yet: one picture, its error, or the end.
  std::optional<Result<std::optional<Picture>>> ahead_;
};

inline Result<std::optional<Picture>> HeldEnd::next() {
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

inline Result<void> HeldEnd::seek(int64_t position_ns) {
  ahead_.reset();
  return source_->seek(position_ns);
}

}  // namespace sail
