// Interlaced films whose fields are uniformly grey, darker first: each picture tells its field.
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "sail/core/time/clock.h"
#include "tests/unit/sail/apps/play/clips.h"

namespace sail {
namespace {

constexpr int kFields = 40;
constexpr int64_t kFieldNs = 20 * kMillisecondNs;

// Top field first, unless `interleave` says otherwise.
std::string interlaced_clip(const TempFolder& folder, const std::string& name,
                            const std::string& codec,
                            const std::string& interleave = "interleave_top") {
  return make_clip(folder, name,
                   counting_frames("64x48", kFields / 2, 50) + " -vf tinterlace=" + interleave +
                       " -flags +ildct+ilme " + codec);
}

std::unique_ptr<MediaSource> open_with(const std::string& file, Deinterlacing deinterlacing) {
  auto source = MediaSource::open(file, {.threads = 2, .deinterlacing = deinterlacing});
  EXPECT_TRUE(source) << source.error().message;
  return source ? std::move(*source) : nullptr;
}

// All samples of the picture have the same value.
bool is_even(const Picture& picture) {
  const std::vector<uint8_t> samples = luma(picture);
  return samples == std::vector<uint8_t>(samples.size(), samples.front());
}

TEST(MediaDeinterlace, EachFieldBecomesAPictureInItsOrder) {
  const TempFolder folder;
  for (const char* interleave : {"interleave_top", "interleave_bottom"}) {
    const auto source =
        open_clip(interlaced_clip(folder, "film.mkv", "-c:v ffv1 -level 3", interleave));
    ASSERT_TRUE(source);
    EXPECT_EQ(source->info().rate, (FrameRate{50, 1}));
    for (int n = 0; n < kFields; ++n) {
      const Picture picture = next_picture(*source);
      EXPECT_EQ(frame_number(picture), n) << interleave;
      EXPECT_EQ(picture.pts_ns, n * kFieldNs);
      EXPECT_EQ(picture.duration_ns, kFieldNs);
    }
    EXPECT_TRUE(times_ms(*source).empty());
    EXPECT_FALSE(source->take_complaint());
  }
}

TEST(MediaDeinterlace, APictureForEachFrameKeepsTheFilmsTimes) {
  const TempFolder folder;
  const auto source =
      open_with(interlaced_clip(folder, "film.mkv", "-c:v ffv1"), Deinterlacing::kFrame);
  ASSERT_TRUE(source);
  EXPECT_EQ(source->info().rate, (FrameRate{25, 1}));
  for (int n = 0; n < kFields; n += 2) {
    const Picture picture = next_picture(*source);
    EXPECT_EQ(frame_number(picture), n);
    EXPECT_EQ(picture.pts_ns, n * kFieldNs);
    EXPECT_EQ(picture.duration_ns, 2 * kFieldNs);
  }
  EXPECT_TRUE(times_ms(*source).empty());
}

TEST(MediaDeinterlace, OffShowsCombsAndSaysSo) {
  const TempFolder folder;
  const auto source =
      open_with(interlaced_clip(folder, "film.mkv", "-c:v ffv1"), Deinterlacing::kOff);
  ASSERT_TRUE(source);
  EXPECT_FALSE(is_even(next_picture(*source)));
  EXPECT_NE(source->take_complaint().value_or("").find("interlaced"), std::string::npos);
  EXPECT_EQ(times_ms(*source).size(), kFields / 2 - 1U);
}

// Only the container of this codec knows of the fields.
TEST(MediaDeinterlace, TheContainersFieldOrderCounts) {
  const TempFolder folder;
  const auto source =
      open_clip(interlaced_clip(folder, "film.mkv", "-c:v huffyuv -field_order tt"));
  ASSERT_TRUE(source);
  EXPECT_EQ(times_ms(*source).size(), size_t{kFields});
}

TEST(MediaDeinterlace, SeeksFindTheVeryPicturesOfPlayback) {
  const TempFolder folder;
  for (const auto& [name, codec] :
       {std::pair("all.mkv", "-c:v ffv1"), std::pair("gop.ts", "-c:v mpeg2video -g 6 -q:v 1")}) {
    const auto source = open_clip(interlaced_clip(folder, name, codec));
    ASSERT_TRUE(source);
    std::vector<std::vector<uint8_t>> played;
    for (int n = 0; n < kFields; ++n) played.push_back(luma(next_picture(*source)));
    EXPECT_TRUE(times_ms(*source).empty());
    for (const int n : {30, 0, kFields - 1, 13, 12, 1}) {
      ASSERT_TRUE(source->seek(n * kFieldNs + kFieldNs / 2)) << n;
      for (int next = n; next < std::min(n + 3, kFields); ++next) {
        const Picture picture = next_picture(*source);
        EXPECT_EQ((picture.pts_ns + kMillisecondNs / 2) / kMillisecondNs, next * 20);
        EXPECT_EQ(luma(picture), played[static_cast<size_t>(next)]) << name << ", " << next;
      }
    }
    ASSERT_TRUE(source->seek(0));
    EXPECT_EQ(times_ms(*source).size(), size_t{kFields}) << "the next round of a loop";
  }
}

TEST(MediaDeinterlace, NoPictureIsLostWhereSizeAndKindChange) {
  const TempFolder folder;
  const auto piece = [&](const std::string& name, const std::string& arguments) {
    std::ifstream file(make_clip(folder, name, "-f lavfi -i testsrc2=r=25:" + arguments),
                       std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  const std::string interlaced = " -frames:v 5 -pix_fmt yuv420p -c:v libx264 -flags +ildct+ilme";
  const std::string film = folder.file("film.ts");
  std::ofstream(film, std::ios::binary)
      << piece("a.ts", "s=64x48" + interlaced) << piece("b.ts", "s=96x64" + interlaced)
      << piece("c.ts", "s=96x64 -frames:v 5 -pix_fmt yuv420p -c:v libx264")
      << piece("d.ts", "s=96x64" + interlaced);
  const auto source = open_clip(film);
  ASSERT_TRUE(source);
  std::vector<int> widths;
  for (auto picture = source->next(); picture && *picture; picture = source->next()) {
    widths.push_back((*picture)->size.width);
  }
  std::vector<int> expected(10, 64);
  expected.resize(10 + 10 + 5 + 10, 96);
  EXPECT_EQ(widths, expected);
}

// Three interlaced pictures that are too small to be deinterlaced.
std::string tiny_clip(const TempFolder& folder) {
  return make_clip(folder, "tiny.mkv",
                   "-f lavfi -i testsrc2=s=2x2:r=25 -frames:v 3 -pix_fmt yuv420p -c:v huffyuv "
                   "-pix_fmt yuv422p -field_order tt");
}

TEST(MediaDeinterlace, PicturesTooSmallForItAreShownAsTheyAre) {
  const TempFolder folder;
  const auto source = open_clip(tiny_clip(folder));
  ASSERT_TRUE(source);
  EXPECT_EQ(source->info().rate, (FrameRate{25, 1}));
  EXPECT_EQ(times_ms(*source), (std::vector<int64_t>{0, 40, 80}));
  EXPECT_NE(source->take_complaint().value_or("").find("deinterlaced"), std::string::npos);
  EXPECT_FALSE(source->take_complaint());
  EXPECT_EQ(source->take_left_out(), 0U);
}

TEST(MediaDeinterlace, ConversionsCountOrRefuseWhatCannotBeDeinterlaced) {
  const TempFolder folder;
  const std::string clip = tiny_clip(folder);
  const auto counted = MediaSource::open(clip, {.combs = Combs::kCounted});
  ASSERT_TRUE(counted) << counted.error().message;
  EXPECT_EQ(times_ms(**counted).size(), 3U);
  EXPECT_EQ((*counted)->take_left_out(), 3U);
  const auto refused = MediaSource::open(clip, {.combs = Combs::kRefused});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kBadData);
  EXPECT_NE(refused.error().message.find("cannot be deinterlaced ("), std::string::npos);
  EXPECT_TRUE(
      MediaSource::open(clip, {.deinterlacing = Deinterlacing::kOff, .combs = Combs::kRefused}));
}

// What the window's shape follows.
TEST(MediaSourceChanges, TheShapeOfThePixelsFollowsTheStream) {
  const TempFolder folder;
  std::string film;
  for (const char* aspect : {"1", "2"}) {
    std::ifstream file(make_clip(folder, std::string(aspect) + ".ts",
                                 std::string("-f lavfi -i testsrc2=s=64x48:r=25,setsar=") + aspect +
                                     " -frames:v 5 -c:v libx264 -pix_fmt yuv420p"),
                       std::ios::binary);
    film.append(std::istreambuf_iterator<char>(file), {});
  }
  const std::string name = folder.file("film.ts");
  std::ofstream(name, std::ios::binary) << film;
  const auto source = open_clip(name);
  ASSERT_TRUE(source);
  std::vector<int> widths;
  for (auto picture = source->next(); picture && *picture; picture = source->next()) {
    EXPECT_EQ((*picture)->size, (Size{64, 48}));
    widths.push_back((*picture)->display_size.width);
  }
  EXPECT_EQ(widths, (std::vector<int>{64, 64, 64, 64, 64, 128, 128, 128, 128, 128}));
}

}  // namespace
}  // namespace sail
