#include <gtest/gtest.h>

#include <fstream>
#include <vector>

#include "sail/core/time/clock.h"
#include "tests/unit/sail/apps/play/clips.h"

namespace sail {
namespace {

class MediaSeek : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(MediaSeek, IsExactToTheFrame) {
  const TempFolder folder;
  const auto [name, codec] = GetParam();
  const auto source =
      open_clip(make_clip(folder, name, counting_frames("64x48", 50, 25) + " " + codec));
  ASSERT_TRUE(source);
  for (const int frame : {30, 0, 49, 7, 8, 25, 24, 1}) {
    ASSERT_TRUE(source->seek(frame * 40 * kMillisecondNs)) << frame;
    for (int n = frame; n < std::min(frame + 3, 50); ++n) {
      const Picture picture = next_picture(*source);
      EXPECT_EQ(frame_number(picture), n) << "after a seek to " << frame;
      EXPECT_EQ((picture.pts_ns + kMillisecondNs / 2) / kMillisecondNs, n * 40);
    }
    ASSERT_TRUE(source->seek((frame * 40 + 35) * kMillisecondNs));  // within the frame's duration
    EXPECT_EQ(frame_number(next_picture(*source)), frame);
  }
}

TEST_P(MediaSeek, EachRoundOfALoopHasEveryFrameOnce) {
  const TempFolder folder;
  const auto [name, codec] = GetParam();
  const auto source =
      open_clip(make_clip(folder, name, counting_frames("64x48", 20, 25) + " " + codec));
  ASSERT_TRUE(source);
  for (int round = 0; round < 3; ++round) {
    for (int n = 0; n < 20; ++n) {
      EXPECT_EQ(frame_number(next_picture(*source)), n) << "in round " << round;
    }
    EXPECT_TRUE(times_ms(*source).empty());
    ASSERT_TRUE(source->seek(0));
  }
}

TEST_P(MediaSeek, PastTheEndGivesTheLastFrame) {
  const TempFolder folder;
  const auto [name, codec] = GetParam();
  const auto source =
      open_clip(make_clip(folder, name, counting_frames("64x48", 20, 25) + " " + codec));
  ASSERT_TRUE(source);
  ASSERT_TRUE(source->seek(3'600'000 * kMillisecondNs));
  EXPECT_EQ(frame_number(next_picture(*source)), 19);
  EXPECT_TRUE(times_ms(*source).empty());
  ASSERT_TRUE(source->seek(-1));  // and back, after the end
  EXPECT_EQ(times_ms(*source).size(), 20U);
}

INSTANTIATE_TEST_SUITE_P(Films, MediaSeek,
                         testing::Values(std::pair("h264.mp4", "-c:v libx264 -g 12 -bf 2 -qp 4"),
                                         std::pair("h264.mkv", "-c:v libx264 -g 12 -bf 2 -qp 4"),
                                         std::pair("h264.ts", "-c:v libx264 -g 12 -bf 2 -qp 4"),
                                         std::pair("open-gop.ts",
                                                   "-c:v libx264 -g 12 -bf 3 -qp 4 -x264-params "
                                                   "open-gop=1"),
                                         std::pair("hevc.ts",
                                                   "-c:v libx265 -preset ultrafast -x265-params "
                                                   "keyint=12:bframes=2:qp=4:log-level=none"),
                                         std::pair("hevc-one-key.ts",
                                                   "-c:v libx265 -preset ultrafast -x265-params "
                                                   "keyint=1000:bframes=2:qp=4:log-level=none"),
                                         std::pair("mpeg4.avi", "-c:v mpeg4 -g 12 -q:v 1"),
                                         std::pair("one-key.mp4",
                                                   "-c:v libx264 -g 1000 -bf 2 -qp 4"),
                                         std::pair("raw.h264", "-c:v libx264 -g 12 -bf 0 -qp 4"),
                                         std::pair("all.mkv", "-c:v ffv1")),
                         [](const auto& film) {
                           std::string name = film.param.first;
                           for (char& letter : name) {
                             if (letter == '.' || letter == '-') letter = '_';
                           }
                           return name;
                         });

// The index of MPEG-TS leads to any picture. The decoder would show those after it in grey.
TEST(MediaSeekH265, APictureIsWholeWithoutAComplaint) {
  const TempFolder folder;
  const std::string film = make_clip(folder, "film.ts",
                                     "-f lavfi -i testsrc2=size=128x72:rate=25 -frames:v 100 "
                                     "-pix_fmt yuv420p -c:v libx265 -preset ultrafast -x265-params "
                                     "keyint=40:bframes=2:log-level=none");
  std::ifstream decoded(
      make_clip(folder, "decoded.yuv", "-i '" + film + "' -fps_mode passthrough -f rawvideo"),
      std::ios::binary);
  constexpr size_t kLuma = 128 * 72, kPicture = kLuma * 3 / 2;
  const auto source = open_clip(film);
  ASSERT_TRUE(source);
  for (const int frame : {30, 99, 39, 75, 0, 41}) {
    ASSERT_TRUE(source->seek(frame * 40 * kMillisecondNs)) << frame;
    std::vector<uint8_t> wanted(kLuma);
    decoded.seekg(static_cast<std::streamoff>(kPicture * frame));
    decoded.read(reinterpret_cast<char*>(wanted.data()), kLuma);
    ASSERT_TRUE(decoded) << frame;
    EXPECT_TRUE(luma(next_picture(*source)) == wanted) << frame;
  }
  EXPECT_FALSE(source->take_complaint());
  EXPECT_EQ(source->take_left_out(), 0U);
}

// A cut without re-encoding: it starts within a group of pictures, and the file's edit list says
// which of the pictures are hidden.
TEST(MediaSeekEdited, EachRoundOfALoopIsTheFirst) {
  const TempFolder folder;
  const std::string whole = make_clip(
      folder, "whole.mp4", counting_frames("64x48", 40, 25) + " -c:v libx264 -g 12 -bf 3 -qp 4");
  const auto source =
      open_clip(make_clip(folder, "cut.mp4", "-ss 0.68 -i '" + whole + "' -c copy"));
  ASSERT_TRUE(source);
  const auto round = [&] {
    std::vector<std::pair<int, int64_t>> pictures;
    for (;;) {
      const auto picture = source->next();
      EXPECT_TRUE(picture);
      if (!picture || !*picture) return pictures;
      pictures.emplace_back(frame_number(**picture), (*picture)->pts_ns);
    }
  };
  const auto first = round();
  EXPECT_GE(first.size(), 20U);
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(source->seek(0));
    EXPECT_EQ(round(), first);
  }
}

TEST(MediaSeekStill, IsTheStill) {
  const TempFolder folder;
  const auto source =
      open_clip(make_clip(folder, "a.png", "-f lavfi -i testsrc2=s=64x48 -frames:v 1"));
  ASSERT_TRUE(source);
  EXPECT_EQ(times_ms(*source).size(), 1U);
  ASSERT_TRUE(source->seek(0));
  EXPECT_EQ(times_ms(*source).size(), 1U);
  ASSERT_TRUE(source->seek(5000 * kMillisecondNs));
  EXPECT_EQ(times_ms(*source).size(), 1U);
}

}  // namespace
}  // namespace sail
