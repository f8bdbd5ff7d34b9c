#include "sail/media/ffmpeg/media_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <libavformat/version.h>
#include <sys/stat.h>

#include <cstring>
#include <fstream>
#include <iterator>

#include "sail/media/film/film_files.h"
#include "tests/unit/sail/apps/play/clips.h"

namespace sail {
namespace {

using testing::HasSubstr;

TEST(MediaSource, YieldsEveryFrameInOrder) {
  const TempFolder folder;
  for (const char* codec : {"-c:v libx264 -bf 3 -qp 4", "-c:v mpeg4 -bf 2 -q:v 1"}) {
    const auto source =
        open_clip(make_clip(folder, "film.mp4", counting_frames("64x48", 50, 25) + " " + codec));
    ASSERT_TRUE(source);
    EXPECT_EQ(source->info().duration_ns, 2'000'000'000);
    EXPECT_FALSE(source->info().live);
    for (int n = 0; n < 50; ++n) {
      const Picture picture = next_picture(*source);
      ASSERT_EQ(frame_number(picture), n) << codec;
      ASSERT_EQ((picture.pts_ns + 500'000) / 1'000'000, n * 40);
      ASSERT_EQ(picture.size, (Size{64, 48}));
    }
    EXPECT_TRUE(times_ms(*source).empty());
    EXPECT_FALSE(source->take_complaint());
  }
}

TEST(MediaSource, AFilmThatBeginsLateIsAsLongAsItsPictures) {
  const TempFolder folder;
  for (const char* name : {"late.mkv", "late.ts", "late.mp4"}) {
    const auto source = open_clip(make_clip(
        folder, name, counting_frames("64x48", 50, 25) + " -c:v mpeg4 -output_ts_offset 10"));
    ASSERT_TRUE(source);
    EXPECT_EQ(source->info().duration_ns, 2'000'000'000) << name;
    EXPECT_EQ(next_picture(*source).pts_ns, 0) << name;
  }
}

TEST(MediaSource, PicturesOutliveTheirSource) {
  const TempFolder folder;
  auto source = open_clip(make_clip(folder, "film.mp4", counting_frames("64x48", 50, 25)));
  ASSERT_TRUE(source);
  std::vector<Picture> kept;
  kept.reserve(8);
  for (int n = 0; n < 8; ++n) kept.push_back(next_picture(*source));
  source.reset();
  for (int n = 0; n < 8; ++n) EXPECT_EQ(frame_number(kept[static_cast<size_t>(n)]), n);
}

TEST(MediaSource, OddSizes) {
  const TempFolder folder;
  for (const char* size : {"w=1:h=1", "w=3:h=5", "w=35:h=21", "w=161:h=97"}) {
    const auto source = open_clip(make_clip(
        folder, "odd.mkv",
        std::string("-f lavfi -i color=red:s=200x200,format=yuv420p,crop=exact=1:x=0:y=0:") + size +
            " -frames:v 2 -c:v ffv1 -pix_fmt yuv420p"));
    ASSERT_TRUE(source);
    const Picture picture = next_picture(*source);
    EXPECT_EQ(
        "w=" + std::to_string(picture.size.width) + ":h=" + std::to_string(picture.size.height),
        size);
    EXPECT_EQ(picture.pixels.format, SAIL_I420);
    expect_near(colour_at(picture, picture.size.width - 1, picture.size.height - 1), {254, 0, 0}, 4,
                size);
  }
}

TEST(MediaSource, OddSizesWithConversion) {
  const TempFolder folder;
  for (const char* size : {"1:1", "3:5", "35:21"}) {
    const auto source =
        open_clip(make_clip(folder, "odd.mkv",
                            std::string("-f lavfi -i color=red:s=200x200,format=rgb24,crop=") +
                                size + " -frames:v 2 -c:v ffv1 -pix_fmt yuv444p10le"));
    ASSERT_TRUE(source);
    const Picture picture = next_picture(*source);
    expect_near(colour_at(picture, picture.size.width - 1, picture.size.height - 1), {254, 0, 0}, 4,
                size);
  }
}

TEST(MediaSource, AnimatedGifKeepsItsTimes) {
  const TempFolder folder;
  const auto source = open_clip(make_clip(
      folder, "a.gif",
      "-f lavfi -i testsrc2=s=64x48:r=10,setpts='if(lt(N\\,2)\\,N\\,N+7)/10/TB' -frames:v 4"));
  ASSERT_TRUE(source);
  EXPECT_EQ(times_ms(*source), (std::vector<int64_t>{0, 100, 900, 1000}));
}

TEST(MediaSource, PixelsThatAreNotSquare) {
  const TempFolder folder;
  const auto source = open_clip(make_clip(
      folder, "wide.mp4", "-f lavfi -i testsrc2=s=720x576:r=25,setsar=64/45 -frames:v 2"));
  ASSERT_TRUE(source);
  const Picture picture = next_picture(*source);
  EXPECT_EQ(picture.size, (Size{720, 576}));
  EXPECT_EQ(picture.display_size, (Size{1024, 576}));
}

// ffmpeg arguments that copy a file with rotation: an option since 6.0, a tag before.
std::string turned(const std::string& file, int degrees) {
  const std::string copy = "-i '" + file + "' -c copy";
  const std::string turn = std::to_string(degrees);
  if constexpr (LIBAVFORMAT_VERSION_MAJOR >= 60) return "-display_rotation " + turn + " " + copy;
  return copy + " -metadata:s:v:0 rotate=" + turn;
}

TEST(MediaSource, QuarterTurnsOfTheMetadataAreApplied) {
  const TempFolder folder;
  // Four colours in the corners; the ffmpeg program's rotation is the reference.
  const std::string corners =
      "-f lavfi -i \"color=red:s=36x22:r=25,format=rgb24,"
      "geq=r='if(lt(X\\,18)*lt(Y\\,10)+gte(X\\,18)*gte(Y\\,10)\\,255\\,0)':"
      "g='if(gte(Y\\,10)\\,255\\,0)':b='if(gte(X\\,18)\\,255\\,0)'\" -frames:v 2 ";
  const struct {
    const char* coding;
    sail_pixel_format format;
    sail_pixel_format sideways;
  } cases[] = {{"-c:v libx264 -qp 1 -pix_fmt yuv420p", SAIL_I420, SAIL_I420},
               {"-c:v libx264 -qp 1 -pix_fmt yuv422p", SAIL_I422, SAIL_I420},
               {"-c:v qtrle -pix_fmt rgb24", SAIL_RGB, SAIL_RGB},
               {"-c:v libx264rgb -qp 1", SAIL_BGRA, SAIL_BGRA}};
  for (const auto& one : cases) {
    const std::string plain = make_clip(folder, "plain.mov", corners + one.coding);
    for (const int degrees : {0, 90, 180, 270}) {
      const std::string file = make_clip(folder, "turned.mov", turned(plain, degrees));
      const auto source = open_clip(file);
      const auto reference =
          open_clip(make_clip(folder, "turned.png", "-i '" + file + "' -frames:v 1"));
      ASSERT_TRUE(source && reference);
      const Picture picture = next_picture(*source);
      const Picture wanted = next_picture(*reference);
      EXPECT_EQ(picture.pixels.format, degrees % 180 == 0 ? one.format : one.sideways);
      ASSERT_EQ(picture.size, wanted.size);
      for (const int x : {1, picture.size.width - 2}) {
        for (const int y : {1, picture.size.height - 2}) {
          expect_near(colour_at(picture, x, y), colour_at(wanted, x, y), 12,
                      std::string(one.coding) + " turned by " + std::to_string(degrees));
        }
      }
    }
  }
}

TEST(MediaSource, SizesMayChangeOnTheWay) {
  const TempFolder folder;
  const std::string a = make_clip(folder, "a.h264", "-f lavfi -i testsrc2=s=64x48 -frames:v 3");
  const std::string b = make_clip(folder, "b.h264", "-f lavfi -i testsrc2=s=96x80 -frames:v 3");
  const auto bytes = [](const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  };
  const auto source = open_clip(folder.write("both.h264", bytes(a) + bytes(b)));
  ASSERT_TRUE(source);
  std::vector<int> widths;
  widths.reserve(6);
  for (int i = 0; i < 6; ++i) widths.push_back(next_picture(*source).size.width);
  EXPECT_EQ(widths, (std::vector<int>{64, 64, 64, 96, 96, 96}));
}

TEST(MediaSource, AFileMayLookLikeAnAddress) {
  const TempFolder folder;
  const auto source =
      open_clip(make_clip(folder, "http:film.mkv", counting_frames("64x48", 2, 25) + " -c:v ffv1"));
  ASSERT_TRUE(source);
}

TEST(MediaSource, WhatCannotBeOpenedSaysWhy) {
  const TempFolder folder;
  EXPECT_THAT(open_error(folder.file("no.mkv")), HasSubstr("no.mkv: No such file or directory"));
  EXPECT_THAT(open_error(folder.write("empty.mp4", "")), HasSubstr("empty.mp4: "));
  EXPECT_THAT(open_error(folder.write("text.mp4", std::string(3000, 'x'))),
              HasSubstr("not a film or picture"));
  EXPECT_THAT(open_error(folder.write("text.nfo", "This is text.\n")), HasSubstr("text"));
  EXPECT_THAT(open_error(folder.file(".")), HasSubstr("cannot open"));
  EXPECT_THAT(open_error("nonsense://host/film"), HasSubstr("cannot open nonsense://host/film"));
  EXPECT_THAT(open_error(""), HasSubstr("cannot open"));
  const std::string secret = make_clip(folder, "locked.mkv", counting_frames("64x48", 2, 25));
  if (chmod(secret.c_str(), 0) == 0 && access(secret.c_str(), R_OK) != 0) {
    EXPECT_THAT(open_error(secret), HasSubstr("Permission denied"));
  }
}

TEST(MediaSource, SoundIsNoPicture) {
  const TempFolder folder;
  EXPECT_THAT(open_error(make_clip(folder, "sound.wav", "-f lavfi -i sine=d=1")),
              HasSubstr("sound.wav has no picture: only sound"));
  const std::string cover =
      make_clip(folder, "cover.png", "-f lavfi -i color=red:s=64x64 -frames:v 1");
  EXPECT_THAT(open_error(make_clip(folder, "music.mp3",
                                   "-f lavfi -i sine=d=1 -i '" + cover +
                                       "' -map 0 -map 1 -c:v copy -disposition:v attached_pic")),
              HasSubstr("music.mp3 has no picture: only sound"));
}

TEST(MediaSource, HugePicturesAreRefused) {
  const TempFolder folder;
  // A PNG header that claims 65500×65500 pixels, without the pixels.
  const std::string file =
      make_clip(folder, "huge.png", "-f lavfi -i color=red:s=64x64 -frames:v 1");
  {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(16);
    stream.write("\0\0\xFF\xDC\0\0\xFF\xDC", 8);
  }
  EXPECT_NE(open_error(file), "it was opened");
  EXPECT_THAT(
      open_error(make_clip(folder, "long.png", "-f lavfi -i color=red:s=16400x2 -frames:v 1")),
      HasSubstr("is 16400x2: at most 16384 pixels per side"));
}

// An animation of 65535×65535 pixels, whose only picture has one pixel.
TEST(MediaSource, AnAnimationThatClaimsTooManyPixelsTakesNoMemory) {
  using namespace std::string_literals;
  const TempFolder folder;
  const std::string bomb =
      "GIF89a\xff\xff\xff\xff\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\1\0\1\0\0\2\2D\1\0;"s;
  EXPECT_NE(open_error(folder.write("bomb.gif", bomb)), "it was opened");
}

// Sets all essence containers of an MXF file to the one of SMPTE ST 429-6.
std::string encrypted(const TempFolder& folder, const std::string& name) {
  constexpr std::string_view kLabel("\x06\x0e\x2b\x34\x04\x01\x01", 7);
  constexpr std::string_view kContainer("\x0d\x01\x03\x01\x02", 5);
  constexpr size_t kVersionByte = 1;
  std::ifstream in(folder.file(name), std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(in)), {});
  int labels = 0;
  for (size_t at = bytes.find(kLabel); at != std::string::npos; at = bytes.find(kLabel, at + 1)) {
    const size_t kind = at + kLabel.size() + kVersionByte;
    if (bytes.compare(kind, kContainer.size(), kContainer) != 0) continue;
    bytes.replace(kind + kContainer.size(), 3, "\x0b\x01\0", 3);
    ++labels;
  }
  EXPECT_GT(labels, 0) << name;
  return folder.write("encrypted-" + name, bytes);
}

TEST(MediaSource, AnEncryptedMxfIsRefusedByName) {
  const TempFolder folder;
  make_clip(folder, "picture.mxf", "-f lavfi -i color=red:s=64x64 -frames:v 2 -c:v jpeg2000");
  make_clip(folder, "sound.mxf", "-f lavfi -i sine=d=1 -ar 48000 -c:a pcm_s24le -f mxf_opatom");
  const std::string picture = encrypted(folder, "picture.mxf");
  EXPECT_THAT(open_error(picture), HasSubstr("encrypted-picture.mxf is encrypted"));
  EXPECT_EQ(open_error(folder.file("picture.mxf")), "it was opened");
  const auto stored = open_stored_film(picture, {});
  ASSERT_FALSE(stored);
  EXPECT_THAT(stored.error().message, HasSubstr("is encrypted"));
  EXPECT_TRUE(open_film_sound(folder.file("sound.mxf")));
  const auto sound = open_film_sound(encrypted(folder, "sound.mxf"));
  ASSERT_FALSE(sound);
  EXPECT_THAT(sound.error().message, HasSubstr("is encrypted"));
}

const char* const kBusyFilm = "-f lavfi -i testsrc2=s=160x120:r=10 -frames:v 50 -c:v libx264 ";

TEST(MediaSource, ACutFilmPlaysToTheCutAndSaysSo) {
  const TempFolder folder;
  const std::string file =
      make_clip(folder, "cut.mp4", std::string(kBusyFilm) + "-movflags +faststart");
  std::filesystem::resize_file(file, std::filesystem::file_size(file) * 6 / 10);
  const auto source = open_clip(file);
  ASSERT_TRUE(source);
  const size_t frames = times_ms(*source).size();
  EXPECT_GT(frames, 5U);
  EXPECT_LT(frames, 50U);
  const auto complaint = source->take_complaint();
  ASSERT_TRUE(complaint);
  EXPECT_THAT(*complaint, HasSubstr("cut.mp4: "));
  EXPECT_FALSE(source->take_complaint());
}

TEST(MediaSource, AFilmWithoutItsIndexCannotBeOpened) {
  const TempFolder folder;
  const std::string file = make_clip(folder, "cut.mp4", kBusyFilm);
  std::filesystem::resize_file(file, std::filesystem::file_size(file) * 6 / 10);
  EXPECT_THAT(open_error(file), HasSubstr("cut.mp4: damaged"));
}

TEST(MediaSource, DamageInTheMiddleIsPlayedThroughAndSaidOnce) {
  const TempFolder folder;
  const std::string file =
      make_clip(folder, "hurt.avi",
                "-f lavfi -i testsrc2=s=160x120:r=25 -frames:v 100 -c:v mpeg4 -g 10 -q:v 2");
  {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(static_cast<std::streamoff>(std::filesystem::file_size(file) / 2));
    for (int i = 0; i < 6000; ++i) stream.put(static_cast<char>(i * 7919 >> 3));
  }
  const auto source = open_clip(file);
  ASSERT_TRUE(source);
  const std::vector<int64_t> times = times_ms(*source);
  ASSERT_GT(times.size(), 80U);
  EXPECT_GT(times.back(), 3800);  // to the end
  const auto complaint = source->take_complaint();
  ASSERT_TRUE(complaint);
  EXPECT_THAT(*complaint, HasSubstr("hurt.avi: damaged at 0:0"));
  EXPECT_FALSE(source->take_complaint());
}

TEST(MediaSource, AFilmOfZeroFramesIsRefused) {
  const TempFolder folder;
  // A complete header without decodable data.
  const std::string file =
      make_clip(folder, "none.avi", "-f lavfi -i testsrc2=s=64x48:r=25 -frames:v 10 -c:v libx264");
  {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    std::string bytes(std::filesystem::file_size(file), '\0');
    stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    const size_t movi = bytes.find("movi");
    ASSERT_NE(movi, std::string::npos);
    stream.clear();
    for (size_t at = bytes.find("00dc", movi); at != std::string::npos && at < bytes.find("idx1");
         at = bytes.find("00dc", at + 4)) {
      stream.seekp(static_cast<std::streamoff>(at + 8));
      const std::string noise(60, '\x55');
      stream.write(noise.data(), static_cast<std::streamsize>(noise.size()));
    }
  }
  EXPECT_THAT(open_error(file), HasSubstr("none.avi"));
  EXPECT_THAT(open_error(make_clip(folder, "zero.mkv",
                                   "-f lavfi -i testsrc2=s=64x48:r=25 -frames:v 0 -c:v ffv1")),
              HasSubstr("zero.mkv"));
}

TEST(MediaSource, ReadsFilmsAheadOfTheirDecoder) {
  const TempFolder folder;
  const std::string film = make_clip(folder, "film.mkv", counting_frames("64x48", 50, 25));
  const auto source = open_clip(film);
  ASSERT_TRUE(source);
  const auto read = [&] { return source->read_figures().bytes; };
  EXPECT_EQ(read(), std::filesystem::file_size(film)) << "it is smaller than a block";
  EXPECT_EQ(times_ms(*source).size(), 50U);
  ASSERT_TRUE(source->seek(1'000'000'000));
  EXPECT_EQ(frame_number(next_picture(*source)), 25);
  EXPECT_EQ(read(), std::filesystem::file_size(film)) << "and is in memory";
}

TEST(MediaSource, CanBeInterrupted) {
  const TempFolder folder;
  const std::string file = make_clip(folder, "film.mkv", counting_frames("64x48", 50, 25));
  const auto source = MediaSource::open(file, {1, [] { return true; }, nullptr, {}});
  EXPECT_FALSE(source);
}

}  // namespace
}  // namespace sail
