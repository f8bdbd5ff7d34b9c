// What a picture file is, by its contents. Pure.
#pragma once

#include <cstdint>
#include <span>

namespace sail {

enum class StillKind : uint8_t { kNone, kJpeg, kPng, kTiff, kWebp, kHeif };

// The kind by the first bytes (64 are enough). kNone: not a still that libvips reads.
StillKind still_kind(std::span<const uint8_t> head);

struct StillTraits {
  StillKind kind = StillKind::kNone;
  // FFmpeg plays it: APNG, sequences of AVIF and HEIC, MJPEG, raw pictures of cameras.
  bool film = false;
  // FFmpeg shows it as libvips does: no colour profile, orientation or other thing it ignores.
  bool for_ffmpeg = true;
  bool hdr = false;  // PQ or HLG
};
StillTraits still_traits(std::span<const uint8_t> file);

}  // namespace sail
