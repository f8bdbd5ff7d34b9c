#include "sail/apps/server/catalogue/catalogue_service.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/loop_test.h"
#include "tests/support/temp_folder.h"
#include "tests/support/test_film.h"

namespace server {
namespace {

namespace fs = std::filesystem;
using sail::ErrorCode;

class CatalogueServiceTest : public testing::Test {
 protected:
  using Names = std::vector<std::string>;

  CatalogueServiceTest() {
    fs::create_directory(folder_.file("films"));
    write("a.vmov");
  }
  void write(const std::string& title) const {
    test::write_test_film(folder_.file("films/" + title), {.size = {64, 64}, .frames = 5});
  }
  void start() {
    catalogue_service_.reset();
    catalogue_service_.emplace(loop_, Library::open(folder_.file("films")).value(),
                               folder_.file("films.db"), poster_program_, log_);
  }
  // Replaces vitrail-poster by a shell script; $film is the film.
  void start_with_poster(const std::string& script) {
    poster_program_ = folder_.file("poster");
    folder_.write("poster", "#!/bin/sh\nfor film; do :; done\n" + script);
    fs::permissions(poster_program_, fs::perms::owner_all);
    start();
  }
  sail::Result<Titles> list(const TitlesRequest& request = {}) {
    std::optional<sail::Result<Titles>> answer;
    catalogue_service_->list(request,
                             [&](sail::Result<Titles> titles) { answer = std::move(titles); });
    EXPECT_TRUE(sail::run_until(loop_, [&] { return answer.has_value(); }));
    return std::move(*answer);
  }
  Names names(const TitlesRequest& request = {}) {
    const Titles titles = list(request).value();
    Names names;
    for (const CatalogueEntry& entry : titles.entries) {
      EXPECT_TRUE(entry.facts) << entry.title;
      names.push_back(entry.title);
    }
    return names;
  }
  // Waits until the catalogue has these names; another thread reports changes.
  bool comes_to(const Names& wanted) {
    for (int i = 0; i < 1000; ++i) {
      if (names() == wanted) return true;
      sail::run_some(loop_);
    }
    return false;
  }
  sail::Result<CatalogueEntry> tag(const std::string& title, const Names& tags) {
    std::optional<sail::Result<CatalogueEntry>> answer;
    catalogue_service_->set_tags(title, tags, [&](auto entry) { answer = std::move(entry); });
    EXPECT_TRUE(sail::run_until(loop_, [&] { return answer.has_value(); }));
    return std::move(*answer);
  }

  // Waits until the poster is made or has failed.
  sail::Result<std::string> poster(const std::string& title) {
    for (;;) {
      std::optional<sail::Result<std::string>> answer;
      catalogue_service_->poster(title, [&](auto jpeg) { answer = std::move(jpeg); });
      EXPECT_TRUE(sail::run_until(loop_, [&] { return answer.has_value(); }));
      if (*answer || answer->error().code != ErrorCode::kUnavailable) return std::move(*answer);
    }
  }

