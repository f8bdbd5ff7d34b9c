// The part of a film that is to be kept, for writing it down: its times begin at 0 and only grow,
// its pictures have one size. One thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "sail/media/source.h"

namespace sail {

struct ClipRange {
  int64_t from_ns = 0;
  std::optional<int64_t> to_ns;  // this picture is not in it any more; nothing: to the end
};

class ClipSource {
 public:
  // `name` is for errors. Stands before the first picture.
  static Result<ClipSource> open(std::unique_ptr<Source> source, std::string name,
                                 const ClipRange& range);

  // Every picture has these sizes.
  Size frame_size() const { return frame_size_; }
  Size display_size() const { return display_size_; }
  // The colour of the first picture.
  codecs::PictureColor color() const { return color_; }
  FrameRate rate() const { return source_->info().rate; }
  // 0: unknown.
  int64_t duration_ns() const;

  // The next picture with its time in the clip; nothing at the end. kBadData: the pictures' size
  // changes here.
  Result<std::optional<Picture>> next();
  Result<void> rewind();
  // next() then gives the picture of that time of the clip, if the film's own times can tell.
  Result<void> jump_to(int64_t pts_ns);

  std::optional<std::string> take_complaint() { return source_->take_complaint(); }

 private:
  ClipSource(std::unique_ptr<Source> source, std::string name, const ClipRange& range);
  Result<std::optional<Picture>> read();

  std::unique_ptr<Source> source_;
  std::string name_;
  ClipRange range_;
  Size frame_size_;
  Size display_size_;
  codecs::PictureColor color_;
  std::optional<Picture> first_;  // read already
  int64_t usual_ns_;              // how long a picture is seen when nobody knows
  int64_t last_ns_ = -1;          // time of the last picture
  int64_t follows_ns_ = 0;        // and when it is over
  int64_t shift_ns_ = 0;          // added since the film's own times jumped back
};

}  // namespace sail
