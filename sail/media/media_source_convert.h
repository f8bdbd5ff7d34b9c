// From what a decoder yields to what sail_submit takes. One thread. Only for the media_source
// files.
#pragma once

#include <sail/sail.h>

#include <optional>

#include "sail/base/geometry.h"
#include "sail/base/result.h"
#include "sail/media/media_source_av.h"

namespace sail {

class FrameConverter {
 public:
  // size: of the frames returned; nothing: as they come. keep_alpha: else all is laid over black.
  FrameConverter(std::optional<Size> size, bool keep_alpha)
      : size_(size), keep_alpha_(keep_alpha) {}

  // The frame itself when it can be shown as it is, else a converted one; turned by quarter_turns
  // clockwise.
  Result<AvFramePtr> convert(AvFramePtr frame, int quarter_turns);

 private:
  Result<AvFramePtr> rescale(AvFramePtr frame, AVPixelFormat format, Size size);
  Result<AvFramePtr> turn(AvFramePtr frame, int quarter_turns);
  // A frame of that format and size, of pooled memory, with the properties of `like`.
  AvFramePtr make_frame(AVPixelFormat format, int width, int height, const AVFrame& like);

  const std::optional<Size> size_;
  const bool keep_alpha_;
  AvPtr<SwsContext> scaler_;
  AvPtr<AVBufferPool> pool_;
  int pool_bytes_ = 0;
};

// For a frame that FrameConverter has returned: planes, format, matrix, range; no release function.
sail_frame describe(const AVFrame& frame);

}  // namespace sail
