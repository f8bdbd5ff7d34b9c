// Facts about a film for lists of films, found without decoding it ourselves.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"
#include "sail/media/storage/reading/byte_source.h"

namespace sail {

struct MediaFacts {
  Size size;                // as stored
  std::string codec;        // FFmpeg's name: "h264"
  int64_t duration_ns = 0;  // 0: unknown
  double fps = 0;           // nominal; 0: unknown
  bool playable = false;    // walls can show it as stored, without decoding
};

// Probes any file with pictures that FFmpeg's demuxers can read, but not playlists. interrupted:
// polled while waiting; returning true aborts. open: replaces open_bytes(). Does not determine
// `playable`.
Result<MediaFacts> media_facts(
    const std::string& name, std::function<bool()> interrupted,
    std::function<Result<std::unique_ptr<const ByteSource>>()> open = {});

}  // namespace sail
