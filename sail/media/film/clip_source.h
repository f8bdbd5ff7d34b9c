// A range of a film, prepared for writing: its time stamps begin at 0 and strictly increase, and
// all pictures have the same size. One thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "sail/media/source/source.h"

namespace sail {

// The pictures of a clip that one of several converters writes. All times are the film's.
struct ClipShard {
  int64_t start_ns = 0;            // where decoding begins
  std::optional<int64_t> from_ns;  // empty: from the clip's first picture
  std::optional<int64_t> to_ns;    // exclusive; empty: to the clip's end
};

class ClipSource {
 public:
  // `name` is for errors. Starts before the first picture.
  static Result<ClipSource> open(std::unique_ptr<Source> source, std::string name,
                                 const ClipRange& range, const ClipShard& shard = {});

  // All pictures have these sizes.
  Size frame_size() const { return frame_size_; }
  Size display_size() const { return display_size_; }
  // The colour of the first picture.
  codecs::PictureColor color() const { return color_; }
  FrameRate rate() const { return source_->info().rate; }
  // 0: unknown.
  int64_t duration_ns() const;

  // The next picture, with its time in the clip; empty at the end. kBadData: the pictures' size
  // or shape changes here.
  Result<std::optional<Picture>> next();
  Result<void> rewind();
  // Seeks so that next() returns the picture at that time of the clip, if the film's time stamps
  // allow it.
  Result<void> jump_to(int64_t pts_ns);

  std::optional<std::string> take_complaint() { return source_->take_complaint(); }
  uint64_t take_left_out() { return source_->take_left_out(); }

 private:
  ClipSource(std::unique_ptr<Source> source, std::string name, const ClipRange& range,
             const ClipShard& shard);
  std::optional<int64_t> end_ns() const { return shard_.to_ns ? shard_.to_ns : range_.to_ns; }
  Result<void> seek_begin();
  Result<std::optional<Picture>> read();
  // Makes time stamps increase, by a shift where they do not.
  Result<void> set_clip_time(Picture& picture);
  void forget();

  std::unique_ptr<Source> source_;
  std::string name_;
  ClipRange range_;
  ClipShard shard_;
  Size frame_size_;
  Size display_size_;
  codecs::PictureColor color_;
  std::optional<Picture> first_;  // read by open(), not returned yet
  int64_t usual_ns_;              // for pictures without a duration
  int64_t last_ns_ = -1;          // time of the last picture
  int64_t follows_ns_ = 0;        // end of the last picture
  int64_t shift_ns_ = 0;          // added to times, because the film's time stamps jumped back
};

}  // namespace sail
