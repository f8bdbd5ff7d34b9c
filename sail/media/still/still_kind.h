// The kind of a picture file, by its contents. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "codecs/color/color_transform.h"

namespace sail {

enum class StillKind : uint8_t { kNone, kJpeg, kPng, kTiff, kWebp, kHeif };

// The kind by the first bytes (64 are enough). kNone: not a still that libvips reads.
StillKind still_kind(std::span<const uint8_t> head);

struct StillTraits {
  StillKind kind = StillKind::kNone;
  // FFmpeg plays it: APNG, sequences of AVIF and HEIC, MJPEG, JPEG-LS, raw pictures of cameras,
  // TIFF of YCbCr outside of JPEG.
  bool film = false;
  // FFmpeg shows the file as libvips does: the file has no colour profile, no orientation, and
  // nothing else that FFmpeg ignores.
  bool for_ffmpeg = true;
  bool moves = false;  // an animation
  // HDR, or wider primaries than an SDR display's.
  std::optional<codecs::SourceColor> wide = {};
};
// The beginning of a file may be enough: all but JPEG have their traits before the pixels.
StillTraits still_traits(std::span<const uint8_t> file);
// Names the conversion of HDR or wide colours in a sentence; empty: none is necessary.
std::string conversion_notice(const StillTraits& traits, const codecs::DisplayColor& display,
                              const std::string& name);

}  // namespace sail
