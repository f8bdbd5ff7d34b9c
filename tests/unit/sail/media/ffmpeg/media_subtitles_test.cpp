#include <gtest/gtest.h>

#include <algorithm>

#include "sail/core/time/clock.h"
#include "tests/unit/sail/apps/play/clips.h"

namespace sail {
namespace {

using Kind = SubtitleChoice::Kind;

constexpr const char* kDarkFilm = "-f lavfi -i color=0x202020:s=320x180:r=25:d=4 ";
constexpr const char* kCodec = " -c:v libx264 -preset ultrafast -g 12 -pix_fmt yuv420p ";

// Text from 1 s to 2 s, and from 3 s.
std::string write_subtitles(const TempFolder& folder, const std::string& name = "text.srt") {
  return folder.write(name,
                      "1\n00:00:01,000 --> 00:00:02,000\nWWWWWW\n\n"
                      "2\n00:00:03,000 --> 00:00:03,500\nMMMMMM\n");
}

std::string film_with(const TempFolder& folder, const std::string& name, const std::string& codec,
                      const std::string& more = "") {
  return make_clip(folder, name,
                   kDarkFilm + ("-i '" + write_subtitles(folder)) + "' -map 0 -map 1" + kCodec +
                       "-c:s " + codec + " " + more);
}

std::unique_ptr<MediaSource> open_with(const std::string& film, const SubtitleChoice& choice) {
  MediaOptions options;
  options.threads = 2;
  options.subtitles = choice;
  auto source = MediaSource::open(film, options);
  EXPECT_TRUE(source) << source.error().message;
  return source ? std::move(*source) : nullptr;
}

SubtitleChoice track(size_t number) {
  return {.kind = Kind::kTrack, .track = number};
}

std::vector<uint8_t> luma_of(const Picture& picture) {
  std::vector<uint8_t> luma;
  for (int y = 0; y < picture.size.height; ++y) {
    const uint8_t* row = picture.pixels.planes[0] + y * picture.pixels.strides[0];
    luma.insert(luma.end(), row, row + picture.size.width);
  }
  return luma;
}

// The brightest sample in the upper two thirds, and below.
std::pair<int, int> brightest(const Picture& picture) {
  const auto luma = luma_of(picture);
  const auto middle = luma.begin() + static_cast<ptrdiff_t>(luma.size()) * 2 / 3;
  return {*std::max_element(luma.begin(), middle), *std::max_element(middle, luma.end())};
}

bool shows_text(const Picture& picture) {
  const auto [above, below] = brightest(picture);
  EXPECT_LT(above, 80) << "at " << picture.pts_ns;
  EXPECT_TRUE(below < 80 || below > 180) << below << " at " << picture.pts_ns;
  return below > 180;
}

Picture picture_at(MediaSource& source, int64_t ms) {
  EXPECT_TRUE(source.seek(ms * kMillisecondNs));
  return next_picture(source);
}

class TextTrack : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(TextTrack, IsShownAtItsTimes) {
  const TempFolder folder;
  const std::string film = film_with(folder, GetParam().first, GetParam().second);
  const auto plain = open_clip(film);
  const auto source = open_with(film, track(1));
  ASSERT_TRUE(plain && source);
  for (int round = 0; round < 2; ++round) {
    for (int n = 0; n < 100; ++n) {
      const Picture without = next_picture(*plain);
      const Picture picture = next_picture(*source);
      const bool due = (n >= 25 && n < 50) || (n >= 75 && n < 88);
      EXPECT_EQ(shows_text(picture), due) << n;
      EXPECT_TRUE(due || luma_of(picture) == luma_of(without)) << n;
    }
    ASSERT_TRUE(plain->seek(0) && source->seek(0));
  }
  EXPECT_EQ(source->take_complaint(), std::nullopt);
}

TEST_P(TextTrack, IsRightAfterASeek) {
  const TempFolder folder;
  const auto source = open_with(film_with(folder, GetParam().first, GetParam().second), track(1));
  ASSERT_TRUE(source);
  // First to the middle of a subtitle, whose packet lies before the key frame.
  for (const int64_t ms : {1880, 3200, 0, 1000, 2000, 3480, 1960, 960}) {
    const bool due = (ms >= 1000 && ms < 2000) || (ms >= 3000 && ms < 3500);
    EXPECT_EQ(shows_text(picture_at(*source, ms)), due) << ms;
  }
}

INSTANTIATE_TEST_SUITE_P(Films, TextTrack,
                         testing::Values(std::pair("a.mkv", "srt"), std::pair("b.mkv", "ass"),
                                         std::pair("c.mp4", "mov_text")),
                         [](const auto& film) { return std::string(film.param.second); });

// A Blu-ray stream: a white bar of 200x20 on a canvas of 640x360 for a second.
std::string bar_stream() {
  std::string bytes;
  const auto put = [](std::string& to, uint64_t value, int count) {
    while (count-- > 0) to.push_back(static_cast<char>(value >> 8 * count));
  };
  const auto segment = [&](uint32_t stamp, int type, const std::string& content) {
    bytes += "PG";
    put(bytes, stamp, 4);
    put(bytes, 0, 4);
    put(bytes, static_cast<uint64_t>(type), 1);
    put(bytes, content.size(), 2);
    bytes += content;
  };
  const auto composition = [&](uint64_t number, bool shows) {
    std::string content;
    for (const auto& [value, count] :
         std::initializer_list<std::pair<uint64_t, int>>{{640, 2},
                                                         {360, 2},
                                                         {0x10, 1},
                                                         {number, 2},
                                                         {shows ? 0x80 : 0, 1},
                                                         {0, 2},
                                                         {shows ? 1 : 0, 1}}) {
      put(content, value, count);
    }
    if (shows) {
      put(content, 0, 4);
      put(content, 220, 2);
      put(content, 300, 2);
    }
    return content;
  };
  std::string bar;
  for (int row = 0; row < 20; ++row) bar += std::string("\0\xc0\xc8\x01\0\0", 6);
  std::string object("\0\0\0\xc0", 4);
  put(object, bar.size() + 4, 3);
  put(object, 200, 2);
  put(object, 20, 2);
  segment(90'000, 0x16, composition(0, true));
  segment(90'000, 0x17, std::string("\x01\0\0\xdc\x01\x2c\0\xc8\0\x14", 10));
  segment(90'000, 0x14, std::string("\0\0\x01\xeb\x80\x80\xff", 7));
  segment(90'000, 0x15, object + bar);
  segment(90'000, 0x80, "");
  segment(180'000, 0x16, composition(1, false));
  segment(180'000, 0x80, "");
  return bytes;
}

class PictureTrack : public testing::TestWithParam<const char*> {};

TEST_P(PictureTrack, IsScaledToTheFilm) {
  const TempFolder folder;
  const std::string stream = folder.write("bar.sup", bar_stream());
  const auto source = open_with(make_clip(folder, "film.mkv",
                                          std::string(kDarkFilm) + "-itsoffset 1 -i '" + stream +
                                              "' -map 0 -map 1" + kCodec + "-c:s " + GetParam()),
                                track(1));
  ASSERT_TRUE(source);
  ASSERT_EQ(source->info().subtitles.size(), 1U);
  EXPECT_TRUE(source->info().subtitles[0].pictures);
  for (const int64_t ms : {1500, 500, 1040, 2500}) {
    // FFmpeg's encoder of DVD subtitles does not keep their ends.
    if (ms == 2500 && std::string_view(GetParam()) == "dvdsub") continue;
    const Picture picture = picture_at(*source, ms);
    const bool due = ms >= 1000 && ms < 2000;
    EXPECT_EQ(colour_at(picture, 160, 155)[0] > 220, due) << ms;
    EXPECT_LT(colour_at(picture, 105, 155)[0], 80) << "left of the bar";
    EXPECT_LT(colour_at(picture, 160, 145)[0], 80) << "above the bar";
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, PictureTrack, testing::Values("copy", "dvdsub"));

TEST(MediaSubtitles, TheFactsListThemInTheOrderOfTheirNumbers) {
  const TempFolder folder;
  const std::string film = film_with(folder, "film.mkv", "ass",
                                     "-metadata:s:s:0 language=ger -metadata:s:s:0 title=Schilder "
                                     "-disposition:s:0 forced");
  write_subtitles(folder, "film.en.srt");
  const auto source = open_with(film, kForcedSubtitles);
  ASSERT_TRUE(source);
  const std::vector<SubtitleTrackFacts> wanted = {
      {.language = "ger", .format = "ass", .forced = true, .title = "Schilder"},
      {.language = "en", .format = "subrip", .file = folder.file("film.en.srt")}};
  EXPECT_EQ(source->info().subtitles, wanted);
}

TEST(MediaSubtitles, FilesBesideTheFilmFollowItsTracks) {
  const TempFolder folder;
  const std::string film = make_clip(folder, "film.mkv", std::string(kDarkFilm) + kCodec);
  write_subtitles(folder, "film.en.srt");
  const auto source = open_with(film, track(1));
  ASSERT_TRUE(source);
  EXPECT_TRUE(shows_text(picture_at(*source, 1500)));
  ASSERT_TRUE(source->choose_subtitles({.kind = Kind::kOff}));
  EXPECT_FALSE(shows_text(picture_at(*source, 1500)));
  ASSERT_TRUE(source->choose_subtitles({.kind = Kind::kFile, .file = folder.file("film.en.srt")}));
  EXPECT_TRUE(shows_text(picture_at(*source, 1500)));
}

TEST(MediaSubtitles, ExcessiveMarkupIsShownAsPlainTextAndReported) {
  const TempFolder folder;
  const std::string film = make_clip(folder, "film.mkv", std::string(kDarkFilm) + kCodec);
  const std::string bomb = folder.write(
      "bomb.ass",
      "[Script Info]\nScriptType: v4.00+\nPlayResX: 384\nPlayResY: 288\n[V4+ Styles]\nFormat: "
      "Name, "
      "Fontname, Fontsize, PrimaryColour, Outline, Shadow, Alignment\nStyle: "
      "Default,Sans,30,&Hffffff,1,0,2\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, "
      "MarginR, MarginV, Effect, Text\nDialogue: "
      "0,0:00:01.00,0:00:02.00,Default,,0,0,0,,{\\fs99999\\blur99}WWWWWW\n");
  const auto source = open_with(film, {.kind = Kind::kFile, .file = bomb});
  ASSERT_TRUE(source);
  EXPECT_TRUE(shows_text(picture_at(*source, 1500)));
  const auto complaint = source->take_complaint().value_or("");
  EXPECT_NE(complaint.find("markup of a subtitle exceeds the limits"), std::string::npos)
      << complaint;
}

TEST(MediaSubtitles, AreDrawnInTheColoursOfCinema) {
  const TempFolder folder;
  const std::string film =
      make_clip(folder, "film.nut",
                "-f lavfi -i color=black:s=640x360:r=5:d=2 -c:v rawvideo -pix_fmt xyz12le");
  write_subtitles(folder, "film.en.srt");
  MediaOptions options;
  options.threads = 2;
  options.for_j2k = true;
  options.subtitles = track(1);
  const auto source = MediaSource::open(film, options);
  ASSERT_TRUE(source) << source.error().message;
  const Picture picture = picture_at(**source, 1400);
  ASSERT_EQ(picture.pixels.matrix, SAIL_XYZ);
  int most = 0;
  for (int y = 0; y < picture.size.height; ++y) {
    const auto* row =
        reinterpret_cast<const uint16_t*>(picture.pixels.planes[0] + y * picture.pixels.strides[0]);
    for (int x = 0; x < picture.size.width; ++x) most = std::max<int>(most, row[3 * x + 1]);
  }
  EXPECT_GT(most, 3000);
  EXPECT_LE(most, 3962) << "white of 48 cd/m² is not the largest code";
  EXPECT_EQ((*source)->take_complaint(), std::nullopt);
}

TEST(MediaSubtitles, AreDrawnInTheColoursOfTheDisplay) {
  const TempFolder folder;
  const std::string film = make_clip(folder, "film.nut",
                                     "-f lavfi -i color=black:s=640x360:r=5:d=2 -c:v rawvideo "
                                     "-pix_fmt bgra");
  folder.write("film.en.srt",
               "1\n00:00:01,000 --> 00:00:02,000\n<font color=\"#ff0000\">MMMMMM</font>\n");
  MediaOptions options;
  options.threads = 2;
  options.display = {codecs::Primaries::kP3, 300, 2.2};
  options.subtitles = track(1);
  const auto source = MediaSource::open(film, options);
  ASSERT_TRUE(source) << source.error().message;
  const Picture picture = picture_at(**source, 1400);
  PixelColour reddest{};
  for (int y = 0; y < picture.size.height; ++y) {
    for (int x = 0; x < picture.size.width; ++x) {
      const PixelColour colour = colour_at(picture, x, y);
      if (colour[0] > reddest[0]) reddest = colour;
    }
  }
  expect_near(reddest, {233, 54, 40}, 3, film);
}

// U+0378 is not assigned, so no font has it.
TEST(MediaSubtitles, ACharacterThatNoFontHasIsNamedOnce) {
  const TempFolder folder;
  const std::string film = make_clip(folder, "film.mkv", std::string(kDarkFilm) + kCodec);
  folder.write("film.en.srt",
               "1\n00:00:01,000 --> 00:00:02,000\nW\u200d \u0378\u0378\n\n"
               "2\n00:00:03,000 --> 00:00:04,000\n\u0379\n");
  const auto source = open_with(film, track(1));
  ASSERT_TRUE(source);
  for (const int64_t ms : {500, 1500, 3500, 1500}) picture_at(*source, ms);
  const auto complaint = source->take_complaint();
  ASSERT_TRUE(complaint);
  EXPECT_NE(complaint->find("U+0378 (Greek)"), std::string::npos) << *complaint;
  EXPECT_EQ(source->take_complaint(), std::nullopt);
}

TEST(MediaSubtitles, AutoShowsOnlyForcedOnes) {
  const TempFolder folder;
  const auto plain = open_with(film_with(folder, "default.mkv", "srt", "-disposition:s:0 default"),
                               kForcedSubtitles);
  EXPECT_FALSE(shows_text(picture_at(*plain, 1500)));
  const auto forced = open_with(film_with(folder, "forced.mkv", "srt", "-disposition:s:0 forced"),
                                kForcedSubtitles);
  EXPECT_TRUE(shows_text(picture_at(*forced, 1500)));
}

TEST(MediaSubtitles, AnAbsentTrackIsReportedWithTheList) {
  const TempFolder folder;
  const auto source =
      open_with(film_with(folder, "film.mkv", "srt", "-metadata:s:s:0 language=ger"), track(3));
  ASSERT_TRUE(source);
  const auto complaint = source->take_complaint().value_or("");
  EXPECT_NE(complaint.find("has no subtitle track 3; it has 1: ger, subrip"), std::string::npos)
      << complaint;
  EXPECT_FALSE(shows_text(picture_at(*source, 1500)));
}

}  // namespace
}  // namespace sail