  const sail::TempFolder folder_;
  const sail::Log log_{"test", sail::LogLevel::kOff};
  std::string poster_program_ = POSTER_PROGRAM;
  sail::Loop loop_;
  std::optional<CatalogueService> catalogue_service_;
};

TEST_F(CatalogueServiceTest, FollowsFilmsAndFolders) {
  start();
  EXPECT_EQ(names(), (Names{"a.vmov"}));
  fs::create_directories(folder_.file("films/hall/deep"));
  EXPECT_TRUE(comes_to({"a.vmov"}));
  write("hall/deep/b.vmov");
  EXPECT_TRUE(comes_to({"a.vmov", "hall/deep/b.vmov"}));
  fs::rename(folder_.file("films/hall"), folder_.file("films/room"));
  EXPECT_TRUE(comes_to({"a.vmov", "room/deep/b.vmov"}));
  write("room/deep/c.vmov");
  EXPECT_TRUE(comes_to({"a.vmov", "room/deep/b.vmov", "room/deep/c.vmov"}));
  fs::remove_all(folder_.file("films/room"));
  fs::create_directory(folder_.file("films/room"));
  EXPECT_TRUE(comes_to({"a.vmov"}));
  write("room/d.vmov");
  EXPECT_TRUE(comes_to({"a.vmov", "room/d.vmov"})) << "another folder of that name";
}

TEST_F(CatalogueServiceTest, WhatHasNotChangedIsNotLookedIntoAgain) {
  start();
  EXPECT_EQ(names(), (Names{"a.vmov"}));
  catalogue_service_.reset();
  const std::string film = folder_.file("films/a.vmov");
  const auto bytes = fs::file_size(film);
  const auto changed = fs::last_write_time(film);
  folder_.write("films/a.vmov", std::string(bytes, 'x'));
  fs::last_write_time(film, changed);
  start();
  EXPECT_EQ(names(), (Names{"a.vmov"})) << "it is known from before";
  folder_.write("films/a.vmov", std::string(bytes, 'y'));
  EXPECT_TRUE(comes_to({}));
}

TEST_F(CatalogueServiceTest, TagsAreFound) {
  write("b.vmov");
  start();
  const auto tagged = tag("b.vmov", {"night", "lobby"});
  ASSERT_TRUE(tagged) << tagged.error().message;
  EXPECT_EQ(tagged->tags, (Names{"lobby", "night"}));
  EXPECT_EQ(tagged->facts->size, (sail::Size{64, 64}));
  EXPECT_EQ(names({.search = "Nigh"}), (Names{"b.vmov"}));
  EXPECT_EQ(tag("c.vmov", {"night"}).error().code, ErrorCode::kNotFound);
  folder_.write("films/text.mp4", "no film");
  start();
  EXPECT_EQ(tag("text.mp4", {"night"}).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(names({.search = "ni"}), (Names{"b.vmov"}));
}

TEST_F(CatalogueServiceTest, FilmsThatWouldHaveToBeDecodedAreMarked) {
  test::write_test_cards(folder_.file("films/b.mkv"), {.size = {64, 48}, .frames = 5},
                         "-c:v mpeg4");
  start();
  const Titles all = list().value();
  ASSERT_EQ(all.entries.size(), 2U);
  EXPECT_TRUE(all.entries[0].facts->playable);
  EXPECT_FALSE(all.entries[1].facts->playable);
  EXPECT_EQ(names({.playable = true}), (Names{"a.vmov"}));
}

TEST_F(CatalogueServiceTest, FilmsHavePosters) {
  write("b.vmov");
  test::write_test_cards(folder_.file("films/c.mkv"), {.size = {640, 360}, .frames = 30},
                         "-c:v mpeg4");
  folder_.write("films/d.mp4", "no film");
  start();
  const auto stored = poster("b.vmov");
  ASSERT_TRUE(stored) << stored.error().message;
  EXPECT_EQ(stored->substr(0, 3), "\xff\xd8\xff");
  const auto decoded = poster("c.mkv");
  ASSERT_TRUE(decoded) << decoded.error().message;
  EXPECT_LE(decoded->size(), size_t{24} << 10);
  EXPECT_EQ(poster("d.mp4").error().code, ErrorCode::kNotFound);
  EXPECT_EQ(poster("../a.vmov").error().code, ErrorCode::kNotFound);
  const std::string before = *decoded;
  start();
  EXPECT_EQ(poster("c.mkv").value(), before) << "it is kept";
}

// Simulates a film that crashes the decoder.
TEST_F(CatalogueServiceTest, AFilmThatKillsItsPosterIsOnlyWithoutOne) {
  write("b.vmov");
  start_with_poster(R"(
      echo "$film" >> "$(dirname "$0")/tried"
      case $film in */a.vmov) kill -SEGV $$ ;; esac
      printf 'a picture')");
  EXPECT_EQ(poster("a.vmov").error().code, ErrorCode::kNotFound);
  EXPECT_EQ(poster("b.vmov").value(), "a picture");
  start();
  EXPECT_EQ(poster("a.vmov").error().code, ErrorCode::kNotFound) << "it is not tried again";
  EXPECT_EQ(poster("b.vmov").value(), "a picture");
  std::ifstream tried(folder_.file("tried"));
  const Names lines{std::istream_iterator<std::string>(tried), {}};
  EXPECT_THAT(lines, testing::UnorderedElementsAre(folder_.file("films/a.vmov"),
                                                   folder_.file("films/b.vmov")));
}

TEST_F(CatalogueServiceTest, AFilmThatKillsWhoLooksIntoItIsListedWithTheReason) {
  folder_.write("films/b.mkv", "a film");
  folder_.write("films/c.mkv", "a film");
  start_with_poster(R"sh(
      case $1 in --stored) ;; *) exit 1 ;; esac
      shift 2
      for film; do
        echo "$film" >> "$(dirname "$0")/tried"
        case $film in */b.mkv) kill -SEGV $$ ;; esac
        echo '{"size":[64,48],"codec":"h264","duration_ns":5,"fps":25,"playable":false}'
      done)sh");
  EXPECT_EQ(names(), (Names{"a.vmov", "b.mkv", "c.mkv"}));
  EXPECT_EQ(names({.playable = true}), (Names{"a.vmov"}));
  start();
  const Titles titles = list().value();
  EXPECT_EQ(titles.entries.at(1).facts->unreadable, "vitrail-poster was killed by signal 11");
  EXPECT_EQ(titles.entries.at(2).facts->codec, "h264");
  std::ifstream tried(folder_.file("tried"));
  const Names lines{std::istream_iterator<std::string>(tried), {}};
  EXPECT_THAT(lines, testing::UnorderedElementsAre(folder_.file("films/b.mkv"),
                                                   folder_.file("films/c.mkv")))
      << "it is not tried again";
}

