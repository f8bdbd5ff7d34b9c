// The kind of a picture file, by its contents. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "codecs/color/color_transform.h"
#include "sail/core/base/result.h"

namespace sail {

enum class StillKind : uint8_t { kNone, kJpeg, kPng, kTiff, kWebp, kHeif, kSvg };

// The kind by the first bytes (1024 are enough). kNone: not a still that libvips reads.
StillKind still_kind(std::span<const uint8_t> head);

// Limits of SVG drawings, the same in all programs, because librsvg has none for the memory of a
// drawing: of the size, before the file is read into memory, and of the contents, before they are
// rendered.
Result<void> check_svg_bytes(uint64_t bytes, const std::string& name);
Result<void> check_svg_tags(std::span<const uint8_t> file, const std::string& name);

// By the ending of a path or URL: a whole slide, of which other readers would show the label.
bool names_slide(std::string_view name);
// By the ending of a path or URL: a picture in several files (MIRAX, VMS, DeepZoom).
bool names_several_files(std::string_view name);
// Why such a picture cannot be shown from a URL, as text to follow its name.
inline constexpr std::string_view kSeveralFiles =
    " is a picture in several files, which are read only from a local folder: copy all of them, "
    "then: vitrail show COPY";

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
