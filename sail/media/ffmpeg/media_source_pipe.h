// I/O context through which FFmpeg's demuxers read a descriptor sequentially. Only for the
// media_source files.
#pragma once

#include <functional>

#include "sail/media/ffmpeg/media_source_av.h"

namespace sail {

class MediaPipe {
 public:
  // Does not close the descriptor. give_up: polled while waiting; FFmpeg then gets AVERROR_EXIT.
  MediaPipe(int descriptor, std::function<bool()> give_up);
  MediaPipe(const MediaPipe&) = delete;
  MediaPipe& operator=(const MediaPipe&) = delete;

  AVIOContext* context() { return context_.get(); }  // null: out of memory

 private:
  static int read(void* self, uint8_t* bytes, int count);

  const int descriptor_;
  const std::function<bool()> give_up_;
  AvIoPtr context_;
};

}  // namespace sail
