// Colours of known pictures through FFmpeg, MediaSource and the codecs' conversion.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>

#include "sail/media/ffmpeg/media_source_convert.h"
#include "tests/unit/sail/apps/play/clips.h"

namespace sail {
namespace {

constexpr PixelColour kOrange = {230, 120, 20};  // a wrong matrix or range changes it strongly
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

// Cameras and hardware decoders deliver NV16. FFmpeg 5's scaler does not support it, so no clip can
// be made (and a quarter turn is an error).
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
  const auto same = converter.convert(make_nv16(), {});
  ASSERT_TRUE(same);
  const sail_frame& through = same->pixels;
  EXPECT_EQ(through.format, SAIL_NV16);
  EXPECT_EQ(through.planes[0][through.strides[0] * 3], 160);
  EXPECT_EQ(through.planes[1][through.strides[1] * 3 + 1], 170);

  const auto turned = converter.convert(make_nv16(), {.quarter_turns = 2});
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
  EXPECT_EQ(pixel_of(over_black.convert(make_pixel(AV_PIX_FMT_BGRA), {})),
            (std::vector{40, 20, 8, 255}));
  EXPECT_EQ(pixel_of(keeping.convert(make_pixel(AV_PIX_FMT_BGRA), {})),
            (std::vector{200, 100, 40, 51}));
  // For a format whose fourth byte is unused.
  EXPECT_EQ(pixel_of(keeping.convert(make_pixel(AV_PIX_FMT_BGR0), {})),
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
    const int tolerance = one.name == std::string("pal.gif") ? 24 : 4;  // its palette is fixed
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
    // Three stripes, red, green and blue from the top, each brighter to the right.
    EXPECT_EQ(colour_at(picture, x, 2)[1], 0);
    EXPECT_EQ(colour_at(picture, x, 15)[0], 0);
    EXPECT_EQ(colour_at(picture, x, 27)[0], 0);
  }
  EXPECT_GT(colour_at(picture, 95, 2)[0], 200);
  EXPECT_GT(colour_at(picture, 95, 15)[1], 200);
  EXPECT_GT(colour_at(picture, 95, 27)[2], 200);
}

// --- for JPEG 2000
// ---------------------------------------------------------------------------------

// No container of the ffmpeg program stores P010.
TEST(MediaDepth, P010BecomesPlanesBitForBit) {
  constexpr int kUnusedBits = 6;  // the upper ten bits are used
  AvFramePtr frame(av_frame_alloc());
  frame->format = AV_PIX_FMT_P010LE;
  frame->width = 6;
  frame->height = 4;
  ASSERT_EQ(av_frame_get_buffer(frame.get(), 0), 0);
  const auto put = [&](int plane, int x, int y, unsigned value) {
    const auto sample = static_cast<uint16_t>(value << kUnusedBits);
    std::memcpy(frame->data[plane] + y * frame->linesize[plane] + 2 * x, &sample, 2);
  };
  for (int y = 0; y < 4; ++y) {
    for (int x = 0; x < 6; ++x) {
      put(0, x, y, static_cast<unsigned>(200 + 6 * y + x));
      if (y < 2) put(1, x, y, static_cast<unsigned>(500 + 6 * y + x));
    }
  }
  FrameConverter converter({.size = {}, .keep_alpha = false, .for_j2k = true});
  const auto converted = converter.convert(std::move(frame), {});
  ASSERT_TRUE(converted);
  const sail_frame& pixels = converted->pixels;
  ASSERT_EQ(pixels.format, SAIL_I420_DEEP);
  EXPECT_EQ(pixels.bits, 10);
  const auto sample = [&](int plane, int x, int y) {
    const uint8_t* at = pixels.planes[plane] + y * pixels.strides[plane] + 2 * x;
    return at[0] | at[1] << 8;
  };
  for (int y = 0; y < 4; ++y) {
    for (int x = 0; x < 6; ++x) {
      EXPECT_EQ(sample(0, x, y), 200 + 6 * y + x);
      if (y >= 2) continue;
      EXPECT_EQ(sample(x % 2 == 0 ? 1 : 2, x / 2, y), 500 + 6 * y + x);
    }
  }
}

// First picture of a clip for JPEG 2000, and the bytes that the ffmpeg program decodes.
struct DeepClip {
  Picture picture;
  std::string raw;
};
DeepClip open_deep(const std::string& file, const std::string& raw_file) {
  MediaOptions options;
  options.for_j2k = true;
  auto source = MediaSource::open(file, options);
  EXPECT_TRUE(source) << source.error().message;
  DeepClip clip;
  if (source) clip.picture = next_picture(**source);
  std::ifstream stream(raw_file, std::ios::binary);
  clip.raw.assign(std::istreambuf_iterator<char>(stream), {});
  return clip;
}

// Copies the rows without padding.
std::string packed_plane(const sail_frame& pixels, int plane, size_t row_bytes, int rows) {
  std::string bytes;
  for (int y = 0; y < rows; ++y) {
    const uint8_t* row = pixels.planes[plane] + y * pixels.strides[plane];
    bytes.append(row, row + row_bytes);
  }
  return bytes;
}

constexpr Size kDeepSize = {66, 50};
constexpr const char* kDeepSource = "-f lavfi -i testsrc2=s=66x50:r=25 -frames:v 1 ";

TEST(MediaDepth, PlanarSamplesGoThroughBitForBit) {
  const TempFolder folder;
  const struct {
    const char* file_format;  // pixel format of the film
    const char* raw_format;   // expected format
    sail_pixel_format format;
    int bits;
    int step_x;
    int step_y;
  } cases[] = {
      {"yuv420p10le", "yuv420p10le", SAIL_I420_DEEP, 10, 2, 2},
      {"yuv420p12le", "yuv420p12le", SAIL_I420_DEEP, 12, 2, 2},
      {"yuv422p10le", "yuv422p10le", SAIL_I422_DEEP, 10, 2, 1},
      {"yuv422p12le", "yuv422p12le", SAIL_I422_DEEP, 12, 2, 1},
      {"yuv444p", "yuv444p", SAIL_I444, 8, 1, 1},
      {"yuv444p10le", "yuv444p10le", SAIL_I444_DEEP, 10, 1, 1},
      {"yuv444p12le", "yuv444p12le", SAIL_I444_DEEP, 12, 1, 1},
      {"yuv444p16le", "yuv444p16le", SAIL_I444_DEEP, 16, 1, 1},
      {"yuv420p10be", "yuv420p10le", SAIL_I420_DEEP, 10, 2, 2},
  };
  for (const auto& one : cases) {
    const std::string film = make_clip(
        folder, "film.nut", std::string(kDeepSource) + "-c:v rawvideo -pix_fmt " + one.file_format);
    const std::string raw =
        make_clip(folder, "film.raw", "-i " + film + " -f rawvideo -pix_fmt " + one.raw_format);
    const DeepClip clip = open_deep(film, raw);
    const sail_frame& pixels = clip.picture.pixels;
    ASSERT_EQ(pixels.format, one.format) << one.file_format;
    EXPECT_EQ(pixels.bits, one.bits) << one.file_format;
    const size_t sample = one.bits > 8 ? 2 : 1;
    std::string all;
    for (int plane = 0; plane < 3; ++plane) {
      const int width = plane == 0 ? kDeepSize.width : kDeepSize.width / one.step_x;
      const int height = plane == 0 ? kDeepSize.height : kDeepSize.height / one.step_y;
      all += packed_plane(pixels, plane, static_cast<size_t>(width) * sample, height);
    }
    EXPECT_TRUE(all == clip.raw) << one.file_format;
  }
}

TEST(MediaDepth, RgbIsPackedBitForBit) {
  const TempFolder folder;
  const struct {
    const char* format;
    int bits;
  } cases[] = {{"gbrp10le", 10}, {"gbrp12le", 12}, {"gbrp16le", 16},
               {"rgb48le", 16},  {"rgb48be", 16},  {"gbrp", 8}};
  for (const auto& one : cases) {
    const std::string film = make_clip(
        folder, "film.nut", std::string(kDeepSource) + "-c:v rawvideo -pix_fmt " + one.format);
    const bool deep = one.bits > 8;
    const std::string raw = make_clip(folder, "film.raw",
                                      "-i " + film + " -f rawvideo -pix_fmt " +
                                          (deep ? std::string("gbrp") + (one.bits == 16   ? "16le"
                                                                         : one.bits == 12 ? "12le"
                                                                                          : "10le")
                                                : "gbrp"));
    const DeepClip clip = open_deep(film, raw);
    const sail_frame& pixels = clip.picture.pixels;
    ASSERT_EQ(pixels.format, deep ? SAIL_RGB_DEEP : SAIL_RGB) << one.format;
    EXPECT_EQ(pixels.bits, one.bits) << one.format;
    const size_t sample = deep ? 2 : 1;
    const size_t plane_samples = size_t{66} * 50;
    const std::string packed = packed_plane(pixels, 0, 3 * 66 * sample, 50);
    ASSERT_EQ(packed.size(), clip.raw.size());
    constexpr std::array<size_t, 3> kPlanes = {2, 0, 1};
    for (size_t i = 0; i < plane_samples; ++i) {
      for (size_t channel = 0; channel < 3; ++channel) {
        ASSERT_EQ(packed.substr((3 * i + channel) * sample, sample),
                  clip.raw.substr((kPlanes[channel] * plane_samples + i) * sample, sample))
            << one.format << " " << i;
      }
    }
  }
}

TEST(MediaDepth, XyzKeepsItsTwelveBits) {
  const TempFolder folder;
  const std::string film =
      make_clip(folder, "film.nut", std::string(kDeepSource) + "-c:v rawvideo -pix_fmt xyz12le");
  const DeepClip clip =
      open_deep(film, make_clip(folder, "film.raw", "-i " + film + " -c copy -f rawvideo"));
  const sail_frame& pixels = clip.picture.pixels;
  ASSERT_EQ(pixels.format, SAIL_RGB_DEEP);
  EXPECT_EQ(pixels.bits, 12);
  EXPECT_EQ(pixels.matrix, SAIL_XYZ);
  const std::string packed = packed_plane(pixels, 0, size_t{66} * 6, 50);
  ASSERT_EQ(packed.size(), clip.raw.size());
  const auto sample_of = [](const std::string& bytes, size_t i) {
    return static_cast<uint8_t>(bytes[2 * i]) | static_cast<uint8_t>(bytes[2 * i + 1]) << 8;
  };
  for (size_t i = 0; i < packed.size() / 2; ++i) {
    ASSERT_EQ(sample_of(packed, i), sample_of(clip.raw, i) >> 4) << i;
  }
}

TEST(MediaDepth, TheFilesMatrixIsKept) {
  const TempFolder folder;
  const std::string arguments = " -c:v ffv1 -color_range tv -colorspace ";
  const struct {
    const char* name;
    sail_color_matrix matrix;
  } cases[] = {{"bt709", SAIL_BT709}, {"smpte170m", SAIL_BT601}, {"bt2020nc", SAIL_BT2020}};
  for (const auto& one : cases) {
    for (const char* format : {"yuv420p", "yuv420p10le"}) {
      const std::string film =
          make_clip(folder, "film.mkv",
                    std::string(kDeepSource) + "-pix_fmt " + format + arguments + one.name);
      EXPECT_EQ(open_deep(film, film).picture.pixels.matrix, one.matrix) << one.name;
    }
  }
}

TEST(MediaDepth, WithoutItBt2020BecomesBt709) {
  const TempFolder folder;
  for (const char* format : {"yuv420p", "yuv420p10le", "yuv422p10le"}) {
    expect_orange(make_clip(folder, "film.mkv",
                            orange("64x64", format, "bt2020", "tv",
                                   "-c:v ffv1 -colorspace bt2020nc -color_range tv")),
                  std::string(format) == "yuv422p10le" ? SAIL_I422 : SAIL_I420, SAIL_BT709,
                  SAIL_LIMITED);
  }
}

// SMPTE ST 428-1: white of 48 cd/m² is below the largest code, since its peak is 52.37 cd/m².
TEST(MediaDepth, WithoutItXyzBecomesRgb) {
  const struct {
    std::array<double, 3> xyz;  // of linear R, G, B in BT.709, white's Y is 1
    std::array<int, 3> rgb;     // sRGB
  } cases[] = {{{0.9504559, 1.0, 1.0890578}, {255, 255, 255}},
               {{0.2034458, 0.2140500, 0.2331124}, {127, 127, 127}},
               {{0.4123908, 0.2126390, 0.0193308}, {255, 0, 0}},
               {{0.3575843, 0.7151687, 0.1191948}, {0, 255, 0}},
               {{0.1804808, 0.0721923, 0.9505322}, {0, 0, 255}},
               {{0, 0, 0}, {0, 0, 0}}};
  for (const auto& one : cases) {
    AvFramePtr frame(av_frame_alloc());
    frame->format = AV_PIX_FMT_XYZ12LE;
    frame->width = 20;
    frame->height = 6;
    ASSERT_EQ(av_frame_get_buffer(frame.get(), 0), 0);
    for (int y = 0; y < frame->height; ++y) {
      auto* row = reinterpret_cast<uint16_t*>(frame->data[0] + ptrdiff_t{y} * frame->linesize[0]);
      for (size_t i = 0; i < 60; ++i) {
        const double code = 4095 * std::pow(48 / 52.37 * one.xyz[i % 3], 1 / 2.6);
        row[i] = static_cast<uint16_t>(std::lround(code) << 4);
      }
    }
    FrameConverter converter({.size = {}});
    const auto shown = converter.convert(std::move(frame), {});
    ASSERT_TRUE(shown) << shown.error().message;
    ASSERT_EQ(shown->pixels.format, SAIL_BGRA);
    for (size_t channel = 0; channel < 3; ++channel) {
      const uint8_t level =
          shown->pixels.planes[0][5 * shown->pixels.strides[0] + 4 * 19 + 2 - channel];
      EXPECT_NEAR(level, one.rgb[channel], one.rgb[channel] == 0 ? 3 : 1) << one.rgb[0] << channel;
    }
  }
}

TEST(MediaDepth, DeepAlphaIsLaidOverBlack) {
  const TempFolder folder;
  const std::string file =
      make_clip(folder, "half.png",
                "-f lavfi -i color=white@0.5:s=36x20,format=rgba -frames:v 1 -pix_fmt rgba64be");
  const DeepClip clip = open_deep(file, file);
  ASSERT_EQ(clip.picture.pixels.format, SAIL_RGB_DEEP);
  const uint8_t* pixel = clip.picture.pixels.planes[0];
  EXPECT_NEAR(pixel[0] | pixel[1] << 8, 32768, 600);
}

TEST(MediaDepth, DeepFramesAreTurnedAndScaled) {
  const auto make = [](AVPixelFormat format) {
    AvFramePtr frame(av_frame_alloc());
    frame->format = format;
    frame->width = 6;
    frame->height = 4;
    EXPECT_EQ(av_frame_get_buffer(frame.get(), 0), 0);
    const AVPixFmtDescriptor& shape = *av_pix_fmt_desc_get(format);
    for (int plane = 0; plane < 3; ++plane) {
      const bool chroma = plane > 0 && (shape.flags & AV_PIX_FMT_FLAG_RGB) == 0;
      const int width = chroma ? 6 >> shape.log2_chroma_w : 6;
      const int height = chroma ? 4 >> shape.log2_chroma_h : 4;
      for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
          const auto value = static_cast<uint16_t>(100 * plane + 10 * y + x);
          std::memcpy(frame->data[plane] + y * frame->linesize[plane] + 2 * x, &value, 2);
        }
      }
    }
    return frame;
  };
  const auto sample = [](const ConvertedFrame& converted, int plane, int x, int y) {
    const sail_frame& pixels = converted.pixels;
    const uint8_t* at = pixels.planes[plane] + y * pixels.strides[plane] + 2 * x;
    return at[0] | at[1] << 8;
  };
  FrameConverter converter({.size = {}, .keep_alpha = false, .for_j2k = true});
  for (const AVPixelFormat format : {AV_PIX_FMT_YUV444P10LE, AV_PIX_FMT_YUV420P10LE}) {
    const auto turned = converter.convert(make(format), {.quarter_turns = 1});
    ASSERT_TRUE(turned);
    EXPECT_EQ(turned->frame->width, 4);
    EXPECT_EQ(turned->pixels.bits, 10);
    EXPECT_EQ(sample(*turned, 0, 0, 0), 30);  // the bottom left sample moves to the top left
    EXPECT_EQ(sample(*turned, 0, 3, 5), 5);
    EXPECT_EQ(sample(*turned, 1, 0, 0), format == AV_PIX_FMT_YUV444P10LE ? 130 : 110);
  }
  const auto rgb = converter.convert(make(AV_PIX_FMT_GBRP12LE), {.quarter_turns = 3});
  ASSERT_TRUE(rgb);
  EXPECT_EQ(rgb->pixels.format, SAIL_RGB_DEEP);
  EXPECT_EQ(rgb->pixels.bits, 12);
  EXPECT_EQ(sample(*rgb, 0, 0, 0), 205);  // red of the top right sample
  EXPECT_EQ(sample(*rgb, 0, 1, 0), 5);    // its green
  // Turned sideways, 4:2:2 would be subsampled vertically.
  const auto sideways = converter.convert(make(AV_PIX_FMT_YUV422P10LE), {.quarter_turns = 1});
  ASSERT_TRUE(sideways);
  EXPECT_EQ(sideways->pixels.format, SAIL_I420_DEEP);
  EXPECT_EQ(sideways->pixels.bits, 10);

  FrameConverter scaler({.size = Size{12, 8}, .keep_alpha = false, .for_j2k = true});
  for (const AVPixelFormat format :
       {AV_PIX_FMT_YUV422P10LE, AV_PIX_FMT_GBRP12LE, AV_PIX_FMT_XYZ12LE}) {
    AvFramePtr frame(av_frame_alloc());
    frame->format = format;
    frame->width = 6;
    frame->height = 4;
    ASSERT_EQ(av_frame_get_buffer(frame.get(), 0), 0);
    for (int plane = 0; plane < 3 && frame->data[plane]; ++plane) {
      std::memset(frame->data[plane], 1, static_cast<size_t>(frame->linesize[plane]) * 4);
    }
    const auto scaled = scaler.convert(std::move(frame), {});
    ASSERT_TRUE(scaled);
    EXPECT_EQ(scaled->frame->width, 12);
    EXPECT_EQ(scaled->frame->height, 8);
    EXPECT_EQ(scaled->pixels.bits, format == AV_PIX_FMT_YUV422P10LE ? 10 : 12);
  }
}

