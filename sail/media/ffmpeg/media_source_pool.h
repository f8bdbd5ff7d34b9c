// Frames from memory that is used again when its frame is gone. One thread at a time creates
// frames; any thread may free them. Only for the media_source files.
#pragma once

#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"
#include "sail/media/ffmpeg/media_source_av.h"

namespace sail {

class FramePool {
 public:
  // Creates a frame without properties. kLimit: too large, or out of memory.
  Result<AvFramePtr> make(AVPixelFormat format, Size size);
  // Creates a frame with the properties of `like`.
  Result<AvFramePtr> make(AVPixelFormat format, Size size, const AVFrame& like) {
    auto frame = make(format, size);
    if (frame) av_frame_copy_props(frame->get(), &like);
    return frame;
  }

 private:
  AvPtr<AVBufferPool> buffers_;
  int bytes_ = 0;  // per buffer
};

}  // namespace sail
