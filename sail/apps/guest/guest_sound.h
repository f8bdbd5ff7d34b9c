// Decodes the sound of a shared page and submits it with its presentation time. One thread.
#pragma once

#include <cstdint>
#include <memory>

#include "sail/apps/guest/guest_chunks.h"
#include "sail/apps/program/even_times.h"
#include "sail/apps/program/wall_window.h"
#include "sail/media/ffmpeg/sound/media_source_opus.h"

namespace sail {

class SharedSound {
 public:
  // Returns an error if too many consecutive packets cannot be decoded.
  Result<void> play(const QueuedSound& sound, WallWindow& window);

 private:
  std::unique_ptr<OpusDecoder> decoder_;  // null before the first packet
  EvenTimes times_;
  int failures_ = 0;
};

}  // namespace sail
