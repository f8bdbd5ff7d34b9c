// bplay's window on the wall: one stream, opened anew when the pictures' size changes. One thread.
#pragma once

#include <sail/sail.hpp>

#include <optional>
#include <string>

#include "sail/apps/options.h"
#include "sail/media/source.h"

namespace sail {

class WallWindow {
 public:
  // session outlives the window.
  WallWindow(Session& session, const BplayOptions& options);

  // Of streams opened from now on.
  void set_title(std::string title) { title_ = std::move(title); }

  // SAIL_REFUSED and such come with a sentence.
  Result<sail_status> show(Picture& picture);

  bool owns(const sail_stream* stream) const { return stream_ && stream_.get() == stream; }
  sail_stream_stats stats() const { return stream_ ? stream_.stats() : sail_stream_stats{}; }

 private:
  Result<void> open_for(const Picture& picture);
  Result<Stream> open_at(Size size, const sail_rect& place);
  // Where a picture of another shape goes: into the former window, in its middle.
  sail_rect place_for(const Picture& picture) const;

  Session& session_;
  const BplayOptions& options_;
  std::string title_;
  Stream stream_;
  Size size_;
};

}  // namespace sail