TEST(MediaColour, OpenExrIsLinearLight) {
  const TempFolder folder;
  for (const char* pixels : {"gbrpf32le -format float", "gbrpf32le -format half"}) {
    // Linear 0.216 is shown as 128, 0.5 as 188, 0.02 as 38.
    const auto source = open_clip(
        make_clip(folder, "linear.exr",
                  std::string("-f lavfi -i \"color=black:s=32x16,format=gbrpf32le,"
                              "geq=r=0.216:g=0.5:b=0.02\" -frames:v 1 -c:v exr -pix_fmt ") +
                      pixels));
    ASSERT_TRUE(source);
    expect_near(colour_at(next_picture(*source), 3, 3), {128, 188, 38}, 2, pixels);
  }
}

TEST(MediaColour, OpenExrWithHtj2kIsRefusedByName) {
  const TempFolder folder;
  std::ifstream made(make_clip(folder, "made.exr",
                               "-f lavfi -i color=gray:s=32x16,format=gbrpf32le -frames:v 1 "
                               "-c:v exr -compression none"),
                     std::ios::binary);
  std::string file((std::istreambuf_iterator<char>(made)), {});
  const std::string attribute("compression\0compression\0\1\0\0\0", 28);
  const size_t value = file.find(attribute) + attribute.size();
  for (const char compression : {'\x0a', '\x0b'}) {
    file.at(value) = compression;
    const auto source = MediaSource::open(folder.write("htj2k.exr", file), {});
    ASSERT_FALSE(source);
    EXPECT_NE(source.error().message.find("HTJ2K"), std::string::npos) << source.error().message;
  }
}

