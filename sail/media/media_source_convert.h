// From what a decoder yields to what sail_submit takes. One thread. Only for the media_source
// files.
#pragma once

#include <sail/sail.h>

#include <optional>

#include "sail/base/geometry.h"
#include "sail/base/result.h"
#include "sail/media/media_source_av.h"
#include "sail/media/source.h"

namespace sail {

struct ConvertedFrame {
  AvFramePtr frame;
  sail_frame pixels{};  // planes, format, bits, matrix, range; no release function
};

// The picture has the frame from now on; it has no times yet, and square pixels.
Picture to_picture(ConvertedFrame converted);

class FrameConverter {
 public:
  struct Options {
    std::optional<Size> size;  // of the frames returned; nothing: as they come
    bool keep_alpha = false;   // else all is laid over black
    bool for_j2k = false;      // depth and chroma are kept
    bool rgb = false;          // 8 bits become BGRA
  };
  explicit FrameConverter(const Options& options) : options_(options) {}

  // The frame itself when it can be shown as it is, else a converted one; turned by quarter_turns
  // clockwise.
  Result<ConvertedFrame> convert(AvFramePtr frame, int quarter_turns);

 private:
  struct Pool {
    AvPtr<AVBufferPool> buffers;
    int bytes = 0;  // of one
  };

  // Through FFmpeg's scaler.
  Result<AvFramePtr> rescale(AvFramePtr frame, AVPixelFormat format, Size size);
  // The matrix that a frame is handed out with.
  sail_color_matrix target_matrix(const AVFrame& frame) const;
  // A frame of that format and size, of pooled memory, with the properties of `like`.
  static Result<AvFramePtr> make_frame(Pool& pool, AVPixelFormat format, Size size,
                                       const AVFrame& like);

  const Options options_;
  AvPtr<SwsContext> scaler_;
  Pool scaled_;
  Pool packed_;
  Pool turned_;
};

}  // namespace sail
