// Decodes video chunks as a live encoder (such as a page's) produces them: each chunk is a picture
// for immediate display. One thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "sail/core/base/result.h"
#include "sail/core/wire/guest.h"
#include "sail/media/source/source.h"

namespace sail {

// Largest picture, in pixels: 7680×4320. Larger ones are refused before memory is allocated.
constexpr int64_t kMaxChunkPixels = int64_t{7680} * 4320;

class ChunkDecoder {
 public:
  // kUnavailable: FFmpeg was built without this decoder.
  static Result<std::unique_ptr<ChunkDecoder>> open(const GuestVideo& video);
  ~ChunkDecoder();
  ChunkDecoder(const ChunkDecoder&) = delete;
  ChunkDecoder& operator=(const ChunkDecoder&) = delete;

  // Returns the newest picture decoded from this chunk; empty: none. kBadData, kLimit: damaged;
  // pictures until the next key frame would be damaged, too.
  Result<std::optional<Picture>> decode(std::span<const uint8_t> chunk);

 private:
  struct Impl;
  explicit ChunkDecoder(std::unique_ptr<Impl> impl);
  const std::unique_ptr<Impl> impl_;
};

}  // namespace sail