TEST(MediaColour, Vp9FilmsKeepTheirAlpha) {
  const TempFolder folder;
  const std::string file =
      make_clip(folder, "alpha.webm",
                "-f lavfi -i \"color=0xE67814@0.5:s=64x64:r=25,format=yuva420p\" -frames:v 2 "
                "-c:v libvpx-vp9 -lossless 1 -auto-alt-ref 0 -pix_fmt yuva420p");
  const auto over_black = open_clip(file);
  ASSERT_TRUE(over_black);
  expect_near(colour_at(next_picture(*over_black), 9, 9), {115, 60, 10}, 4, "over black");
  auto keeping = MediaSource::open(file, {.threads = 1, .keep_alpha = true});
  ASSERT_TRUE(keeping) << keeping.error().message;
  const Picture picture = next_picture(**keeping);
  EXPECT_NEAR(picture.pixels.planes[0][3], 128, 2);
}

TEST(MediaColour, WhatIsConvertedAndWhatIsNotIsReportedOnce) {
  const TempFolder folder;
  const struct {
    const char* output;
    const char* word;
  } cases[] = {{"-c:v libx264 -color_trc smpte2084 -color_primaries bt2020 -colorspace bt2020nc",
                "HDR10 → SDR"},
               {"-c:v libx264 -color_trc arib-std-b67 -color_primaries bt2020", "HLG → SDR"},
               {"-c:v libx264 -color_trc bt709 -color_primaries bt2020", "BT.2020 → BT.709"}};
  for (const auto& one : cases) {
    const auto source = open_clip(
        make_clip(folder, "film.mkv",
                  std::string("-f lavfi -i testsrc2=s=64x48:r=25 -frames:v 3 -pix_fmt yuv420p ") +
                      one.output));
    ASSERT_TRUE(source);
    EXPECT_NE(source->take_complaint().value_or("").find(one.word), std::string::npos) << one.word;
    EXPECT_EQ(times_ms(*source).size(), 3U);
    EXPECT_FALSE(source->take_complaint());
    EXPECT_EQ(source->take_left_out(), 0U);
  }
}

}  // namespace
}  // namespace sail
