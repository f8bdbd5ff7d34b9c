// Colours of known pictures through FFmpeg, MediaSource and the codecs' own conversion.
#include <gtest/gtest.h>

#include "sail/media/media_source_convert.h"
#include "tests/unit/apps/clips.h"

namespace sail {
namespace {

constexpr Colour kOrange = {230, 120, 20};  // far from itself under a wrong matrix or range
const char* const kOrangeFilter = "color=0xE67814:s=";

std::string orange(const std::string& size, const std::string& format, const std::string& matrix,
                   const std::string& range, const std::string& output) {
  return "-f lavfi -i \"" + (kOrangeFilter + size) +
         ":r=25,format=gbrp,scale=out_color_matrix=" + matrix + ":out_range=" + range +
         ",format=" + format + "\" -frames:v 2 " + output;
}

void expect_orange(const std::string& file, sail_pixel_format format, sail_color_matrix matrix,
                   sail_color_range range) {
  const auto source = open_clip(file);
  ASSERT_TRUE(source);
  const Picture picture = next_picture(*source);
  EXPECT_EQ(picture.pixels.format, format) << file;
  EXPECT_EQ(picture.pixels.matrix, matrix) << file;
  EXPECT_EQ(picture.pixels.range, range) << file;
  expect_near(colour_at(picture, 0, 0), kOrange, 4, file);
  expect_near(colour_at(picture, picture.size.width - 1, picture.size.height - 1), kOrange, 4,
              file);
}

TEST(MediaColour, NamedMatrixAndRangeAreTaken) {
  const TempFolder folder;
  const std::string h264 = "-c:v libx264 -qp 4 ";
  expect_orange(make_clip(folder, "709.mp4",
                          orange("64x64", "yuv420p", "bt709", "tv",
                                 h264 + "-colorspace bt709 -color_range tv")),
                SAIL_I420, SAIL_BT709, SAIL_LIMITED);
  expect_orange(make_clip(folder, "601.mp4",
                          orange("1280x720", "yuv420p", "bt601", "tv",
                                 h264 + "-colorspace smpte170m -color_range tv")),
                SAIL_I420, SAIL_BT601, SAIL_LIMITED);
  expect_orange(make_clip(folder, "full.mp4",
                          orange("64x64", "yuv420p", "bt709", "pc",
                                 h264 + "-colorspace bt709 -color_range pc")),
                SAIL_I420, SAIL_BT709, SAIL_FULL);
}

TEST(MediaColour, UnnamedMatrixGoesBySize) {
  const TempFolder folder;
  const std::string ffv1 = "-c:v mpeg4 -q:v 1";
  expect_orange(make_clip(folder, "small.avi", orange("64x64", "yuv420p", "bt601", "tv", ffv1)),
                SAIL_I420, SAIL_BT601, SAIL_LIMITED);
  expect_orange(make_clip(folder, "hd.avi", orange("1280x720", "yuv420p", "bt709", "tv", ffv1)),
                SAIL_I420, SAIL_BT709, SAIL_LIMITED);
  expect_orange(make_clip(folder, "wide.avi", orange("1280x536", "yuv420p", "bt709", "tv", ffv1)),
                SAIL_I420, SAIL_BT709, SAIL_LIMITED);
}

TEST(MediaColour, Nv12GoesThrough) {
  const TempFolder folder;
  expect_orange(
      make_clip(folder, "nv12.nut", orange("62x34", "nv12", "bt601", "tv", "-c:v rawvideo")),
      SAIL_NV12, SAIL_BT601, SAIL_LIMITED);
}

// NV16 comes from cameras and hardware decoders; FFmpeg 5's scaler knows it not, so that no clip
// can be made of it (and a quarter turn is an error).
TEST(MediaColour, Nv16GoesThrough) {
  const auto make_nv16 = [] {
    AvFramePtr frame(av_frame_alloc());
    frame->format = AV_PIX_FMT_NV16;
    frame->width = 6;
    frame->height = 4;
    EXPECT_EQ(av_frame_get_buffer(frame.get(), 0), 0);
    for (int y = 0; y < 4; ++y) {
      for (int x = 0; x < 6; ++x) {
        frame->data[0][y * frame->linesize[0] + x] = static_cast<uint8_t>(40 + 40 * y);
        frame->data[1][y * frame->linesize[1] + x] = x % 2 == 0 ? 90 : 170;
      }
    }
    return frame;
  };
  FrameConverter converter({});
  const auto same = converter.convert(make_nv16(), 0);
  ASSERT_TRUE(same);
  const sail_frame& through = same->pixels;
  EXPECT_EQ(through.format, SAIL_NV16);
  EXPECT_EQ(through.planes[0][through.strides[0] * 3], 160);
  EXPECT_EQ(through.planes[1][through.strides[1] * 3 + 1], 170);

  const auto turned = converter.convert(make_nv16(), 2);
  ASSERT_TRUE(turned);
  EXPECT_EQ(turned->pixels.format, SAIL_NV16);
  EXPECT_EQ(turned->frame->data[0][0], 160);
  EXPECT_EQ(turned->frame->data[1][1], 170);
}

TEST(MediaColour, AlphaIsLaidOverBlackOrKept) {
  const auto make_pixel = [](AVPixelFormat format) {
    AvFramePtr frame(av_frame_alloc());
    frame->format = format;
    frame->width = frame->height = 1;
    EXPECT_EQ(av_frame_get_buffer(frame.get(), 0), 0);
    const uint8_t pixel[] = {200, 100, 40, 51};
    std::copy_n(pixel, 4, frame->data[0]);
    return frame;
  };
  const auto pixel_of = [](const Result<ConvertedFrame>& converted) {
    const uint8_t* pixel = converted->frame->data[0];
    return std::vector<int>(pixel, pixel + 4);
  };
  FrameConverter over_black({});
  FrameConverter keeping({.size = {}, .keep_alpha = true});
  EXPECT_EQ(pixel_of(over_black.convert(make_pixel(AV_PIX_FMT_BGRA), 0)),
            (std::vector{40, 20, 8, 255}));
  EXPECT_EQ(pixel_of(keeping.convert(make_pixel(AV_PIX_FMT_BGRA), 0)),
            (std::vector{200, 100, 40, 51}));
  // Where the format has a byte that means nothing.
  EXPECT_EQ(pixel_of(keeping.convert(make_pixel(AV_PIX_FMT_BGR0), 0)),
            (std::vector{200, 100, 40, 255}));
}

TEST(MediaColour, OtherYuvBecomesI420OrI422) {
  const TempFolder folder;
  for (const char* format : {"yuv422p", "yuv444p", "yuv420p10le", "yuv422p10le", "yuv444p16le"}) {
    const bool has_every_row = std::string(format).starts_with("yuv422p");
    for (const char* range : {"tv", "pc"}) {
      const std::string name = std::string(format) + "-" + range + ".mkv";
      expect_orange(
          make_clip(folder, name,
                    orange("66x50", format, "bt709", range,
                           std::string("-c:v ffv1 -colorspace bt709 -color_range ") + range)),
          has_every_row ? SAIL_I422 : SAIL_I420, SAIL_BT709,
          std::string(range) == "pc" ? SAIL_FULL : SAIL_LIMITED);
    }
  }
}

TEST(MediaColour, JpegIsFullRangeBt601) {
  const TempFolder folder;
  for (const std::string format : {"yuvj420p", "yuvj422p", "yuvj444p"}) {
    expect_orange(make_clip(folder, format + ".jpg",
                            "-f lavfi -i " + (kOrangeFilter + std::string("1280x720")) +
                                " -frames:v 1 -q:v 2 -pix_fmt " + format),
                  format == "yuvj422p" ? SAIL_I422 : SAIL_I420, SAIL_BT601, SAIL_FULL);
  }
}

TEST(MediaColour, RgbFamilies) {
  const TempFolder folder;
  const struct {
    const char* name;
    const char* arguments;
    sail_pixel_format format;
  } cases[] = {
      {"rgb24.png", "-pix_fmt rgb24", SAIL_RGB},
      {"rgba.png", "-pix_fmt rgba", SAIL_RGBA},
      {"rgb48.png", "-pix_fmt rgb48be", SAIL_BGRA},
      {"gbrp.mkv", "-c:v ffv1 -pix_fmt bgr0", SAIL_BGRA},
      {"bgra.nut", "-c:v rawvideo -pix_fmt bgra", SAIL_BGRA},
      {"pal.gif", "", SAIL_BGRA},
      {"x264.mp4", "-c:v libx264rgb -qp 0", SAIL_BGRA},
      {"bottom-up.bmp", "-pix_fmt bgr24", SAIL_BGRA},
  };
  for (const auto& one : cases) {
    const std::string file = make_clip(folder, one.name,
                                       "-f lavfi -i " + (kOrangeFilter + std::string("35x21")) +
                                           ",format=rgb24 -frames:v 1 " + one.arguments);
    const auto source = open_clip(file);
    ASSERT_TRUE(source);
    const Picture picture = next_picture(*source);
    EXPECT_EQ(picture.pixels.format, one.format) << file;
    EXPECT_EQ(picture.size, (Size{35, 21}));
    const int tolerance = one.name == std::string("pal.gif") ? 24 : 4;  // of its fixed palette
    expect_near(colour_at(picture, 0, 0), kOrange, tolerance, file);
    expect_near(colour_at(picture, 34, 20), kOrange, tolerance, file);
  }
}

TEST(MediaColour, GreyIsFullRange) {
  const TempFolder folder;
  const auto source = open_clip(make_clip(
      folder, "grey.png", "-f lavfi -i color=0x0A0A0A:s=35x21,format=gray,geq=lum=10 -frames:v 1"));
  ASSERT_TRUE(source);
  const Picture picture = next_picture(*source);
  expect_near(colour_at(picture, 34, 20), {10, 10, 10}, 1, "grey");
}

TEST(MediaColour, TransparencyIsOverBlack) {
  const TempFolder folder;
  for (const char* format : {"rgba", "rgba64be", "ya8"}) {
    const auto source =
        open_clip(make_clip(folder, std::string(format) + ".png",
                            std::string("-f lavfi -i color=white@0.5:s=35x21,format=rgba,"
                                        "colorchannelmixer=aa=1 -frames:v 1 -pix_fmt ") +
                                format));
    ASSERT_TRUE(source);
    const Picture picture = next_picture(*source);
    expect_near(colour_at(picture, 34, 20), {128, 128, 128}, 3, format);
  }
}

TEST(MediaColour, BarsStandWhereTheyBelong) {
  const TempFolder folder;
  const auto source = open_clip(
      make_clip(folder, "bars.png", "-f lavfi -i rgbtestsrc=s=96x30,format=rgb24 -frames:v 1"));
  ASSERT_TRUE(source);
  const Picture picture = next_picture(*source);
  for (int x = 0; x < 96; x += 5) {
    // Three stripes, red, green, blue from the top, each growing brighter to the right.
    EXPECT_EQ(colour_at(picture, x, 2)[1], 0);
    EXPECT_EQ(colour_at(picture, x, 15)[0], 0);
    EXPECT_EQ(colour_at(picture, x, 27)[0], 0);
  }
  EXPECT_GT(colour_at(picture, 95, 2)[0], 200);
  EXPECT_GT(colour_at(picture, 95, 15)[1], 200);
  EXPECT_GT(colour_at(picture, 95, 27)[2], 200);
}

}  // namespace
}  // namespace sail
