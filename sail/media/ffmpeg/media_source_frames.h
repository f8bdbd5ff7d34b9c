// Frames of FFmpeg: their memory, and rearranging their samples (turn, mirror, pack, blend over
// black), for which the caller allocates both frames. Only for the media_source files.
#pragma once

#include <cstdint>
#include <span>

#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"
#include "sail/media/ffmpeg/media_source_av.h"

namespace sail {

// Frames from memory that is used again when its frame is gone. One thread at a time creates
// frames; any thread may free them.
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

// 8-bit RGBA or BGRA; alpha becomes 255.
void lay_over_black(AVFrame& frame);

// The operation that makes a stored picture upright: mirroring left to right, then turning
// clockwise.
struct Orientation {
  bool mirrored = false;
  int quarter_turns = 0;  // 0 to 3

  bool is_upright() const { return !mirrored && quarter_turns == 0; }
  bool swaps_sides() const { return quarter_turns % 2 != 0; }
};
// From the 9 values of FFmpeg's display matrix; other angles than quarter turns are rounded.
Orientation orientation_of(std::span<const int32_t, 9> matrix);
// `upright` has the format of `frame`, which must be a native_format(), and its size, with sides
// swapped if the orientation swaps them.
void turn_samples(const AVFrame& frame, AVFrame& upright, Orientation orientation);

// Converts a format that needs_packing(), or is_shallow_rgb(), into 16-bit R, G, B; returns the
// number of low bits used. Alpha is blended over black.
int pack_samples(const AVFrame& frame, AVFrame& packed);

}  // namespace sail
