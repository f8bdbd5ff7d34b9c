// JPEG 2000 films of other programs are delivered byte for byte.
#include "sail/media/codestream/codestream_source.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "codecs/color/convert.h"
#include "codecs/j2k/j2k.h"
#include "sail/media/film/film_files.h"
#include "sail/media/source/file_sequence.h"
#include "tests/unit/sail/apps/play/clips.h"
#include "tests/unit/sail/media/film/movies.h"

namespace sail {
namespace {

using codecs::ColorMatrix;
using codecs::ColorRange;
using codecs::PictureColor;
using testing::HasSubstr;

constexpr const char* kSource = "-f lavfi -i testsrc2=s=160x96:r=25 ";

std::unique_ptr<CodestreamSource> open_film(const std::string& name, double fps = 25) {
  CodestreamOptions options;
  options.fps = fps;
  auto source = CodestreamSource::open(name, options);
  EXPECT_TRUE(source) << source.error().message;
  return source ? std::move(*source) : nullptr;
}

std::string film_error(const std::string& name) {
  const auto source = CodestreamSource::open(name, {});
  return source ? "it was opened" : source.error().message;
}

std::vector<uint8_t> codestream_of(const Picture& picture) {
  return {picture.compressed->bytes.begin(), picture.compressed->bytes.end()};
}

void expect_shape(const Picture& picture, Size size, Size block_size) {
  ASSERT_TRUE(picture.compressed);
  EXPECT_EQ(picture.size, size);
  EXPECT_EQ(picture.compressed->block_size, block_size);
  ASSERT_EQ(picture.compressed->lengths.size(), 1U);
  EXPECT_EQ(picture.compressed->lengths[0], picture.compressed->bytes.size());
}

// Ten frames as bare codestreams, and the same packets in a container.
struct Film {
  explicit Film(const TempFolder& folder) {
    for (int n = 0; n < 10; ++n) {
      frames.push_back(bytes_of(folder.file(fmt::format("f.{:03d}.j2c", n + 1))));
    }
  }
  std::vector<std::vector<uint8_t>> frames;
};
constexpr const char* kJ2k = "-frames:v 10 -c:v jpeg2000 -format j2k -pix_fmt yuv420p ";

void make_sequence(const TempFolder& folder) {
  make_clip(folder, "f.%03d.j2c", std::string(kSource) + kJ2k + "-f image2");
}

// Receivers convert only X'Y'Z'.
TEST(CodestreamSource, FilmsOfOtherColoursThanTheDisplaysAreNotSentAsStored) {
  const TempFolder folder;
  make_sequence(folder);
  CodestreamOptions options;
  options.display = {codecs::Primaries::kP3, 300, 2.2};
  const auto refused = CodestreamSource::open(folder.file("f.%03d.j2c"), options);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("must be decoded"));
  std::vector<uint8_t> cinema = bytes_of(make_clip(
      folder, "rgb.j2c",
      std::string(kSource) + "-frames:v 1 -c:v jpeg2000 -format j2k -pix_fmt rgb24 -f image2"));
  constexpr size_t kProfileAt = 7;
  constexpr uint8_t kCinema2k = 3;
  cinema.at(kProfileAt) = kCinema2k;
  const auto stored = CodestreamSource::open(
      folder.write("cinema.j2c", std::string(cinema.begin(), cinema.end())), options);
  EXPECT_TRUE(stored) << stored.error().message;
}

TEST(CodestreamSource, ASequenceIsDeliveredByteForByte) {
  const TempFolder folder;
  make_sequence(folder);
  const Film film(folder);
  for (const std::string& name : {folder.file("f.%03d.j2c"), folder.file("")}) {
    ASSERT_TRUE(is_codestream_film(name));
    const auto source = open_film(name, 10);
    ASSERT_TRUE(source);
    EXPECT_EQ(source->info().stored->id, codecs::CodecId::kJ2k);
    EXPECT_EQ(source->info().duration_ns, 1'000'000'000);
    EXPECT_EQ(source->info().rate, (FrameRate{10, 1}));
    EXPECT_EQ(source->info().description, "j2k, 160x96, 10 fps");
    for (size_t n = 0; n < film.frames.size(); ++n) {
      const Picture picture = next_picture(*source);
      expect_shape(picture, {160, 96}, {160, 96});
      EXPECT_EQ(codestream_of(picture), film.frames[n]) << n;
      EXPECT_EQ(picture.pts_ns, static_cast<int64_t>(n) * 100'000'000);
      EXPECT_EQ(picture.duration_ns, 100'000'000);
      EXPECT_EQ(picture.compressed->color,
                (PictureColor{ColorMatrix::kBt601, ColorRange::kLimited}));
      EXPECT_EQ(picture.compressed->max_reduction, 3);
    }
    EXPECT_TRUE(times_ms(*source).empty());
    ASSERT_TRUE(source->seek(450'000'000));
    EXPECT_EQ(codestream_of(next_picture(*source)), film.frames[4]);
    EXPECT_EQ(codestream_of(next_picture(*source)), film.frames[5]);
    ASSERT_TRUE(source->seek(9'000'000'000));
    EXPECT_EQ(codestream_of(next_picture(*source)), film.frames[9]);
    EXPECT_TRUE(times_ms(*source).empty());
    EXPECT_FALSE(source->take_complaint());
  }
}

TEST(CodestreamSource, ContainersAreDeliveredByteForByte) {
  const TempFolder folder;
  make_sequence(folder);
  const Film film(folder);
  for (const char* name : {"film.mj2", "film.mxf", "film.mov", "film.mkv", "film.avi"}) {
    const bool mj2 = std::string(name) == "film.mj2";
    const std::string file =
        make_clip(folder, name, std::string(kSource) + kJ2k + (mj2 ? "-f mov -brand mjp2" : ""));
    ASSERT_TRUE(is_codestream_film(file)) << name;
    const auto source = open_film(file);
    ASSERT_TRUE(source) << name;
    for (size_t n = 0; n < film.frames.size(); ++n) {
      const Picture picture = next_picture(*source);
      expect_shape(picture, {160, 96}, {160, 96});
      EXPECT_EQ(codestream_of(picture), film.frames[n]) << name << " " << n;
      EXPECT_EQ((picture.pts_ns + 500'000) / 1'000'000, static_cast<int64_t>(n) * 40) << name;
      EXPECT_EQ(picture.compressed->color.matrix, ColorMatrix::kBt601) << name;
    }
    EXPECT_TRUE(times_ms(*source).empty()) << name;
    ASSERT_TRUE(source->seek(210'000'000)) << name;
    EXPECT_EQ(codestream_of(next_picture(*source)), film.frames[5]) << name;
    EXPECT_EQ(codestream_of(next_picture(*source)), film.frames[6]) << name;
    ASSERT_TRUE(source->seek(0)) << name;
    EXPECT_EQ(codestream_of(next_picture(*source)), film.frames[0]) << name;
    EXPECT_FALSE(source->take_complaint()) << name;
  }
}

TEST(CodestreamSource, OtherFilmsAreNoneOfThem) {
  const TempFolder folder;
  const std::string film = make_clip(folder, "film.mkv", std::string(kSource) + "-frames:v 2");
  EXPECT_FALSE(is_codestream_film(film));
  EXPECT_THAT(film_error(film), HasSubstr("film.mkv is not stored as JPEG 2000"));
  EXPECT_FALSE(is_codestream_film(folder.file("")));
  EXPECT_FALSE(is_codestream_film(folder.file("no.%d.j2c")));
  EXPECT_FALSE(is_codestream_film(folder.file("no.mxf")));
}

TEST(CodestreamSource, BoxesAreTakenOffAndTellTheColour) {
  const TempFolder folder;
  const std::string file = make_clip(folder, "still.jp2",
                                     "-f lavfi -i testsrc2=s=70x50 -frames:v 1 -c:v jpeg2000 "
                                     "-format jp2 -pix_fmt rgb24 -f image2");
  const auto source = open_film(file);
  ASSERT_TRUE(source);
  const Picture picture = next_picture(*source);
  expect_shape(picture, {70, 50}, {80, 64});
  EXPECT_EQ(picture.compressed->color, (PictureColor{ColorMatrix::kRgb, ColorRange::kFull}));
  const std::vector<uint8_t> whole = bytes_of(file);
  const std::vector<uint8_t> bare = codestream_of(picture);
  ASSERT_LT(bare.size(), whole.size());
  EXPECT_TRUE(std::equal(bare.rbegin(), bare.rend(), whole.rbegin()));
  EXPECT_EQ(bare[0], 0xFF);
  EXPECT_EQ(bare[1], 0x4F);
}

TEST(CodestreamSource, HighThroughputIsKnown) {
  const TempFolder folder;
  const std::string picture =
      make_clip(folder, "p.ppm", "-f lavfi -i testsrc2=s=160x96 -frames:v 1 -pix_fmt rgb24");
  for (const char* name : {"still.j2c", "still.jph"}) {
    const std::string file = folder.file(name);
    const std::string command =
        "ojph_compress -i " + picture + " -o " + file + " -qstep 0.01 > /dev/null";
    if (std::system(command.c_str()) != 0 || !std::filesystem::exists(file)) {
      continue;  // older versions do not support .jph
    }
    const auto source = open_film(file);
    ASSERT_TRUE(source);
    EXPECT_EQ(source->info().stored->id, codecs::CodecId::kHtj2k);
    const Picture stored = next_picture(*source);
    expect_shape(stored, {160, 96}, {160, 96});
    EXPECT_EQ(stored.compressed->color.matrix, ColorMatrix::kRgb);
    if (extension_of(file) == ".j2c") {
      EXPECT_EQ(codestream_of(stored), bytes_of(file));
    }

    const auto decoder = codecs::make_j2k_decoder(codecs::CodecId::kHtj2k);
    ASSERT_TRUE(decoder);
    std::vector<uint8_t> pixels(size_t{160} * 96 * 4);
    codecs::J2kTarget target;
    target.width = 160;
    target.height = 96;
    target.color = stored.compressed->color;
    target.pixels = {pixels.data(), 160 * 4};
    EXPECT_TRUE(decoder->decode(stored.compressed->bytes, target)) << name;
  }
  EXPECT_TRUE(std::filesystem::exists(folder.file("still.j2c")));
}

TEST(CodestreamSource, SignedSamplesAreToldOnce) {
  const TempFolder folder;
  make_sequence(folder);
  std::vector<std::vector<uint8_t>> frames = Film(folder).frames;
  constexpr size_t kComponentDepth = 2 + 2 + 38;  // in SIZ
  for (size_t n = 0; n < frames.size(); ++n) {
    frames[n][kComponentDepth] |= 0x80;
    folder.write(fmt::format("f.{:03d}.j2c", n + 1),
                 std::string(frames[n].begin(), frames[n].end()));
  }
  const auto source = open_film(folder.file("f.%03d.j2c"));
  ASSERT_TRUE(source);
  EXPECT_EQ(codestream_of(next_picture(*source)), frames[0]);
  EXPECT_EQ(codestream_of(next_picture(*source)), frames[1]);
  EXPECT_THAT(source->take_complaint().value_or(""), HasSubstr("has signed samples"));
  EXPECT_FALSE(source->take_complaint());
}

TEST(CodestreamSource, MissingAndDamagedPicturesAreNamedOnce) {
  const TempFolder folder;
  make_sequence(folder);
  const Film film(folder);
  folder.write("f.003.j2c", "no codestream");
  folder.write("f.005.j2c", "");
  std::filesystem::remove(folder.file("f.007.j2c"));
  const auto source = open_film(folder.file("f.%03d.j2c"));
  ASSERT_TRUE(source);
  EXPECT_EQ(times_ms(*source), (std::vector<int64_t>{0, 40, 120, 200, 280, 320, 360}));
  for (const char* word : {"f.003.j2c", "f.005.j2c is empty", "f.006", "3 of 10 pictures"}) {
    EXPECT_THAT(source->take_complaint().value_or(""), HasSubstr(word));
  }
  EXPECT_FALSE(source->take_complaint());
  EXPECT_EQ(source->take_left_out(), 3U);
  ASSERT_TRUE(source->seek(90'000'000));  // the third is damaged, so the second is shown
  next_picture(*source);
}

TEST(CodestreamSource, ATruncatedPictureCountsAsMissing) {
  const TempFolder folder;
  make_sequence(folder);
  const Film film(folder);
  std::filesystem::resize_file(folder.file("f.003.j2c"), film.frames[2].size() / 2);
  std::filesystem::resize_file(folder.file("f.010.j2c"), film.frames[9].size() - 3);
  std::filesystem::resize_file(folder.file("f.005.j2c"), film.frames[4].size() - 2);  // no EOC
  const auto held = open_film(folder.file("f.%03d.j2c"));
  ASSERT_TRUE(held);
  EXPECT_EQ(times_ms(*held), (std::vector<int64_t>{0, 40, 120, 160, 200, 240, 280, 320}));
  for (const char* words : {"f.003.j2c is a codestream that is truncated",
                            "f.010.j2c is a codestream that is truncated", "2 of 10 pictures"}) {
    EXPECT_THAT(held->take_complaint().value_or(""), HasSubstr(words));
  }
  EXPECT_EQ(held->take_left_out(), 2U);
  const auto whole = open_stored_film(folder.path().string(), {.interrupted = {}});
  ASSERT_TRUE(whole) << whole.error().message;
  MediaOptions options{.threads = 2};
  options.sequence_fps = 25;
  const auto decoded = MediaSource::open(folder.file("f.%03d.j2c"), options);
  ASSERT_TRUE(decoded) << decoded.error().message;
  EXPECT_EQ(times_ms(**decoded), (std::vector<int64_t>{0, 40, 120, 160, 200, 240, 280, 320}));
  EXPECT_EQ((*decoded)->take_left_out(), 2U) << "the same rule for decoded pictures";
  int64_t end_ns = 0;
  while (auto picture = (*whole)->next().value()) end_ns = picture->pts_ns + picture->duration_ns;
  EXPECT_EQ(end_ns, 400'000'000) << "the last whole picture is held";
  const auto black = open_stored_film(folder.path().string(),
                                      {.missing = MissingAction::kBlack, .interrupted = {}});
  ASSERT_TRUE(black) << black.error().message;
  EXPECT_EQ(times_ms(**black).size(), 10U);
  const auto stopped = CodestreamSource::open(folder.file("f.%03d.j2c"),
                                              {.missing = MissingAction::kStop, .interrupted = {}});
  ASSERT_TRUE(stopped) << stopped.error().message;
  for (int n = 0; n < 2; ++n) next_picture(**stopped);
  EXPECT_THAT((*stopped)->next().error().message, HasSubstr("f.003.j2c"));
}

TEST(CodestreamSource, BlackIsStoredForEachPictureThatIsNotThere) {
  const TempFolder folder;
  make_sequence(folder);
  folder.write("f.001.j2c", "no codestream");
  std::filesystem::remove(folder.file("f.004.j2c"));
  const auto source = open_stored_film(folder.path().string(),
                                       {.missing = MissingAction::kBlack, .interrupted = {}});
  ASSERT_TRUE(source) << source.error().message;
  const auto decoder = codecs::make_j2k_decoder(codecs::CodecId::kJ2k);
  for (int n = 0; n < 10; ++n) {
    const Picture picture = next_picture(**source);
    expect_shape(picture, {160, 96}, {160, 96});
    EXPECT_EQ(picture.pts_ns, n * 40'000'000) << n;
    EXPECT_EQ(picture.compressed->codec.id, codecs::CodecId::kJ2k) << n;
    EXPECT_EQ(picture.compressed->max_reduction, 3) << n;
    std::vector<uint8_t> pixels(size_t{160} * 96 * 4);
    codecs::J2kTarget target;
    target.width = 160;
    target.height = 96;
    target.color = picture.compressed->color;
    target.pixels = {pixels.data(), 160 * 4};
    ASSERT_TRUE(decoder->decode(picture.compressed->bytes, target)) << n;
    const bool dark = std::ranges::count(pixels, 0) == 160 * 96 * 3;
    EXPECT_EQ(dark, n == 0 || n == 3) << n;
  }
  EXPECT_FALSE((*source)->next().value());
}

TEST(CodestreamSource, TheFilmEndsBeforeWhatIsNotThereIfThatIsWanted) {
  const TempFolder folder;
  make_sequence(folder);
  const CodestreamOptions options{.missing = MissingAction::kStop, .interrupted = {}};
  for (const char* bytes : {"", "no codestream"}) {
    folder.write("f.004.j2c", bytes);
    const auto source = CodestreamSource::open(folder.file("f.%03d.j2c"), options);
    ASSERT_TRUE(source);
    for (int n = 0; n < 3; ++n) EXPECT_EQ(next_picture(**source).pts_ns, n * 40'000'000);
    EXPECT_THAT((*source)->next().error().message, HasSubstr("f.004.j2c")) << bytes;
    ASSERT_TRUE((*source)->seek(80'000'000));
    EXPECT_EQ(next_picture(**source).pts_ns, 80'000'000);
    EXPECT_FALSE((*source)->next()) << bytes;
  }
  folder.write("f.001.j2c", "");
  const auto refused = CodestreamSource::open(folder.file("f.%03d.j2c"), options);
  EXPECT_THAT(refused.error().message, HasSubstr("f.001.j2c is empty"));
}

TEST(CodestreamSource, WhatCannotBeShownSaysWhy) {
  const TempFolder folder;
  EXPECT_THAT(film_error(folder.write("a.j2c", "text")), HasSubstr("a.j2c has no codestream"));
  EXPECT_THAT(film_error(folder.write("b.jp2", std::string(100, '\0'))), HasSubstr("b.jp2"));
  EXPECT_THAT(film_error(folder.file("c.mxf")), HasSubstr("c.mxf"));
}

TEST(CodestreamSource, PicturesOutliveTheirSource) {
  const TempFolder folder;
  make_sequence(folder);
  const Film film(folder);
  for (const std::string& name :
       {folder.file("f.%03d.j2c"), make_clip(folder, "film.mkv", std::string(kSource) + kJ2k)}) {
    auto source = open_film(name);
    ASSERT_TRUE(source);
    std::vector<Picture> kept;
    for (int n = 0; n < 4; ++n) kept.push_back(next_picture(*source));
    source.reset();
    for (size_t n = 0; n < kept.size(); ++n) EXPECT_EQ(codestream_of(kept[n]), film.frames[n]);
  }
}

}  // namespace
}  // namespace sail
