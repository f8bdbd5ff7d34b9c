#include "sail/bindings/gstreamer/sink_pictures.h"

#include <algorithm>
#include <array>

namespace sail {
namespace {

enum class Reads : uint8_t { kAlways, kWithoutAlpha, kJpeg2000 };  // codecs that accept a format

struct Format {
  GstVideoFormat theirs;
  sail_pixel_format ours;
  Reads when;
};

constexpr std::array kFormats = {
    Format{GST_VIDEO_FORMAT_I420, SAIL_I420, Reads::kAlways},
    Format{GST_VIDEO_FORMAT_NV12, SAIL_NV12, Reads::kAlways},
    Format{GST_VIDEO_FORMAT_Y42B, SAIL_I422, Reads::kAlways},
    Format{GST_VIDEO_FORMAT_NV16, SAIL_NV16, Reads::kAlways},
    Format{GST_VIDEO_FORMAT_RGB, SAIL_RGB, Reads::kAlways},
    Format{GST_VIDEO_FORMAT_RGBA, SAIL_RGBA, Reads::kAlways},
    Format{GST_VIDEO_FORMAT_BGRA, SAIL_BGRA, Reads::kAlways},
    // The fourth byte may hold anything, so only codecs without alpha can take these formats.
    Format{GST_VIDEO_FORMAT_RGBx, SAIL_RGBA, Reads::kWithoutAlpha},
    Format{GST_VIDEO_FORMAT_BGRx, SAIL_BGRA, Reads::kWithoutAlpha},
    Format{GST_VIDEO_FORMAT_Y444, SAIL_I444, Reads::kJpeg2000},
    Format{GST_VIDEO_FORMAT_I420_10LE, SAIL_I420_DEEP, Reads::kJpeg2000},
    Format{GST_VIDEO_FORMAT_I420_12LE, SAIL_I420_DEEP, Reads::kJpeg2000},
    Format{GST_VIDEO_FORMAT_I422_10LE, SAIL_I422_DEEP, Reads::kJpeg2000},
    Format{GST_VIDEO_FORMAT_I422_12LE, SAIL_I422_DEEP, Reads::kJpeg2000},
    Format{GST_VIDEO_FORMAT_Y444_10LE, SAIL_I444_DEEP, Reads::kJpeg2000},
    Format{GST_VIDEO_FORMAT_Y444_12LE, SAIL_I444_DEEP, Reads::kJpeg2000},
};

const Format* format_of(GstVideoFormat theirs) {
  const auto* found = std::ranges::find(kFormats, theirs, &Format::theirs);
  return found == kFormats.end() ? nullptr : found;
}

bool is_read(GstVideoFormat theirs, const std::string& codec) {
  const Format* format = format_of(theirs);
  if (format == nullptr) return false;
  if (format->when == Reads::kAlways) return true;
  if (format->when == Reads::kJpeg2000)
    return codec.starts_with("htj2k") || codec.starts_with("j2k");
  const bool alpha = codec.starts_with("dxt5") && !codec.starts_with("dxt5ycocg");
  return !alpha;
}

GstVideoFormat nearest(const GstVideoInfo& info) {
  if (!GST_VIDEO_INFO_IS_YUV(&info)) return GST_VIDEO_FORMAT_BGRA;
  return GST_VIDEO_FORMAT_INFO_H_SUB(info.finfo, 1) > 0 ? GST_VIDEO_FORMAT_I420
                                                        : GST_VIDEO_FORMAT_Y42B;
}

sail_color_matrix matrix_of(const GstVideoInfo& info) {
  switch (info.colorimetry.matrix) {
    case GST_VIDEO_COLOR_MATRIX_BT601:
    case GST_VIDEO_COLOR_MATRIX_FCC:
      return SAIL_BT601;
    case GST_VIDEO_COLOR_MATRIX_BT2020:
      return SAIL_BT2020;
    default:
      return SAIL_BT709;
  }
}

}  // namespace

SinkPictures::SinkPictures(const GstVideoInfo& info, const std::string& codec)
    : info_(info), sent_(info) {
  const GstVideoFormat theirs = GST_VIDEO_INFO_FORMAT(&info);
  if (is_read(theirs, codec)) return;
  gst_video_info_set_format(&sent_, nearest(info), static_cast<guint>(info.width),
                            static_cast<guint>(info.height));
  sent_.colorimetry = info.colorimetry;
  sent_.fps_n = info.fps_n;
  sent_.fps_d = info.fps_d;
  converter_.reset(gst_video_converter_new(&info_, &sent_, nullptr));
  readable_ = converter_ != nullptr;
  buffer_ = gst_buffer_new_allocate(nullptr, sent_.size, nullptr);
  gst_video_frame_map(&converted_, &sent_, buffer_, GST_MAP_READWRITE);
}

SinkPictures::~SinkPictures() {
  if (buffer_ == nullptr) return;
  gst_video_frame_unmap(&converted_);
  gst_buffer_unref(buffer_);
}

sail_frame SinkPictures::view(GstVideoFrame& mapped) {
  if (converter_) gst_video_converter_frame(converter_.get(), &mapped, &converted_);
  const GstVideoFrame& source = converter_ ? converted_ : mapped;
  const Format& format = *format_of(GST_VIDEO_INFO_FORMAT(&sent_));
  sail_frame frame{};
  frame.format = format.ours;
  frame.bits = static_cast<int>(GST_VIDEO_FORMAT_INFO_DEPTH(sent_.finfo, 0));
  for (guint plane = 0; plane < GST_VIDEO_FRAME_N_PLANES(&source); ++plane) {
    frame.planes[plane] = static_cast<const uint8_t*>(GST_VIDEO_FRAME_PLANE_DATA(&source, plane));
    frame.strides[plane] = GST_VIDEO_FRAME_PLANE_STRIDE(&source, plane);
  }
  frame.matrix = matrix_of(sent_);
  frame.range = sent_.colorimetry.range == GST_VIDEO_COLOR_RANGE_0_255 ? SAIL_FULL : SAIL_LIMITED;
  return frame;
}

}  // namespace sail
