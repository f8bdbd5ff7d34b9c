// GStreamer's video frames as libsail takes them. One thread.
#pragma once

#include <gst/video/video.h>
#include <sail/sail.h>

#include <memory>
#include <string>

namespace sail {

// Frames of one format on their way into a stream of one codec. What libsail reads goes on without
// a copy; all else becomes the nearest of what it does (4:2:0, 4:2:2 or BGRA of 8 bits).
class SinkPictures {
 public:
  SinkPictures(const GstVideoInfo& info, const std::string& codec);
  ~SinkPictures();
  SinkPictures(const SinkPictures&) = delete;
  SinkPictures& operator=(const SinkPictures&) = delete;

  // False: GStreamer does not convert the format; view() is not for it.
  bool readable() const { return readable_; }
  // Of a mapped frame of that format; refers to its memory or to ours, until the next call.
  sail_frame view(GstVideoFrame& mapped);

 private:
  struct FreeConverter {
    void operator()(GstVideoConverter* converter) const { gst_video_converter_free(converter); }
  };

  const GstVideoInfo info_;
  GstVideoInfo sent_;  // the format that libsail gets
  std::unique_ptr<GstVideoConverter, FreeConverter> converter_;
  bool readable_ = true;
  GstBuffer* buffer_ = nullptr;  // what is converted into
  GstVideoFrame converted_{};
};

}  // namespace sail
