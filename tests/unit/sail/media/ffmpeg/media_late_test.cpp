// Pictures that MediaSource leaves out because they are late.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "sail/core/time/clock.h"
#include "sail/media/film/film_files.h"
#include "tests/unit/sail/apps/play/clips.h"

namespace sail {
namespace {

using testing::ElementsAre;

constexpr int kFrames = 100;
constexpr const char* kWithUnusedFrames = "-c:v libx264 -g 50 -bf 2 -b_strategy 0 -qp 4";
constexpr const char* kHevc =
    "-c:v libx265 -preset ultrafast -x265-params bframes=2:b-adapt=0:qp=4:log-level=none";

// All pictures are late. Counts how often the source asks.
void leave_all_out(Source& source, int& asked) {
  source.leave_out([&asked](int64_t, int64_t) {
    ++asked;
    return true;
  });
}

TEST(MediaLate, OnlyLatePicturesAreLeftOut) {
  const TempFolder folder;
  const auto source =
      open_clip(make_clip(folder, "film.mkv", counting_frames("64x48", 20, 25) + " -c:v ffv1"));
  ASSERT_TRUE(source);
  source->leave_out([](int64_t pts_ns, int64_t duration_ns) {
    EXPECT_EQ(duration_ns, 40 * kMillisecondNs);
    return pts_ns >= 200 * kMillisecondNs && pts_ns < 400 * kMillisecondNs;
  });
  for (int n = 0; n < 20; n = n == 4 ? 10 : n + 1) {
    EXPECT_EQ(frame_number(next_picture(*source)), n);
    EXPECT_EQ(source->take_left_out(), n == 10 ? 5U : 0U) << n;
  }
  EXPECT_TRUE(times_ms(*source).empty());
}

TEST(MediaLate, TheFirstAndTheLastPictureAreNeverLeftOut) {
  const TempFolder folder;
  const std::string frames = counting_frames("128x96", kFrames, 25);
  const struct {
    const char* name;
    std::string codec;
    bool hurries;  // the decoder itself leaves out frames
  } films[] = {{"film.mp4", kWithUnusedFrames, true},
               {"film.mkv", kWithUnusedFrames, true},
               {"hevc.mp4", kHevc, true},
               {"hevc.ts", kHevc, false},  // its layers are not known
               {"film.avi", "-c:v mjpeg -q:v 2", false}};
  for (const auto& film : films) {
    const auto source = open_clip(make_clip(folder, film.name, frames + " " + film.codec));
    ASSERT_TRUE(source);
    int asked = 0;
    leave_all_out(*source, asked);
    EXPECT_THAT(times_ms(*source), ElementsAre(0, 3960)) << film.name;
    EXPECT_EQ(source->take_left_out(), kFrames - 2U) << film.name;
    EXPECT_EQ(asked < kFrames - 5, film.hurries) << film.name << ": " << asked;
    ASSERT_TRUE(source->seek(1000 * kMillisecondNs));
    const int late = frame_number(next_picture(*source));
    EXPECT_EQ(source->take_left_out(), 0U) << film.name;
    // Nothing is left out as soon as nothing is late.
    source->leave_out({});
    ASSERT_TRUE(source->seek(1000 * kMillisecondNs));
    EXPECT_EQ(frame_number(next_picture(*source)), late) << film.name;
    ASSERT_TRUE(source->seek(0));
    EXPECT_EQ(times_ms(*source).size(), size_t{kFrames}) << film.name;
    EXPECT_FALSE(source->take_complaint()) << film.name;
  }
}

TEST(MediaLate, TheDecoderLeavesNothingOutOnceItIsInTime) {
  const TempFolder folder;
  const auto source = open_clip(make_clip(
      folder, "film.mp4", counting_frames("64x48", kFrames, 25) + " " + kWithUnusedFrames));
  ASSERT_TRUE(source);
  source->leave_out([](int64_t pts_ns, int64_t) { return pts_ns < 500 * kMillisecondNs; });
  const std::vector<int64_t> times = times_ms(*source);
  EXPECT_EQ(times.size() + source->take_left_out(), size_t{kFrames});
  // Frames that the decoder already has come late.
  EXPECT_GT(times.size(), 60U);
  for (size_t i = times.size() - 50; i < times.size(); ++i) {
    EXPECT_EQ(times[i] - times[i - 1], 40) << i;
  }
}

// ICtCp cannot be converted: each attempt is an error.
TEST(MediaLate, LatePicturesAreNotConverted) {
  const TempFolder folder;
  const auto source =
      open_clip(make_clip(folder, "film.mkv",
                          counting_frames("64x48", 10, 25) +
                              " -pix_fmt yuv420p10le -c:v ffv1 -color_range tv "
                              "-colorspace ictcp -color_primaries bt2020 -color_trc smpte2084"));
  ASSERT_TRUE(source);
  int asked = 0;
  leave_all_out(*source, asked);
  EXPECT_FALSE(source->next()) << "the first";
  EXPECT_FALSE(source->next()) << "the last";
  const auto end = source->next();
  ASSERT_TRUE(end) << end.error().message;
  EXPECT_FALSE(*end);
  EXPECT_EQ(asked, 9);
}

// After late pictures from 0.4 s to 1.5 s come the same pictures as without them.
void expect_unchanged_after_late_ones(const std::string& film, const SubtitleChoice& subtitles) {
  MediaOptions options{.threads = 2};
  options.subtitles = subtitles;
  options.needs_subtitles = subtitles.is_explicit();
  const auto whole = MediaSource::open(film, options);
  const auto source = MediaSource::open(film, options);
  ASSERT_TRUE(whole && source);
  (*source)->leave_out([](int64_t pts_ns, int64_t) {
    return pts_ns > 400 * kMillisecondNs && pts_ns < 1500 * kMillisecondNs;
  });
  int same = 0;
  for (;;) {
    const auto shown = (*source)->next();
    ASSERT_TRUE(shown) << shown.error().message;
    if (!*shown) break;
    Picture wanted = next_picture(**whole);
    while (wanted.pts_ns < (*shown)->pts_ns) wanted = next_picture(**whole);
    EXPECT_EQ(wanted.pts_ns, (*shown)->pts_ns);
    EXPECT_EQ(luma(wanted), luma(**shown)) << "at " << wanted.pts_ns;
    ++same;
  }
  EXPECT_GT(same, 20);
  EXPECT_GT((*source)->take_left_out(), 20U);
}

TEST(MediaLate, DeinterlacingGetsAllFields) {
  const TempFolder folder;
  expect_unchanged_after_late_ones(
      make_clip(folder, "film.mkv",
                "-f lavfi -i testsrc2=s=128x96:r=50:d=4 -vf tinterlace=interleave_top "
                "-flags +ildct+ilme -c:v mpeg2video -bf 2 -q:v 2"),
      {});
}

TEST(MediaLate, SubtitlesThatBeginMeanwhileAreShown) {
  const TempFolder folder;
  const std::string text = folder.write("text.srt", "1\n00:00:01,000 --> 00:00:02,000\nWWWWWW\n");
  const std::string film = make_clip(folder, "film.mkv",
                                     "-i '" + text + "' " + counting_frames("320x180", 75, 25) +
                                         " -map 1 -map 0 -c:s srt " + kWithUnusedFrames);
  expect_unchanged_after_late_ones(film, {.kind = SubtitleChoice::Kind::kTrack, .track = 1});
}

TEST(MediaLate, NumberedFilmsKeepTheirEnds) {
  for (const auto& [missing, shown] :
       {std::pair(MissingAction::kHold, 2), {MissingAction::kBlack, 8}}) {
    const TempFolder folder;
    make_clip(folder, "reel.%04d.dpx", counting_frames("64x48", 8, 25) + " -pix_fmt rgb24");
    MediaOptions options{.threads = 2};
    options.sequence_fps = 25;
    options.missing = missing;
    const auto source = open_decoded_film(folder.path().string(), options);
    ASSERT_TRUE(source) << source.error().message;
    int asked = 0;
    leave_all_out(**source, asked);
    const std::vector<int64_t> times = times_ms(**source);
    EXPECT_EQ(times.size(), static_cast<size_t>(shown)) << "black would be shown instead";
    EXPECT_EQ(times.back(), 280);
    EXPECT_EQ((*source)->take_left_out(), 8U - times.size());
  }
}

}  // namespace
}  // namespace sail