TEST_F(CatalogueServiceTest, SaysWhichFilesAreNotListedAndWhy) {
  folder_.write("films/damaged.mp4", "no film");
  folder_.write("films/text.txt", "no film");
  write("broken \xff.vmov");
  start();
  const Titles titles = list().value();
  ASSERT_EQ(titles.entries.size(), 1U);
  ASSERT_EQ(titles.left_out.size(), 2U);
  EXPECT_THAT(titles.left_out.at("broken \xff.vmov"), testing::HasSubstr("UTF-8"));
  const std::string why = titles.left_out.at("damaged.mp4");
  EXPECT_FALSE(why.empty());
  EXPECT_THAT(why, testing::Not(testing::HasSubstr(folder_.file("films"))));
  EXPECT_TRUE(list({.search = "a"}).value().left_out.empty()) << "only with all films";
  for (int i = 0; i < 30; ++i) folder_.write(fmt::format("films/{}.mp4", i), "no film");
  size_t named = 0;
  for (int i = 0; i < 1000 && named != kMostLeftOut; ++i) {
    sail::run_some(loop_);
    named = list().value().left_out.size();
  }
  EXPECT_EQ(named, kMostLeftOut);
}

TEST_F(CatalogueServiceTest, APartOfTheListIsBoundedByItsTracks) {
  for (int i = 0; i < 20; ++i) folder_.write(fmt::format("films/{:02}.mp4", i), "a film");
  start_with_poster(R"sh(
      case $1 in --stored) ;; *) exit 1 ;; esac
      shift 2
      track='{"kind":"sound","number":1,"format":"aac"}'
      tracks=$track
      for i in $(seq 63); do tracks="$tracks,$track"; done
      for film; do
        echo '{"size":[64,48],"codec":"h264","duration_ns":5,"fps":25,"tracks":['"$tracks"']}'
      done)sh");
  const Titles first = list().value();
  EXPECT_EQ(first.entries.size(), kMaxTracksAnswered / sail::kMostListedTracks);
  EXPECT_TRUE(first.more);
  const Titles second = list({.after = first.entries.back().title}).value();
  EXPECT_EQ(second.entries.front().title, fmt::format("{:02}.mp4", first.entries.size()));
}

