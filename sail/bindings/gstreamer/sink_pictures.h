// Converts GStreamer video frames to libsail frames. Single-threaded.
#pragma once

#include <gst/video/video.h>
#include <sail/sail.h>

#include <memory>
#include <string>

namespace sail {

// Frames of one format for a stream of one codec. Formats that libsail accepts pass without a copy;
// others are converted to the nearest 8-bit 4:2:0, 4:2:2 or BGRA format.
class SinkPictures {
 public:
  SinkPictures(const GstVideoInfo& info, const std::string& codec);
  ~SinkPictures();
  SinkPictures(const SinkPictures&) = delete;
  SinkPictures& operator=(const SinkPictures&) = delete;

  // False: GStreamer cannot convert the format; do not call view().
  bool readable() const { return readable_; }
  // `mapped` has the format given to the constructor. The result points into `mapped` or into the
  // conversion buffer, and is valid until the next call.
  sail_frame view(GstVideoFrame& mapped);

 private:
  struct FreeConverter {
    void operator()(GstVideoConverter* converter) const { gst_video_converter_free(converter); }
  };

  const GstVideoInfo info_;
  GstVideoInfo sent_;  // format passed to libsail
  std::unique_ptr<GstVideoConverter, FreeConverter> converter_;
  bool readable_ = true;
  GstBuffer* buffer_ = nullptr;  // conversion target
  GstVideoFrame converted_{};
};

}  // namespace sail
