#include "sail/media/ffmpeg/media_source_pool.h"

#include <string>

namespace sail {
namespace {

constexpr int kRowAlignment = 64;

}  // namespace

Result<AvFramePtr> FramePool::make(AVPixelFormat format, Size size) {
  const auto none = [] { return fail(ErrorCode::kLimit, "out of memory"); };
  const int bytes = av_image_get_buffer_size(format, size.width, size.height, kRowAlignment);
  if (bytes < 0) {
    return fail(ErrorCode::kLimit, "pictures of " + std::to_string(size.width) + "x" +
                                       std::to_string(size.height) + " are too large for FFmpeg");
  }
  if (!buffers_ || bytes != bytes_) {
    buffers_.reset(av_buffer_pool_init(static_cast<size_t>(bytes) + kRowAlignment, nullptr));
    bytes_ = bytes;
  }
  AvFramePtr frame(av_frame_alloc());
  if (!frame || !buffers_) return none();
  frame->buf[0] = av_buffer_pool_get(buffers_.get());
  if (!frame->buf[0]) return none();
  av_image_fill_arrays(frame->data, frame->linesize, frame->buf[0]->data, format, size.width,
                       size.height, kRowAlignment);
  frame->format = format;
  frame->width = size.width;
  frame->height = size.height;
  return frame;
}

}  // namespace sail
