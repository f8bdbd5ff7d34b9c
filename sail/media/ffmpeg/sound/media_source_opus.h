// Decodes Opus packets as a live encoder (such as a page's) produces them. One thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "sail/core/base/result.h"

namespace sail {

class OpusDecoder {
 public:
  // kUnavailable: FFmpeg was built without this decoder.
  static Result<std::unique_ptr<OpusDecoder>> open();
  ~OpusDecoder();
  OpusDecoder(const OpusDecoder&) = delete;
  OpusDecoder& operator=(const OpusDecoder&) = delete;

  // Returns interleaved samples at kSoundRate with kSoundChannels (media_source_sound.h), about a
  // tenth of a second at most; valid until the next call. kBadData: damaged; the next packet may
  // decode.
  Result<std::span<const float>> decode(std::span<const uint8_t> packet);

 private:
  struct Impl;
  explicit OpusDecoder(std::unique_ptr<Impl> impl);
  const std::unique_ptr<Impl> impl_;
};

}  // namespace sail
