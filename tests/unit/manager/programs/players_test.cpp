// Players whose connection is lost.
#include "manager/programs/players.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "manager/media/player_purpose.h"
#include "manager/programs/process_restarter.h"
#include "sail/core/time/clock.h"
#include "tests/support/loop_test.h"
#include "tests/support/temp_folder.h"

namespace manager {
namespace {

using sail::kSecondNs;

TEST(RestartedFilm, KeepsTheChosenTracks) {
  SavedWindow saved;
  saved.content.emplace();
  saved.content->media = {"/film.mkv"};
  saved.content->subtitles = "/other.srt";
  saved.playback = sail::Playback{.tracks = sail::FilmTracks{.subtitle = 2, .sound = 1}};
  EXPECT_EQ(request_for(saved).subtitles, "2");
  EXPECT_EQ(request_for(saved).sound_track, "1");
  saved.playback->tracks =
      sail::FilmTracks{.subtitle = std::nullopt, .sound = sail::kAllSoundTracks};
  EXPECT_EQ(request_for(saved).subtitles, "/other.srt") << "the file that is shown";
  EXPECT_EQ(request_for(saved).sound_track, "all");
  saved.playback->tracks = sail::FilmTracks{.subtitle = sail::kNoSubtitleTrack};
  EXPECT_EQ(request_for(saved).subtitles, "off");
  EXPECT_EQ(request_for(saved).sound_track, "");
  saved.playback->tracks = sail::FilmTracks{.subtitle = sail::kForcedSubtitleTrack};
  EXPECT_EQ(request_for(saved).subtitles, "") << "the default";
  saved.content->media.emplace_back("/second.mkv");
  saved.playback->tracks = sail::FilmTracks{.subtitle = 2, .sound = 2};
  EXPECT_EQ(request_for(saved).sound_track, "") << "it is unknown which film was playing";
}

TEST(Players, AnswerNoLongerOnlyUntilTheyReconnect) {
  const sail::TempFolder folder;
  const std::string program = folder.write("player", "#!/bin/sh\nexec sleep 60\n");
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  const std::string film = "server://127.0.0.1:9/film";
  sail::Loop loop;
  ChildPrograms children(loop);
  NodeLogs logs(loop, "");
  Players::Options options;
  options.starter.programs = {{kBplay, program}};
  options.check_rights = [](const PlayRequest&, const Players::Options::Checked& done) {
    done({});
  };
  options.report_after_ms = 60'000;
  Players players(loop, children, logs, std::move(options));
  PlayRequest request;
  request.media = {film};
  uint32_t window = 0;
  players.play(request, std::nullopt, [&](const auto& opened) { window = opened.value_or(0); });
  sail::Content content;
  content.media = {film};
  const std::string name = players.player_for("", content);
  ASSERT_TRUE(players.started(name));
  players.window_opened(name, 1);
  EXPECT_EQ(window, 1U);
  players.cut_off(name, kSecondNs);
  EXPECT_TRUE(players.hanging(2 * kSecondNs).empty());
  EXPECT_THAT(players.hanging(9 * kSecondNs), testing::ElementsAre(testing::HasSubstr("film")));
  players.window_opened(name, 1);
  EXPECT_TRUE(players.hanging(9 * kSecondNs).empty());
}

TEST(Players, TellAProgramWhatItsWindowIsFor) {
  const sail::TempFolder folder;
  const std::string told = folder.file("told");
  const std::string program =
      folder.write("player", "#!/bin/sh\nprintf %s \"$VITRAIL_PURPOSE\" >" + told + ".new\nmv " +
                                 told + ".new " + told + "\nexec sleep 60\n");
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  sail::Loop loop;
  ChildPrograms children(loop);
  NodeLogs logs(loop, "");
  Players::Options options;
  options.starter.programs = {{kBplay, program}};
  options.check_rights = [](const PlayRequest&, const Players::Options::Checked& done) {
    done({});
  };
  options.report_after_ms = 60'000;
  Players players(loop, children, logs, std::move(options));
  PlayRequest request;
  request.media = {"/film.mp4"};
  players.play(request, std::nullopt, [](const auto&) {}, {.prepared = true});
  ASSERT_TRUE(sail::run_until(loop, [&] { return std::filesystem::exists(told); }));
  std::ifstream in(told);
  std::string text;
  std::getline(in, text);
  EXPECT_TRUE(read_purpose(text).prepared) << text;
}

}  // namespace
}  // namespace manager
