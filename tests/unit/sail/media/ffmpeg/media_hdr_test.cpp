// HDR and wide colours of known pictures through FFmpeg and MediaSource, against the exact
// transform.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

#include "codecs/color/color_transform.h"
#include "sail/media/ffmpeg/media_source_convert.h"
#include "sail/media/ffmpeg/media_source_display.h"
#include "tests/unit/sail/apps/play/clips.h"

namespace sail {
namespace {

using codecs::Primaries;
using codecs::Transfer;

// Ten-bit samples of limited range.
struct Patch {
  int luma = 0;
  int blue = 512;
  int red = 512;
};
constexpr Patch kPatches[] = {{573, 512, 512}, {722, 512, 512}, {400, 470, 570}, {450, 560, 480}};

codecs::Rgb signal_of(const Patch& patch) {
  const double y = (patch.luma - 64) / 876.0;
  const double cb = (patch.blue - 512) / 896.0, cr = (patch.red - 512) / 896.0;
  const double r = y + 1.4746 * cr, b = y + 1.8814 * cb;
  return {r, (y - 0.2627 * r - 0.0593 * b) / 0.6780, b};
}

PixelColour exact_colour(const codecs::SourceColor& source, const Patch& patch) {
  const codecs::Rgb shown = codecs::ColorTransform(source, {}).show(signal_of(patch));
  PixelColour colour{};
  for (size_t i = 0; i < 3; ++i) colour[i] = static_cast<int>(std::lround(255 * shown[i]));
  return colour;
}

constexpr const char* kPqTags =
    " -color_range tv -colorspace bt2020nc -color_primaries bt2020 -color_trc smpte2084 ";
constexpr const char* kHlgTags =
    " -color_range tv -colorspace bt2020nc -color_primaries bt2020 -color_trc arib-std-b67 ";
constexpr const char* kWideTags =
    " -color_range tv -colorspace bt2020nc -color_primaries bt2020 -color_trc bt2020-10 ";

std::string patch_arguments(const Patch& patch, const std::string& format) {
  const int unit = format.find("12le") != std::string::npos ? 4 : 1;
  const auto text = [&](int value) { return std::to_string(value * unit); };
  return "-f lavfi -i \"color=black:s=66x50:r=25,format=" + format +
         ",geq=lum=" + text(patch.luma) + ":cb=" + text(patch.blue) + ":cr=" + text(patch.red) +
         "\" -frames:v 2 ";
}

void expect_patch(const std::string& film, const PixelColour& wanted) {
  const auto source = open_clip(film);
  ASSERT_TRUE(source);
  const Picture picture = next_picture(*source);
  expect_near(colour_at(picture, 0, 0), wanted, 6,
              film);  // the table is least exact at saturated colours
  expect_near(colour_at(picture, 65, 49), wanted, 6,
              film);  // the table is least exact at saturated colours
}

// A curve of 32 bits would not fit into memory.
TEST(MediaHdr, FilmDensitiesOfOtherSamplesAreKept) {
  for (const AVPixelFormat format : {AV_PIX_FMT_GBRPF32LE, AV_PIX_FMT_YUV444P}) {
    AvFramePtr frame(av_frame_alloc());
    frame->format = format;
    frame->width = frame->height = 8;
    ASSERT_EQ(av_frame_get_buffer(frame.get(), 0), 0);
    for (int plane = 0; plane < 3; ++plane) {
      std::memset(frame->data[plane], 0, static_cast<size_t>(8 * frame->linesize[plane]));
    }
    EXPECT_EQ(remarks_on(*frame, true, {}), "");
    mark_film_density(*frame);
    EXPECT_NE(remarks_on(*frame, true, {}), "");
    EXPECT_TRUE(FrameConverter({.size = {}}).convert(std::move(frame), {}));
  }
}

// SMPTE ST 268-1: transfer characteristics 1 (printing density) and 3 (logarithmic).
TEST(MediaHdr, FilmDensitiesOfDpxAreShownAsThePrint) {
  const TempFolder folder;
  const std::string made =
      make_clip(folder, "made.dpx",
                "-f lavfi -i \"color=black:s=66x50,format=gbrp10le,geq=r=300:g=685:b=95\" "
                "-frames:v 1 ");
  std::ifstream made_file(made, std::ios::binary);
  std::string file((std::istreambuf_iterator<char>(made_file)), {});
  const struct {
    char transfer;
    PixelColour shown;
  } cases[] = {{1, {60, 255, 0}}, {3, {60, 255, 0}}, {0, {75, 171, 24}}, {6, {75, 171, 24}}};
  for (const auto& one : cases) {
    file.at(801) = one.transfer;
    const std::string name = folder.write("film.dpx", file);
    const auto source = open_clip(name);
    ASSERT_TRUE(source);
    expect_near(colour_at(next_picture(*source), 65, 49), one.shown, 2, name);
  }
}

TEST(MediaHdr, FilmsAreShownAsTheExactTransformSays) {
  const TempFolder folder;
  const struct {
    const char* tags;
    codecs::SourceColor source;
  } films[] = {{kPqTags, {Primaries::kBt2020, Transfer::kPq}},
               {kHlgTags, {Primaries::kBt2020, Transfer::kHlg}},
               {kWideTags, {Primaries::kBt2020, Transfer::kSdr}}};
  for (const auto& film : films) {
    for (const Patch& patch : kPatches) {
      expect_patch(make_clip(folder, "film.mkv",
                             patch_arguments(patch, "yuv420p10le") + "-c:v ffv1" + film.tags),
                   exact_colour(film.source, patch));
    }
  }
}

TEST(MediaHdr, EveryDepthAndChromaIsConverted) {
  const TempFolder folder;
  const Patch patch = kPatches[2];
  const PixelColour wanted = exact_colour({Primaries::kBt2020, Transfer::kPq}, patch);
  const struct {
    const char* format;
    sail_pixel_format for_j2k;
  } films[] = {{"yuv420p10le", SAIL_I420},
               {"yuv422p10le", SAIL_I422},
               {"yuv444p10le", SAIL_I444},
               {"yuv444p12le", SAIL_I444},
               {"yuv422p12le", SAIL_I422}};
  for (const auto& film : films) {
    const std::string file =
        make_clip(folder, "film.mkv", patch_arguments(patch, film.format) + "-c:v ffv1" + kPqTags);
    expect_patch(file, wanted);
    auto deep = MediaSource::open(file, {.threads = 1, .for_j2k = true});
    ASSERT_TRUE(deep) << deep.error().message;
    const Picture picture = next_picture(**deep);
    EXPECT_EQ(picture.pixels.format, film.for_j2k) << film.format;
    EXPECT_EQ(picture.pixels.matrix, SAIL_BT709);
    EXPECT_EQ(picture.pixels.range, SAIL_LIMITED);
  }
}

// BT.709's red, green, yellow and a grey; their values in P3 with gamma 2.2 are of the matrix in
// color_transform_test.cpp.
TEST(MediaHdr, OrdinaryFilmsLookAlikeOnWiderDisplays) {
  const TempFolder folder;
  const codecs::DisplayColor p3{Primaries::kP3, 300, 2.2};
  const struct {
    const char* planes;
    PixelColour in_p3;
  } films[] = {{"lum=63:cb=102:cr=240", {233, 54, 40}},
               {"lum=173:cb=42:cr=26", {116, 251, 77}},
               {"lum=219:cb=16:cr=138", {255, 255, 85}},
               {"lum=126:cb=128:cr=128", {128, 128, 128}}};
  for (const auto& film : films) {
    for (const char* format : {"yuv420p", "yuv422p", "yuv444p", "yuv420p for JPEG 2000"}) {
      const std::string words = format;
      const bool for_j2k = words.ends_with("JPEG 2000");
      const std::string name = make_clip(
          folder, "film.mkv",
          "-f lavfi -i \"color=black:s=66x50:r=25,format=" + words.substr(0, 7) +
              ",geq=" + film.planes + "\" -frames:v 2 -c:v ffv1 -color_range tv -colorspace bt709");
      auto source = MediaSource::open(name, {.threads = 1, .for_j2k = for_j2k, .display = p3});
      ASSERT_TRUE(source) << source.error().message;
      expect_near(colour_at(next_picture(**source), 65, 49), film.in_p3, 5, words);
      EXPECT_FALSE((*source)->take_complaint()) << "nothing is lost";
    }
  }
}

// A frame of one grey, opaque.
AvFramePtr even_frame(AVPixelFormat format, double level) {
  AvFramePtr frame(av_frame_alloc());
  frame->format = format;
  frame->width = frame->height = 16;
  frame->color_range = AVCOL_RANGE_JPEG;
  EXPECT_EQ(av_frame_get_buffer(frame.get(), 0), 0);
  const AVPixFmtDescriptor& shape = *av_pix_fmt_desc_get(format);
  for (int c = 0; c < shape.nb_components; ++c) {
    const AVComponentDescriptor& component = shape.comp[c];
    const bool chroma =
        (c == 1 || c == 2) && (shape.flags & AV_PIX_FMT_FLAG_RGB) == 0 && shape.nb_components >= 3;
    const bool alpha = (shape.flags & AV_PIX_FMT_FLAG_ALPHA) != 0 && c == shape.nb_components - 1;
    const int largest = (1 << component.depth) - 1;
    const int sample = alpha    ? largest
                       : chroma ? 1 << (component.depth - 1)
                                : static_cast<int>(std::lround(level * largest));
    const int rows = 16 >> (chroma ? shape.log2_chroma_h : 0);
    const int columns = 16 >> (chroma ? shape.log2_chroma_w : 0);
    for (int y = 0; y < rows; ++y) {
      uint8_t* row = frame->data[component.plane] + y * frame->linesize[component.plane];
      for (int x = 0; x < columns; ++x) {
        std::memcpy(row + component.offset + x * component.step, &sample,
                    component.depth > 8 ? 2 : 1);
      }
    }
  }
  return frame;
}

TEST(MediaHdr, GreysStayOnWiderDisplays) {
  const codecs::DisplayColor p3{Primaries::kP3, 300, 2.2};
  for (const AVPixelFormat format :
       {AV_PIX_FMT_RGB24, AV_PIX_FMT_BGR0, AV_PIX_FMT_GBRP, AV_PIX_FMT_GBRP10LE, AV_PIX_FMT_RGB48LE,
        AV_PIX_FMT_RGBA, AV_PIX_FMT_GBRAP, AV_PIX_FMT_RGBA64LE, AV_PIX_FMT_YA8, AV_PIX_FMT_YUVA420P,
        AV_PIX_FMT_GRAY8, AV_PIX_FMT_GRAY16LE, AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUV444P10LE}) {
    for (const bool keep_alpha : {false, true}) {
      for (const int grey : {255, 254, 100, 0}) {
        FrameConverter converter({.size = {}, .keep_alpha = keep_alpha, .display = p3});
        auto converted = converter.convert(even_frame(format, grey / 255.0), {});
        ASSERT_TRUE(converted) << av_get_pix_fmt_name(format);
        const Picture picture = to_picture(std::move(*converted));
        double sum = 0;
        for (int i = 0; i < 16 * 16; ++i) sum += colour_at(picture, i % 16, i / 16)[1];
        EXPECT_NEAR(sum / (16 * 16), grey, grey == 255 ? 0.2 : 1.1) << av_get_pix_fmt_name(format);
      }
    }
  }
}

TEST(MediaHdr, OpacityIsKeptOnWiderDisplays) {
  const TempFolder folder;
  const std::string name =
      make_clip(folder, "film.mkv",
                "-f lavfi -i \"color=black:s=66x50:r=25,format=rgba,geq=r=255:g=0:b=0:a=100\" "
                "-frames:v 1 -c:v ffv1");
  auto source = MediaSource::open(
      name, {.threads = 1, .keep_alpha = true, .display = {Primaries::kP3, 300, 2.2}});
  ASSERT_TRUE(source) << source.error().message;
  const Picture picture = next_picture(**source);
  ASSERT_EQ(picture.pixels.format, SAIL_BGRA);
  EXPECT_EQ(picture.pixels.planes[0][3], 100);
  expect_near(colour_at(picture, 0, 0), {233, 54, 40}, 2, name);
}

TEST(MediaHdr, ADisplayOfAFilmsPrimariesGetsItUntouched) {
  const TempFolder folder;
  const std::string name = make_clip(
      folder, "film.mkv", patch_arguments(kPatches[2], "yuv420p10le") + "-c:v ffv1" + kWideTags);
  auto source = MediaSource::open(name, {.threads = 1, .display = {Primaries::kBt2020, 300, 2.2}});
  ASSERT_TRUE(source) << source.error().message;
  const codecs::Rgb signal = signal_of(kPatches[2]);
  PixelColour wanted{};
  for (size_t i = 0; i < 3; ++i) wanted[i] = static_cast<int>(std::lround(255 * signal[i]));
  expect_near(colour_at(next_picture(**source), 65, 49), wanted, 3, name);
  EXPECT_FALSE((*source)->take_complaint());
}

TEST(MediaHdr, HdrIsMappedToThePrimariesOfTheDisplay) {
  const TempFolder folder;
  const codecs::DisplayColor p3{Primaries::kP3, 400, 2.2};
  const std::string name = make_clip(
      folder, "film.mkv", patch_arguments(kPatches[2], "yuv420p10le") + "-c:v ffv1" + kPqTags);
  auto source = MediaSource::open(name, {.threads = 1, .display = p3});
  ASSERT_TRUE(source) << source.error().message;
  const codecs::Rgb shown =
      codecs::ColorTransform({Primaries::kBt2020, Transfer::kPq}, p3).show(signal_of(kPatches[2]));
  PixelColour wanted{};
  for (size_t i = 0; i < 3; ++i) wanted[i] = static_cast<int>(std::lround(255 * shown[i]));
  expect_near(colour_at(next_picture(**source), 65, 49), wanted, 6, name);
  const auto complaint = (*source)->take_complaint();
  ASSERT_TRUE(complaint);
  EXPECT_NE(complaint->find("HDR10 → SDR P3"), std::string::npos) << *complaint;
}

// What the film states about its light is used: 4000 cd/m² are white, 1000 are not.
TEST(MediaHdr, TheStatedPeakIsWhite) {
  const TempFolder folder;
  const Patch bright = kPatches[1];  // 1000 cd/m²
  const std::string film =
      make_clip(folder, "film.mkv",
                patch_arguments(bright, "yuv420p10le") +
                    "-c:v libx265 -x265-params \"log-level=none:lossless=1:hdr10=1:range=limited:"
                    "colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:max-cll=4000,400:"
                    "master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)"
                    "L(40000000,50)\"");
  const PixelColour wanted = exact_colour({Primaries::kBt2020, Transfer::kPq, 4000}, bright);
  EXPECT_LT(wanted[0], 255);
  expect_patch(film, wanted);
}

AvFramePtr grey_frame(AVColorTransferCharacteristic transfer, AVColorPrimaries primaries) {
  AvFramePtr frame(av_frame_alloc());
  frame->format = AV_PIX_FMT_YUV420P10LE;
  frame->width = frame->height = 2;
  frame->color_trc = transfer;
  frame->color_primaries = primaries;
  frame->color_range = AVCOL_RANGE_MPEG;
  EXPECT_EQ(av_frame_get_buffer(frame.get(), 0), 0);
  for (int plane = 0; plane < 3; ++plane) {
    const uint16_t samples[] = {573, 573}, middle[] = {512, 512};
    for (int y = 0; y < (plane == 0 ? 2 : 1); ++y) {
      std::memcpy(frame->data[plane] + y * frame->linesize[plane], plane == 0 ? samples : middle,
                  plane == 0 ? 4 : 2);
    }
  }
  return frame;
}

TEST(MediaHdr, ColoursMayChangeInTheMiddleOfAFilm) {
  FrameConverter converter({});
  const auto level = [&](AvFramePtr frame) {
    const auto converted = converter.convert(std::move(frame), {});
    EXPECT_TRUE(converted);
    return converted ? int{converted->frame->data[0][0]} : 0;
  };
  const auto wanted = [](const codecs::SourceColor& source) {
    return 16 + 219 * codecs::ColorTransform(source, {}).show(signal_of({573}))[0];
  };
  const auto pq = [] { return grey_frame(AVCOL_TRC_SMPTE2084, AVCOL_PRI_BT2020); };
  EXPECT_NEAR(level(pq()), wanted({Primaries::kBt2020, Transfer::kPq}), 2);
  EXPECT_NEAR(level(grey_frame(AVCOL_TRC_ARIB_STD_B67, AVCOL_PRI_BT2020)),
              wanted({Primaries::kBt2020, Transfer::kHlg}), 2);
  EXPECT_NEAR(level(grey_frame(AVCOL_TRC_BT709, AVCOL_PRI_BT709)), 573 / 4, 1);
  AvFramePtr dim = pq();
  AVMasteringDisplayMetadata* mastering = av_mastering_display_metadata_create_side_data(dim.get());
  ASSERT_NE(mastering, nullptr);
  mastering->has_luminance = 1;
  mastering->max_luminance = {203, 1};
  EXPECT_NEAR(level(std::move(dim)), 235, 2);
  EXPECT_NEAR(level(pq()), wanted({Primaries::kBt2020, Transfer::kPq}), 2);
}

TEST(MediaHdr, AnyNumberOfThreadsGivesTheSamePicture) {
  constexpr int kWidth = 70, kHeight = 150;
  const auto converted_by = [](int threads) {
    AvFramePtr frame(av_frame_alloc());
    frame->format = AV_PIX_FMT_YUV420P10LE;
    frame->width = kWidth;
    frame->height = kHeight;
    frame->color_trc = AVCOL_TRC_SMPTE2084;
    frame->color_primaries = AVCOL_PRI_BT2020;
    EXPECT_EQ(av_frame_get_buffer(frame.get(), 0), 0);
    for (int plane = 0; plane < 3; ++plane) {
      const int sides = plane == 0 ? 1 : 2;
      for (int y = 0; y < kHeight / sides; ++y) {
        for (int x = 0; x < kWidth / sides; ++x) {
          const auto sample = static_cast<uint16_t>(300 + plane * 100 + (7 * x + 13 * y) % 200);
          std::memcpy(frame->data[plane] + y * frame->linesize[plane] + 2 * x, &sample, 2);
        }
      }
    }
    auto converted = FrameConverter({.size = {}, .threads = threads}).convert(std::move(frame), {});
    EXPECT_TRUE(converted);
    std::vector<uint8_t> shown;
    for (int plane = 0; converted && plane < 3; ++plane) {
      const int sides = plane == 0 ? 1 : 2;
      for (int y = 0; y < kHeight / sides; ++y) {
        const uint8_t* row = converted->frame->data[plane] + y * converted->frame->linesize[plane];
        shown.insert(shown.end(), row, row + kWidth / sides);
      }
    }
    return shown;
  };
  const std::vector<uint8_t> alone = converted_by(1);
  EXPECT_EQ(alone.size(), size_t{kWidth} * kHeight * 3 / 2);
  EXPECT_EQ(converted_by(4), alone);
}

TEST(MediaHdr, WhatCannotBeConvertedIsRefused) {
  AvFramePtr frame = grey_frame(AVCOL_TRC_SMPTE2084, AVCOL_PRI_BT2020);
  frame->colorspace = AVCOL_SPC_ICTCP;
  FrameConverter converter({});
  EXPECT_FALSE(converter.convert(std::move(frame), {}));

  const auto alone = [](uint8_t profile, uint8_t compatible) {
    AVDOVIDecoderConfigurationRecord record{};
    record.dv_profile = profile;
    record.dv_bl_signal_compatibility_id = compatible;
    return is_dolby_vision_alone({reinterpret_cast<const uint8_t*>(&record), sizeof record});
  };
  EXPECT_TRUE(alone(5, 0));
  EXPECT_TRUE(alone(10, 0));
  EXPECT_FALSE(alone(8, 1));
  EXPECT_FALSE(alone(7, 6));
  EXPECT_FALSE(is_dolby_vision_alone({}));
}

}  // namespace
}  // namespace sail
