// Films converted to JPEG 2000 and played from their .vmov files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "codecs/color/convert.h"
#include "codecs/j2k/j2k.h"
#include "sail/media/film/film_converter.h"
#include "sail/media/source/same_picture.h"
#include "sail/media/vmov/vmov_reader.h"
#include "sail/media/vmov/vmov_source.h"
#include "tests/unit/sail/apps/play/clips.h"
#include "tests/unit/sail/media/film/movies.h"

namespace sail {
namespace {

using codecs::ColorMatrix;
using codecs::ColorRange;
using codecs::PictureColor;

size_t pixel_bytes(Size size) {
  return static_cast<size_t>(size.width) * static_cast<size_t>(size.height) * 4;
}

// Decodes a compressed picture block by block, as a receiver does.
std::vector<uint8_t> decoded(const Picture& picture) {
  const CompressedPicture& blocks = *picture.compressed;
  const BlockGrid grid(picture.size, blocks.block_size);
  const auto decoder = codecs::make_j2k_decoder(blocks.codec.id);
  std::vector<uint8_t> pixels(pixel_bytes(picture.size));
  const ptrdiff_t stride = ptrdiff_t{picture.size.width} * 4;
  size_t offset = 0;
  for (size_t i = 0; i < blocks.lengths.size(); ++i) {
    const Rect rect =
        grid.block_rect(static_cast<int>(i) % grid.columns(), static_cast<int>(i) / grid.columns());
    codecs::J2kTarget target;
    target.width = rect.width;
    target.height = rect.height;
    target.color = blocks.color;
    target.frame_x = rect.x;
    target.frame_y = rect.y;
    target.pixels = {pixels.data() + rect.y * stride + ptrdiff_t{rect.x} * 4, stride};
    EXPECT_TRUE(decoder->decode(blocks.bytes.subspan(offset, blocks.lengths[i]), target)) << i;
    offset += blocks.lengths[i];
  }
  return pixels;
}

std::vector<uint8_t> plain(const Picture& picture) {
  std::vector<uint8_t> pixels(pixel_bytes(picture.size));
  codecs::convert_to_bgra(view_of(picture), 0, 0, picture.size.width, picture.size.height,
                          {pixels.data(), ptrdiff_t{picture.size.width} * 4},
                          codecs::CpuLevel::kReference);
  return pixels;
}

double psnr(const std::vector<uint8_t>& a, const std::vector<uint8_t>& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    const double difference = static_cast<double>(a[i]) - b[i];
    sum += difference * difference;
  }
  constexpr double kPeak = 255;
  return sum == 0 ? 100 : 10 * std::log10(kPeak * kPeak * static_cast<double>(a.size()) / sum);
}

std::unique_ptr<VmovSource> play(const std::string& name) {
  auto source = VmovSource::open(name);
  EXPECT_TRUE(source) << source.error().message;
  return source ? std::move(*source) : nullptr;
}

codecs::J2kHeader first_header(const Picture& picture) {
  return codecs::read_j2k_header(
             picture.compressed->bytes.first(picture.compressed->lengths.front()))
      .value_or(codecs::J2kHeader());
}

TEST(J2kFilm, IsTheFilmThatItWasMadeFrom) {
  const TempFolder folder;
  const std::string film = make_clip(
      folder, "film.mp4", "-f lavfi -i testsrc2=s=1100x576:r=25 -frames:v 3 -c:v libx264 -qp 12");
  for (const char* codec : {"htj2k:lossless", "j2k:lossless", "htj2k:3bpp", "j2k:3bpp"}) {
    const std::string output = folder.file("film.vmov");
    ConvertOptions options = options_for(film, output, codec);
    options.overwrite = true;
    ASSERT_EQ(convert(options), "") << codec;
    const auto original = open_clip(film);
    const auto played = play(output);
    ASSERT_TRUE(original && played);
    for (int n = 0; n < 3; ++n) {
      const Picture wanted = next_picture(*original);
      const Picture picture = next_picture(*played);
      ASSERT_TRUE(picture.compressed);
      EXPECT_EQ(picture.compressed->codec, options.codec.codec);
      EXPECT_EQ(picture.compressed->block_size, kDefaultJ2kBlockSize);
      EXPECT_EQ(picture.compressed->max_reduction, codecs::kMaxReduction);
      EXPECT_EQ(picture.compressed->color, codecs::color_of(view_of(wanted)));
      EXPECT_EQ(first_header(picture).chroma_step_x, 2);  // the source's subsampling
      EXPECT_EQ(picture.pts_ns, wanted.pts_ns);
      const bool lossless = options.codec.rate.unit == CodecRate::Unit::kLossless;
      EXPECT_GT(psnr(decoded(picture), plain(wanted)), lossless ? 45 : 33) << codec << " " << n;
    }
  }
}

// Six frames each of four scenes that need very different quantiser steps.
std::string scenes(const TempFolder& folder) {
  return make_clip(
      folder, "scenes.mkv",
      "-f lavfi -i testsrc2=s=1024x768:r=25:d=0.24 -f lavfi -i mandelbrot=s=1024x768:r=25 "
      "-f lavfi -i \"nullsrc=s=1024x768:r=25,geq=random(1)*255:128:128\" "
      "-f lavfi -i \"gradients=s=1024x768:r=25,noise=alls=12:allf=t\" "
      "-filter_complex \"[1]trim=end_frame=6[b];[2]trim=end_frame=6[c];[3]trim=end_frame=6[d];"
      "[0]format=yuv420p[a];[b]format=yuv420p[e];[c]format=yuv420p[f];[d]format=yuv420p[g];"
      "[a][e][f][g]concat=n=4\" -frames:v 24 -c:v ffv1");
}

TEST(J2kFilm, TheRateIsHeldThroughSceneCuts) {
  const TempFolder folder;
  const std::string film = scenes(folder);
  const struct {
    const char* codec;
    double frame_bytes;
  } cases[] = {{"htj2k:2bpp", 1024 * 768 * 2 / 8.0}, {"htj2k:30mbit", 30e6 / 8 / 25}};
  for (const auto& one : cases) {
    ConvertOptions options = options_for(film, folder.file("film.vmov"), one.codec);
    options.overwrite = true;
    ASSERT_EQ(convert(options), "") << one.codec;
    const auto reader = VmovReader::open(options.output);
    ASSERT_TRUE(reader);
    ASSERT_EQ(reader->frame_count(), 24U);
    double sum = 0;
    VmovFrame frame;
    for (size_t n = 0; n < 24; ++n) {
      ASSERT_TRUE(reader->read(n, frame));
      const auto bytes = static_cast<double>(frame.bytes.size());
      EXPECT_LE(bytes, StepSearch::kMostOver * one.frame_bytes) << one.codec << " " << n;
      EXPECT_GE(bytes, 0.5 * one.frame_bytes) << one.codec << " " << n;
      sum += bytes;
    }
    EXPECT_NEAR(sum / 24 / one.frame_bytes, 1, 0.05) << one.codec;
  }
}

TEST(J2kFilm, GoesOnAsIfItHadNeverStopped) {
  const TempFolder folder;
  const std::string film = scenes(folder);
  const ConvertOptions options = options_for(film, folder.file("film.vmov"), "htj2k:2bpp");
  ASSERT_EQ(convert(options), "");
  const std::vector<uint8_t> whole = bytes_of(options.output);
  std::filesystem::remove(options.output);
  put_bytes(vmov_part_name(options.output),
            {whole.begin(), whole.begin() + static_cast<ptrdiff_t>(whole.size() * 2 / 5)});
  ASSERT_EQ(convert(options), "");
  // The part kept is unchanged; the rest shows the same film, perhaps in other bytes.
  const std::vector<uint8_t> gone_on = bytes_of(options.output);
  EXPECT_TRUE(std::equal(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(whole.size() / 3),
                         gone_on.begin()));
  put_bytes(folder.file("whole.vmov"), whole);
  const auto a = VmovReader::open(folder.file("whole.vmov"));
  const auto b = VmovReader::open(options.output);
  ASSERT_TRUE(a && b);
  ASSERT_EQ(a->frame_count(), b->frame_count());
  const BlockGrid grid(a->header().frame_size, a->header().block_size);
  VmovFrame of_a;
  VmovFrame of_b;
  for (size_t n = 0; n < a->frame_count(); ++n) {
    ASSERT_TRUE(a->read(n, of_a) && b->read(n, of_b));
    EXPECT_EQ(of_a.head.pts_ns, of_b.head.pts_ns);
    EXPECT_TRUE(same_picture(codecs::CodecId::kHtj2k, grid, {of_a.lengths, of_a.bytes},
                             {of_b.lengths, of_b.bytes}))
        << n;
  }
  ASSERT_TRUE(a->read(8, of_a) && b->read(14, of_b));
  EXPECT_FALSE(same_picture(codecs::CodecId::kHtj2k, grid, {of_a.lengths, of_a.bytes},
                            {of_b.lengths, of_b.bytes}));
}

TEST(J2kFilm, DepthAndColourGoThrough) {
  const TempFolder folder;
  const struct {
    const char* format;
    const char* colours;
    int bits;
    int step_x;
    int step_y;
    PictureColor color;
  } cases[] = {
      {"yuv420p10le",
       "-colorspace bt2020nc -color_range tv",
       10,
       2,
       2,
       {ColorMatrix::kBt2020, ColorRange::kLimited}},
      {"yuv422p12le",
       "-colorspace bt709 -color_range pc",
       12,
       2,
       1,
       {ColorMatrix::kBt709, ColorRange::kFull}},
      {"yuv444p", "-colorspace smpte170m", 8, 1, 1, {ColorMatrix::kBt601, ColorRange::kLimited}},
      {"gbrp12le", "", 12, 1, 1, {ColorMatrix::kRgb, ColorRange::kFull}},
  };
  for (const auto& one : cases) {
    const std::string film =
        make_clip(folder, "film.mkv",
                  std::string("-f lavfi -i testsrc2=s=130x70 -frames:v 1 -c:v ffv1 ") +
                      "-pix_fmt " + one.format + " " + one.colours);
    ConvertOptions options = options_for(film, folder.file("film.vmov"), "htj2k:lossless");
    options.overwrite = true;
    ASSERT_EQ(convert(options), "") << one.format;
    const auto played = play(options.output);
    ASSERT_TRUE(played);
    const Picture picture = next_picture(*played);
    const codecs::J2kHeader header = first_header(picture);
    EXPECT_EQ(header.bits, one.bits) << one.format;
    EXPECT_EQ(header.chroma_step_x, one.step_x) << one.format;
    EXPECT_EQ(header.chroma_step_y, one.step_y) << one.format;
    EXPECT_TRUE(picture.compressed->color == one.color) << one.format;
  }
}

TEST(J2kFilm, ImageSequencesKeepTheirDepth) {
  const TempFolder folder;
  const struct {
    const char* name;
    const char* arguments;
    int bits;
  } cases[] = {{"p.%03d.png", "-pix_fmt rgb48be", 16},
               {"d.%02d.dpx", "-pix_fmt gbrp10le", 10},
               {"t.%d.tif", "-pix_fmt rgb48le", 16}};
  for (const auto& one : cases) {
    const TempFolder pictures;
    make_clip(pictures, one.name,
              std::string("-f lavfi -i testsrc2=s=66x50 -frames:v 4 ") + one.arguments);
    for (const std::string& input : {pictures.file(one.name), pictures.file("")}) {
      ConvertOptions options = options_for(input, folder.file("film.vmov"), "htj2k:lossless");
      options.overwrite = true;
      options.fps = 12.5;
      ASSERT_EQ(convert(options), "") << input;
      const auto reader = VmovReader::open(options.output);
      ASSERT_TRUE(reader);
      EXPECT_EQ(reader->frame_count(), 4U);
      EXPECT_EQ(reader->duration_ns(), 320'000'000);
      EXPECT_NE(reader->header().recipe, 0U);
      EXPECT_EQ(reader->header().rate, (FrameRate{25, 2}));
      const auto played = play(options.output);
      ASSERT_TRUE(played);
      EXPECT_EQ(first_header(next_picture(*played)).bits, one.bits) << input;
    }
  }
}

TEST(J2kFilm, RawPixelsAreAFilmToo) {
  const TempFolder folder;
  const std::string film = make_clip(
      folder, "film.mkv", "-f lavfi -i testsrc2=s=66x50 -frames:v 2 -c:v ffv1 -pix_fmt bgr0");
  const ConvertOptions options = options_for(film, folder.file("film.vmov"), "raw");
  ASSERT_EQ(convert(options), "");
  const auto played = play(options.output);
  const auto original = open_clip(film);
  ASSERT_TRUE(played && original);
  const Picture picture = next_picture(*played);
  const std::vector<uint8_t> wanted = plain(next_picture(*original));
  EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), picture.compressed->bytes.begin(),
                         picture.compressed->bytes.end()));
  EXPECT_EQ(picture.compressed->max_reduction, 0);
}

}  // namespace
}  // namespace sail
