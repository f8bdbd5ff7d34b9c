#include "sail/bindings/gstreamer/sink_pictures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "codecs/color/convert.h"

namespace sail {
namespace {

constexpr int kWidth = 34;
constexpr int kHeight = 18;

// A mapped frame of one colour, created by GStreamer.
class Mapped {
 public:
  Mapped(GstVideoFormat format, std::array<uint8_t, 3> rgb) {
    GstVideoInfo bgra;
    gst_video_info_set_format(&bgra, GST_VIDEO_FORMAT_BGRA, kWidth, kHeight);
    gst_video_info_set_format(&info, format, kWidth, kHeight);
    info.fps_n = bgra.fps_n = 30;
    GstBuffer* source = gst_buffer_new_allocate(nullptr, bgra.size, nullptr);
    GstVideoFrame picture;
    gst_video_frame_map(&picture, &bgra, source, GST_MAP_WRITE);
    auto* pixels = static_cast<uint8_t*>(GST_VIDEO_FRAME_PLANE_DATA(&picture, 0));
    for (size_t i = 0; i < size_t{kWidth} * kHeight; ++i) {
      const std::array<uint8_t, 4> pixel = {rgb[2], rgb[1], rgb[0], 255};
      std::copy(pixel.begin(), pixel.end(), pixels + 4 * i);
    }
    buffer_ = gst_buffer_new_allocate(nullptr, info.size, nullptr);
    gst_video_frame_map(&frame, &info, buffer_, GST_MAP_READWRITE);
    GstVideoConverter* converter = gst_video_converter_new(&bgra, &info, nullptr);
    gst_video_converter_frame(converter, &picture, &frame);
    gst_video_converter_free(converter);
    gst_video_frame_unmap(&picture);
    gst_buffer_unref(source);
  }
  ~Mapped() {
    gst_video_frame_unmap(&frame);
    gst_buffer_unref(buffer_);
  }
  Mapped(const Mapped&) = delete;
  Mapped& operator=(const Mapped&) = delete;

  GstVideoInfo info{};
  GstVideoFrame frame{};

 private:
  GstBuffer* buffer_ = nullptr;
};

class SinkPicturesTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { gst_init(nullptr, nullptr); }
};

codecs::ImageView view_of(const sail_frame& frame) {
  codecs::ImageView view;
  view.format = static_cast<codecs::PixelFormat>(frame.format);
  view.matrix = static_cast<codecs::ColorMatrix>(frame.matrix);
  view.range = static_cast<codecs::ColorRange>(frame.range);

  view.width = kWidth;
  view.height = kHeight;
  for (size_t plane = 0; plane < 3; ++plane) {
    view.planes[plane] = frame.planes[plane];
    view.strides[plane] = frame.strides[plane];
  }
  return view;
}

TEST_F(SinkPicturesTest, EveryFormatIsSeenAsItIs) {
  constexpr std::array<uint8_t, 3> kColour = {200, 60, 20};
  for (int number = GST_VIDEO_FORMAT_I420; number <= GST_VIDEO_FORMAT_Y412_LE; ++number) {
    const auto format = static_cast<GstVideoFormat>(number);
    const GstVideoFormatInfo* shape = gst_video_format_get_info(format);
    if (GST_VIDEO_FORMAT_INFO_IS_GRAY(shape) || GST_VIDEO_FORMAT_INFO_HAS_PALETTE(shape)) continue;
    Mapped mapped(format, kColour);
    for (const std::string codec : {"", "dxt5"}) {
      SinkPictures pictures(mapped.info, codec);
      const sail_frame frame = pictures.view(mapped.frame);
      ASSERT_LE(frame.format, SAIL_I422) << shape->name;
      uint8_t bgra[4] = {};
      codecs::convert_to_bgra(view_of(frame), kWidth - 1, kHeight - 1, 1, 1, {bgra, 4},
                              codecs::CpuLevel::kReference);
      constexpr int kNear = 12;  // some formats have 5 bits
      EXPECT_NEAR(bgra[2], kColour[0], kNear) << shape->name;
      EXPECT_NEAR(bgra[1], kColour[1], kNear) << shape->name;
      EXPECT_NEAR(bgra[0], kColour[2], kNear) << shape->name;
      if (codec == "dxt5" && frame.format == SAIL_BGRA) {
        EXPECT_EQ(bgra[3], 255) << shape->name;
      }
    }
  }
}

TEST_F(SinkPicturesTest, WhatIsReadAsItIsGoesOnWithoutACopy) {
  for (const GstVideoFormat format : {GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_NV12,
                                      GST_VIDEO_FORMAT_Y42B, GST_VIDEO_FORMAT_BGRx}) {
    Mapped mapped(format, {1, 2, 3});
    SinkPictures pictures(mapped.info, "dxt1");
    EXPECT_EQ(pictures.view(mapped.frame).planes[0], GST_VIDEO_FRAME_PLANE_DATA(&mapped.frame, 0));
  }
}

TEST_F(SinkPicturesTest, DepthIsKeptForJpeg2000) {
  Mapped mapped(GST_VIDEO_FORMAT_I422_10LE, {200, 60, 20});
  SinkPictures deep(mapped.info, "htj2k:2bpp");
  const sail_frame frame = deep.view(mapped.frame);
  EXPECT_EQ(frame.format, SAIL_I422_DEEP);
  EXPECT_EQ(frame.bits, 10);
  EXPECT_EQ(frame.planes[1], GST_VIDEO_FRAME_PLANE_DATA(&mapped.frame, 1));
  SinkPictures shallow(mapped.info, "dxt1");
  EXPECT_EQ(shallow.view(mapped.frame).format, SAIL_I422);
}

}  // namespace
}  // namespace sail
