// Converts decoded frames to the formats of sail_submit. One thread at a time. Only for the
// media_source files.
#pragma once

#include <sail/sail.h>

#include <optional>

#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"
#include "sail/media/ffmpeg/media_source_av.h"
#include "sail/media/ffmpeg/media_source_display.h"
#include "sail/media/ffmpeg/media_source_frames.h"
#include "sail/media/source/source.h"

namespace sail {

struct ConvertedFrame {
  AvFramePtr frame;
  sail_frame pixels{};  // planes, format, bits, matrix, range; no release function
};

// The picture takes ownership of the frame. Its times are not set, its pixels are square.
Picture to_picture(ConvertedFrame converted);

class FrameConverter {
 public:
  struct Options {
    std::optional<Size> size;  // size of the results; empty: unchanged
    bool keep_alpha = false;   // false: blended over black
    bool for_j2k = false;      // keep depth and chroma
    bool rgb = false;          // 8-bit pictures become BGRA
    int threads = 0;           // for HDR and wide colours; 0: one per core
    codecs::DisplayColor display = {};
  };
  explicit FrameConverter(const Options& options)
      : options_(options), display_(options.threads, options.display) {}

  // Returns the frame itself if it needs no conversion, else a converted one, made upright.
  Result<ConvertedFrame> convert(AvFramePtr frame, Orientation orientation);
  // Copies the frame if anything else refers to its pixels, such as the decoder.
  Result<void> make_writable(ConvertedFrame& converted);

 private:
  // Converts colours of other primaries or HDR to eight bits for the display.
  Result<AvFramePtr> to_display(AvFramePtr frame, const codecs::SourceColor& color);
  // The same for frames with alpha, which is kept.
  Result<AvFramePtr> to_display_with_alpha(AvFramePtr frame, const codecs::SourceColor& color);
  // Converts X'Y'Z' of digital cinema to BGRA.
  Result<AvFramePtr> cinema_to_display(AvFramePtr frame);
  // Converts with FFmpeg's scaler.
  Result<AvFramePtr> rescale(AvFramePtr frame, AVPixelFormat format, Size size,
                             sail_color_matrix matrix);
  // Converts a format for pack_samples(); sets the bits in use.
  Result<AvFramePtr> pack(const AVFrame& frame, int& bits);
  // The matrix of the converted frame.
  sail_color_matrix target_matrix(const AVFrame& frame) const;

  const Options options_;
  AvPtr<SwsContext> scaler_;
  DisplayColors display_;
  FramePool scaled_;
  FramePool packed_;
  FramePool turned_;
  FramePool copied_;
};

}  // namespace sail
