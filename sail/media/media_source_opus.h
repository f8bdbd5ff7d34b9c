// Sound that comes in packets of Opus as somebody makes them, such as a page's. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "sail/base/result.h"

namespace sail {

class OpusDecoder {
 public:
  // kUnavailable: FFmpeg was built without a decoder for it.
  static Result<std::unique_ptr<OpusDecoder>> open();
  ~OpusDecoder();
  OpusDecoder(const OpusDecoder&) = delete;
  OpusDecoder& operator=(const OpusDecoder&) = delete;

  // Samples of kSoundRate and kSoundChannels (media_source_sound.h), channels interleaved, of a
  // tenth of a second or so at most; good until the next call. kBadData: it is damaged; the next
  // may be whole.
  Result<std::span<const float>> decode(std::span<const uint8_t> packet);

 private:
  struct Impl;
  explicit OpusDecoder(std::unique_ptr<Impl> impl);
  const std::unique_ptr<Impl> impl_;
};

}  // namespace sail
