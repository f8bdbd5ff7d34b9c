// The first frame of a film, which need not wait for the decoder's next packets.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "sail/core/time/clock.h"
#include "sail/media/ffmpeg/media_source_connection.h"
#include "sail/media/ffmpeg/media_source_input.h"
#include "tests/unit/sail/apps/play/clips.h"

namespace sail {
namespace {

constexpr int kFirstFrames = 20;

std::string coded(const TempFolder& folder, const std::string& name, const std::string& codec) {
  return make_clip(folder, name, counting_frames("64x48", kFirstFrames, 25) + " " + codec);
}

int number_of(const Decoded& decoded) {
  return static_cast<int>(std::lround((decoded.frame->data[0][0] - 16) / 4.0));
}

// All frames that decode() returns, in order and without gaps.
void expect_numbers(MediaInput& input, int from, const std::string& name) {
  for (int n = from; n < kFirstFrames; ++n) {
    const auto decoded = input.decode();
    ASSERT_TRUE(decoded) << name << ": " << n;
    EXPECT_EQ(number_of(*decoded), n) << name;
    EXPECT_EQ((decoded->pts_ns + kMillisecondNs / 2) / kMillisecondNs, n * 40) << name;
  }
  EXPECT_FALSE(input.decode()) << name;
  EXPECT_FALSE(input.take_complaint()) << name;
}

TEST(MediaFirst, TheFirstPacketOfH264AndH265ShowsIt) {
  const TempFolder folder;
  const std::string h264 = "-c:v libx264 -g 12 -bf 2 -qp 4";
  const std::string hevc =
      "-c:v libx265 -preset ultrafast -x265-params bframes=2:qp=4:log-level=none";
  const std::string pyramid = h264 + " -bf 3 -b_strategy 0 -x264-params b-pyramid=normal";
  for (const auto& [name, codec] :
       {std::pair("h264.mp4", h264), std::pair("pyramid.mp4", pyramid), std::pair("h264.mkv", h264),
        std::pair("h264.ts", h264), std::pair("elementary.h264", h264),
        std::pair("hevc.mp4", hevc)}) {
    MediaInput input(coded(folder, name, codec), {.threads = 4});
    const auto opened = input.open();
    ASSERT_TRUE(opened) << opened.error().message;
    const auto first = input.decode_first();
    ASSERT_TRUE(first) << name;
    EXPECT_EQ(number_of(*first), 0) << name;
    EXPECT_EQ(first->pts_ns, 0) << name;
    expect_numbers(input, 1, name);
  }
}

// Decoding would take as long as that of the first frame.
TEST(MediaFirst, NoPictureIsDecodedForParametersThatTheContainerStates) {
  struct Case {
    const char* name;
    const char* settings;
    bool decoded;
  };
  const TempFolder folder;
  for (const auto& [name, settings, decoded] :
       {Case{"film.mp4", "", false}, Case{"film.mov", "", false}, Case{"film.mkv", "", true},
        Case{"fragments.mp4", " -movflags +frag_keyframe+empty_moov", true}}) {
    const std::string film =
        make_clip(folder, name,
                  "-f lavfi -i sine=r=48000:d=0.8 " + counting_frames("64x48", kFirstFrames, 25) +
                      " -c:v libx264 -c:a aac" + settings);
    const MediaOptions options;
    MediaConnection connection(film, options);
    for (const auto probe : {MediaConnection::Probe::kStreams, MediaConnection::Probe::kPictures}) {
      ASSERT_TRUE(connection.open(probe)) << name;
      const AVFormatContext& format = *connection.format();
      const int picture =
          av_find_best_stream(connection.format(), AVMEDIA_TYPE_VIDEO, -1, -1, nullptr, 0);
      ASSERT_GE(picture, 0) << name;
      const AVStream& stream = *format.streams[picture];
      const bool known = stream.codecpar->format != AV_PIX_FMT_NONE;
      EXPECT_EQ(known, decoded || probe == MediaConnection::Probe::kPictures) << name;
      EXPECT_EQ(stream.codecpar->width, 64) << name;
      EXPECT_EQ(stream.avg_frame_rate.num, 25 * stream.avg_frame_rate.den) << name;
      EXPECT_NE(stream.start_time, AV_NOPTS_VALUE) << name;
    }
  }
}

TEST(MediaFirst, OtherFilmsAreDecodedInOrder) {
  const TempFolder folder;
  for (const auto& [name, codec] :
       {std::pair("interlaced.mp4", "-c:v libx264 -flags +ildct+ilme -g 12 -qp 4"),
        std::pair("intra.mkv", "-c:v ffv1"), std::pair("mpeg4.avi", "-c:v mpeg4 -g 12 -q:v 1")}) {
    MediaInput input(coded(folder, name, codec), {.threads = 4});
    const auto opened = input.open();
    ASSERT_TRUE(opened) << opened.error().message;
    EXPECT_FALSE(input.decode_first()) << name;
    expect_numbers(input, 0, name);
  }
}

// A piece that begins with a key picture, before which pictures are shown that follow it in the
// file. The order is that of FFmpeg's program.
TEST(MediaFirst, PicturesBeforeTheFirstKeyPictureAreShownFirst) {
  constexpr size_t kLuma = 64 * 48, kPicture = kLuma * 3 / 2;
  const TempFolder folder;
  const std::string film =
      make_clip(folder, "film.mp4",
                counting_frames("64x48", 40, 25) +
                    " -c:v libx265 -preset ultrafast -x265-params keyint=15:min-keyint=15:"
                    "scenecut=0:open-gop=0:radl=2:bframes=4:b-adapt=0:qp=4:log-level=none");
  make_clip(folder, "piece%d.ts",
            "-i '" + film + "' -c copy -f segment -segment_time 0.6 -segment_format mpegts");
  const std::string piece = folder.file("piece1.ts");
  std::ifstream shown(
      make_clip(folder, "shown.yuv", "-i '" + piece + "' -fps_mode passthrough -f rawvideo"),
      std::ios::binary);
  MediaInput input(piece, {.threads = 4});
  ASSERT_TRUE(input.open());
  EXPECT_FALSE(input.decode_first());
  std::vector<char> wanted(kPicture);
  std::vector<int> numbers;
  while (shown.read(wanted.data(), kPicture)) {
    const auto decoded = input.decode();
    ASSERT_TRUE(decoded);
    numbers.push_back(number_of(*decoded));
    EXPECT_EQ(decoded->frame->data[0][0], static_cast<uint8_t>(wanted[0])) << numbers.back();
  }
  EXPECT_FALSE(input.decode());
  EXPECT_EQ(numbers.size(), 15U);
  for (size_t i = 1; i < numbers.size(); ++i) EXPECT_EQ(numbers[i], numbers[i - 1] + 1);
  EXPECT_LT(numbers[0], 15);  // shown before the key picture
}

TEST(MediaFirst, AFilmOfOnePictureHasIt) {
  const TempFolder folder;
  for (const auto& [name, codec] : {std::pair("one.mp4", "libx264"),
                                    std::pair("one.ts", "libx265 -x265-params log-level=none")}) {
    MediaInput input(make_clip(folder, name, counting_frames("64x48", 1, 25) + " -c:v " + codec),
                     {.threads = 4});
    ASSERT_TRUE(input.open()) << name;
    EXPECT_FALSE(input.decode_first()) << name;
    const auto decoded = input.decode();
    ASSERT_TRUE(decoded) << name;
    EXPECT_EQ(number_of(*decoded), 0) << name;
    EXPECT_FALSE(input.decode()) << name;
    EXPECT_FALSE(input.take_complaint()) << name;
    ASSERT_TRUE(input.jump_before(0)) << name;
    EXPECT_TRUE(input.decode()) << name;
  }
}

// The first packets are decoded, but the edit list hides their frames.
TEST(MediaFirst, AHiddenFrameIsNotTheFirst) {
  const TempFolder folder;
  const std::string whole = coded(folder, "whole.mp4", "-c:v libx264 -g 12 -bf 3 -qp 4");
  MediaInput input(make_clip(folder, "cut.mp4", "-ss 0.2 -i '" + whole + "' -c copy"), {});
  ASSERT_TRUE(input.open());
  EXPECT_FALSE(input.decode_first());
  const auto first = input.decode();
  ASSERT_TRUE(first);
  EXPECT_EQ(number_of(*first), 5);
  EXPECT_EQ(first->pts_ns, 0);
}

TEST(MediaFirst, AJumpAfterTheFirstFrameReturnsAllFrames) {
  const TempFolder folder;
  MediaInput input(coded(folder, "film.mp4", "-c:v libx264 -g 12 -bf 2 -qp 4"), {.threads = 4});
  ASSERT_TRUE(input.open());
  ASSERT_TRUE(input.decode_first());
  ASSERT_TRUE(input.jump_before(0));
  expect_numbers(input, 0, "film.mp4");
}

// Of three frames, no other frame needs the second and the third.
constexpr const char* kWithUnneeded =
    "-c:v libx264 -g 50 -bf 2 -b_strategy 0 -b-pyramid none -qp 4";

TEST(MediaFirst, FramesBeforeASoughtOneAreNotDecodedIfNoOtherNeedsThem) {
  const TempFolder folder;
  MediaInput input(coded(folder, "film.mp4", kWithUnneeded), {.threads = 4});
  ASSERT_TRUE(input.open());
  ASSERT_TRUE(input.jump_before(0));
  input.leave_out_before(15 * 40 * kMillisecondNs);
  int before = 0;
  auto decoded = input.decode();
  for (; decoded && number_of(*decoded) < 15; decoded = input.decode()) ++before;
  EXPECT_EQ(before, 5);  // 0, 3, 6, 9, 12
  ASSERT_TRUE(decoded);
  EXPECT_EQ(number_of(*decoded), 15);
  EXPECT_EQ(input.left_out_to_ns(), 14 * 40 * kMillisecondNs);
  EXPECT_EQ(input.take_left_out(), 0U);
  for (int n = 16; n < kFirstFrames; ++n) {
    decoded = input.decode();
    ASSERT_TRUE(decoded) << n;
    EXPECT_EQ(number_of(*decoded), n);
  }
}

// The film pauses for a second after frame 8, which no other frame needs.
TEST(MediaFirst, AFrameThatTheFilmHoldsIsFound) {
  const TempFolder folder;
  for (const char* name : {"film.mp4", "film.mkv"}) {
    const auto source = open_clip(make_clip(
        folder, name,
        "-f lavfi -i \"color=black:s=64x48:r=25,format=yuv420p,geq=lum='16+4*N':cb=128:cr=128,"
        "setpts='if(lt(N,9),N,N+25)/25/TB'\" -fps_mode vfr -frames:v 20 " +
            std::string(kWithUnneeded)));
    ASSERT_TRUE(source);
    ASSERT_TRUE(source->seek(700 * kMillisecondNs)) << name;
    EXPECT_EQ(frame_number(next_picture(*source)), 8) << name;
    EXPECT_EQ(frame_number(next_picture(*source)), 9) << name;
  }
}

}  // namespace
}  // namespace sail
