// Video that comes in chunks as somebody makes them, such as a page's: each chunk is a picture, to
// be seen at once. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "sail/base/result.h"
#include "sail/media/source.h"
#include "sail/wire/guest.h"

namespace sail {

// Pixels of a picture: 7680×4320. What says that it is larger is refused before memory is taken.
constexpr int64_t kMaxChunkPixels = int64_t{7680} * 4320;

class ChunkDecoder {
 public:
  // kUnavailable: FFmpeg was built without a decoder for it.
  static Result<std::unique_ptr<ChunkDecoder>> open(const GuestVideo& video);
  ~ChunkDecoder();
  ChunkDecoder(const ChunkDecoder&) = delete;
  ChunkDecoder& operator=(const ChunkDecoder&) = delete;

  // The newest picture that there is with this chunk; nothing: it makes none. An error (kBadData,
  // kLimit): it is damaged, and what comes before the next key frame would be, too.
  Result<std::optional<Picture>> decode(std::span<const uint8_t> chunk);

 private:
  struct Impl;
  explicit ChunkDecoder(std::unique_ptr<Impl> impl);
  const std::unique_ptr<Impl> impl_;
};

}  // namespace sail
