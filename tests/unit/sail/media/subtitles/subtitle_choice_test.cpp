#include "sail/media/subtitles/subtitle_choice.h"

#include <gtest/gtest.h>

#include "tests/support/temp_folder.h"

namespace sail {
namespace {

using Kind = SubtitleChoice::Kind;

TEST(SubtitleChoice, ReadsWordsNumbersAndFiles) {
  EXPECT_EQ(parse_subtitle_choice("off"), SubtitleChoice{.kind = Kind::kOff});
  EXPECT_EQ(parse_subtitle_choice("auto"), SubtitleChoice{.kind = Kind::kAuto});
  EXPECT_EQ(parse_subtitle_choice("2"), (SubtitleChoice{.kind = Kind::kTrack, .track = 2}));
  EXPECT_EQ(parse_subtitle_choice("2.srt"), (SubtitleChoice{.kind = Kind::kFile, .file = "2.srt"}));
  for (const char* text : {"", "0", "65", "99999999999999999999999"}) {
    EXPECT_FALSE(parse_subtitle_choice(text)) << text;
  }
}

TEST(SubtitleChoice, NumbersStandForChoices) {
  for (const int number : {kForcedSubtitleTrack, kNoSubtitleTrack, 1, kMaxSubtitleTrack}) {
    EXPECT_EQ(subtitle_number(subtitle_choice(number)), number);
  }
  EXPECT_EQ(subtitle_choice(2), (SubtitleChoice{.kind = Kind::kTrack, .track = 2}));
  EXPECT_EQ(subtitle_number({.kind = Kind::kFile, .file = "a.srt"}), std::nullopt);
}

TEST(SubtitleChoice, FindsFilesBesideTheFilmByName) {
  const TempFolder folder;
  const std::string film = folder.write("film.one.mkv", "");
  for (const char* name : {"film.one.srt", "film.one.de.forced.ass", "film.one.sdh.eng.vtt",
                           "film.one.jpg", "film.onex.srt", "film.two.srt"}) {
    folder.write(name, "");
  }
  const std::vector<SubtitleTrackFacts> wanted = {
      {.language = "de",
       .format = "ass",
       .forced = true,
       .file = folder.file("film.one.de.forced.ass")},
      {.language = "eng", .format = "webvtt", .file = folder.file("film.one.sdh.eng.vtt")},
      {.language = "", .format = "subrip", .file = folder.file("film.one.srt")}};
  EXPECT_EQ(subtitle_files_beside(film), wanted);
  EXPECT_EQ(list_subtitles(wanted),
            "1: film.one.de.forced.ass; 2: film.one.sdh.eng.vtt; 3: film.one.srt");
  EXPECT_TRUE(subtitle_files_beside(folder.file("absent.mkv")).empty());
  EXPECT_TRUE(subtitle_files_beside("http://host/film.one.mkv").empty());
}

TEST(SubtitleChoice, AForcedTrackIsThatOfTheSoundsLanguage) {
  const std::vector<SubtitleTrackFacts> tracks = {
      {.language = "ger", .format = "subrip"},
      {.language = "eng", .format = "subrip", .forced = true},
      {.language = "ger", .format = "subrip", .forced = true}};
  EXPECT_EQ(find_forced_track(tracks, "deu"), 2U);
  EXPECT_EQ(find_forced_track(tracks, "en"), 1U);
  EXPECT_EQ(find_forced_track(tracks, "und"), 1U);
  EXPECT_EQ(find_forced_track(tracks, "fra"), std::nullopt);
  EXPECT_EQ(find_forced_track({}, ""), std::nullopt);
  const std::vector<SubtitleTrackFacts> untold = {
      {.language = "", .format = "subrip", .forced = true}};
  EXPECT_EQ(find_forced_track(untold, "deu"), 0U) << "it may be of that language";
}

}  // namespace
}  // namespace sail
