// bplay's window on the wall: one stream, opened anew, in the place of the one before, when the
// pictures' size or codec changes. One thread.
#pragma once

#include <sail/sail.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sail/apps/options.h"
#include "sail/media/source.h"

namespace sail {

class WallWindow {
 public:
  // session outlives the window.
  WallWindow(Session& session, const BplayOptions& options);

  // The title of streams opened from now on.
  void set_title(std::string title) { title_ = std::move(title); }
  // The codec of pictures from now on, but for those that come compressed.
  void set_codec(std::string codec) { wanted_codec_ = std::move(codec); }

  // What it can be started again with, absolute paths; empty: unknown.
  void set_content(std::vector<std::string> media, bool loop) {
    media_ = std::move(media);
    loop_ = loop;
  }
  void tell(const sail_playback& playback);

  // SAIL_REFUSED and such come with a sentence. The picture stays the caller's, to be shown again.
  Result<sail_status> show(const Picture& picture);

  // A picture was due, and too late to be shown.
  void skip() {
    if (stream_) stream_.skip(1);
  }

  // The size of its pictures, in pixels.
  Size size() const { return size_; }
  bool owns(const sail_stream* stream) const { return stream_ && stream_.get() == stream; }
  sail_stream_stats stats() const { return stream_ ? stream_.stats() : sail_stream_stats{}; }

 private:
  Result<void> open_for(const Picture& picture);
  std::string codec_for(const Picture& picture) const;
  bool fits(const Picture& picture) const;
  Result<Stream> open_at(const Picture& picture, const sail_rect& place);
  // Where a picture of another shape goes: into the former window, in its middle.
  sail_rect place_for(const Picture& picture) const;

  Session& session_;
  const BplayOptions& options_;
  std::string title_;
  Stream stream_;
  Size size_;
  std::vector<std::string> media_;
  bool loop_ = false;
  std::string wanted_codec_;
  std::string codec_;  // of the stream
};

}  // namespace sail
