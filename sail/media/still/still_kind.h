// What a picture file is, by its contents. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace sail {

enum class StillKind : uint8_t { kNone, kJpeg, kPng, kTiff, kWebp, kHeif };

// The kind by the first bytes (64 are enough). kNone: not a still that libvips reads.
StillKind still_kind(std::span<const uint8_t> head);

struct StillTraits {
  StillKind kind = StillKind::kNone;
  // FFmpeg plays it: APNG, sequences of AVIF and HEIC, MJPEG, JPEG-LS, raw pictures of cameras,
  // TIFF of YCbCr outside of JPEG.
  bool film = false;
  // FFmpeg shows it as libvips does: no colour profile, orientation or other thing it ignores.
  bool for_ffmpeg = true;
  bool moves = false;  // an animation
  bool hdr = false;    // PQ or HLG
};
// The beginning of a file may be enough: all but JPEG have their traits before the pixels.
StillTraits still_traits(std::span<const uint8_t> file);
// Names the missing conversion in a sentence; empty: nothing is missing.
std::string still_shortcoming(const StillTraits& traits, const std::string& name);

}  // namespace sail
