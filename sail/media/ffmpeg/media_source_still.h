// Numbered pictures that FFmpeg would show wrongly, decoded by libvips: other profiles than sRGB,
// orientation, tiles, and pictures of science. One thread at a time. Only for the media_source
// files.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "sail/core/base/result.h"
#include "sail/media/ffmpeg/media_source_av.h"
#include "sail/media/ffmpeg/media_source_pool.h"
#include "sail/media/still/still_pixels.h"

namespace sail {

class StillDecoder {
 public:
  explicit StillDecoder(const StillWish& wish, int threads);

  // numbered: the film is one of numbered files.
  static bool accepts(AVCodecID codec, bool numbered, std::span<const uint8_t> picture);
  // Errors are sentences about "the picture".
  Result<AvFramePtr> decode(std::span<const uint8_t> picture);
  // What the user must know about the pictures so far; empty: nothing.
  const std::string& notice() const { return notice_; }

 private:
  FramePool frames_;
  StillWish wish_;
  const int threads_;
  std::string notice_;
};

}  // namespace sail