// Simulates vitrail-poster with a film that never delivers a frame, until it is killed.
TEST_F(CatalogueServiceTest, NobodyWaitsForAPosterThatTakesItsTime) {
  write("b.vmov");
  start_with_poster("mkfifo \"$0.wait\"; read never < \"$0.wait\"");
  const auto asked = [this](const std::string& title) {
    std::optional<sail::Result<std::string>> answer;
    catalogue_service_->poster(title, [&](auto jpeg) { answer = std::move(jpeg); });
    EXPECT_TRUE(sail::run_until(loop_, [&] { return answer.has_value(); }));
    return answer->error().code;
  };
  EXPECT_EQ(asked("a.vmov"), ErrorCode::kUnavailable);
  EXPECT_TRUE(sail::run_until(loop_, [&] { return fs::exists(poster_program_ + ".wait"); }));
  EXPECT_EQ(names(), (Names{"a.vmov", "b.vmov"}));
  EXPECT_EQ(asked("a.vmov"), ErrorCode::kUnavailable);
  EXPECT_EQ(asked("b.vmov"), ErrorCode::kUnavailable);
  EXPECT_EQ(tag("b.vmov", {"night"}).value().tags, (Names{"night"}));
}

TEST_F(CatalogueServiceTest, WithoutThePosterProgramThereAreNone) {
  poster_program_ = folder_.file("nothing");
  start();
  EXPECT_EQ(poster("a.vmov").error().code, ErrorCode::kNotFound);
  poster_program_ = POSTER_PROGRAM;
  start();
  EXPECT_TRUE(poster("a.vmov")) << "nothing was kept of that";
}

// A file without execute permission simulates a system that cannot start programs.
TEST_F(CatalogueServiceTest, PostersThatCannotBeBegunNowAreMadeSoon) {
  poster_program_ = folder_.file("poster");
  folder_.write("poster", "#!/bin/sh\nprintf 'a picture'");
  start();
  for (int i = 0; i < 50; ++i) {
    std::optional<sail::Result<std::string>> answer;
    catalogue_service_->poster("a.vmov", [&](auto jpeg) { answer = std::move(jpeg); });
    ASSERT_TRUE(sail::run_until(loop_, [&] { return answer.has_value(); }));
    ASSERT_EQ(answer->error().code, ErrorCode::kUnavailable) << answer->error().message;
  }
  fs::permissions(poster_program_, fs::perms::owner_all);
  EXPECT_EQ(poster("a.vmov").value(), "a picture");
}

TEST_F(CatalogueServiceTest, TheFolderIsMeasuredOnceByItsLargestFilm) {
  const auto peak = [this](bool anew) {
    std::optional<sail::Result<double>> answer;
    catalogue_service_->peak(anew, [&](sail::Result<double> found) { answer = std::move(found); });
    EXPECT_TRUE(sail::run_until(loop_, [&] { return answer.has_value(); }));
    return std::move(*answer);
  };
  start();
  EXPECT_EQ(peak(false).error().code, ErrorCode::kUnavailable) << "the film is too small";
  folder_.write("films/large.vmov", std::string(3'000'000, 'x'));
  EXPECT_TRUE(comes_to({"a.vmov"}));
  const double measured = peak(false).value();
  EXPECT_GT(measured, 0);
  start();
  EXPECT_EQ(peak(false).value(), measured) << "it is known from before";
  fs::remove(folder_.file("films/large.vmov"));
  EXPECT_EQ(peak(false).value(), measured);
  EXPECT_TRUE(comes_to({"a.vmov"}));
  EXPECT_EQ(peak(true).error().code, ErrorCode::kUnavailable);
}

TEST_F(CatalogueServiceTest, ADamagedCatalogueIsMadeAnew) {
  folder_.write("films.db", std::string(5000, 'x'));
  start();
  EXPECT_EQ(names(), (Names{"a.vmov"}));
  EXPECT_TRUE(fs::exists(folder_.file("films.db.damaged")));
}

TEST_F(CatalogueServiceTest, ManyFilesThatAreNoFilmsDelayNobodyForEver) {
  for (int i = 0; i < 450; ++i) folder_.write(fmt::format("films/{:03}.vmov", i), "nothing");
  start();
  EXPECT_EQ(names(), (Names{"a.vmov"}));
  EXPECT_FALSE(list().value().more);
}

}  // namespace
}  // namespace server
