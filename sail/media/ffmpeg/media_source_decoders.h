// Decoders for pictures that FFmpeg would show wrongly. One thread at a time. Only for the
// media_source files.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "codecs/j2k/j2k.h"
#include "sail/core/base/result.h"
#include "sail/media/ffmpeg/media_source_av.h"
#include "sail/media/ffmpeg/media_source_frames.h"
#include "sail/media/still/still_wish.h"

namespace sail {

// True for a JPEG 2000 picture that lacks data, with or without boxes. Decoders may show a part of
// it without an error.
bool is_truncated_j2k(std::span<const uint8_t> picture);
// Adds the end marker to a codestream without one: FFmpeg refuses it, although nothing else is
// missing.
void add_end_of_codestream(AVPacket& picture);

// JPEG 2000 pictures of Part 15 (high throughput), decoded by this project's decoder to 8-bit BGRA.
// FFmpeg 5.1's decoder makes them grey without an error.
class HtDecoder {
 public:
  HtDecoder() : decoder_(codecs::make_j2k_decoder(codecs::CodecId::kHtj2k)) {}

  // True for a picture of Part 15, with or without boxes around the codestream, and for those that
  // decode() refuses because FFmpeg would exchange their colours.
  static bool accepts(std::span<const uint8_t> picture);
  // `container`: may specify the colour. Errors are phrases: "the picture is …".
  Result<AvFramePtr> decode(std::span<const uint8_t> picture, const AVCodecParameters& container);
  // What the user must know about the pictures so far; empty: nothing.
  const std::string& notice() const { return notice_; }

 private:
  FramePool frames_;
  std::unique_ptr<codecs::J2kDecoder> decoder_;
  std::string notice_;
};

// Numbered pictures that FFmpeg would show wrongly, decoded by libvips: other profiles than sRGB,
// orientation, tiles, and scientific pictures.
class StillDecoder {
 public:
  explicit StillDecoder(const StillWish& wish, int threads);

  // numbered: the film is one of numbered files.
  static bool accepts(AVCodecID codec, bool numbered, std::span<const uint8_t> picture);
  // Errors are sentences about "the picture".
  Result<AvFramePtr> decode(std::span<const uint8_t> picture);
  // Notice for the user about the pictures so far; empty: none.
  const std::string& notice() const { return notice_; }

 private:
  FramePool frames_;
  StillWish wish_;
  const int threads_;
  std::string notice_;
};

}  // namespace sail
