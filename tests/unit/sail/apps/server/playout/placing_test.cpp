// Placing of films on disk servers by the film server: listing and reading placed films, and
// interrupted placing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "sail/apps/server/playout/placer.h"
#include "tests/support/disk_server_thread.h"
#include "tests/support/file_size_limit.h"
#include "tests/support/film_server_thread.h"
#include "tests/support/headless_wall.h"
#include "tests/support/temp_folder.h"
#include "tests/support/test_film.h"

namespace server {
namespace {

namespace fs = std::filesystem;
using sail::ErrorCode;
using sail::Json;
using testing::HasSubstr;

// Smaller than the film's first part.
constexpr rlim_t kSmallDisk = 1'200'000;

class PlacingTest : public testing::Test {
 protected:
  PlacingTest() {
    fs::create_directories(folder_.file("films/lobby"));
    test::write_test_film(folder_.file("films/lobby/film.vmov"),
                          {.size = {640, 360}, .codec = "dxt1", .frames = 30});
    for (const char* name : {"a", "b", "c"}) {
      fs::create_directory(folder_.file(name));
      disks_.push_back(std::make_unique<test::DiskServerThread>(
          DiskServerOptions{.folder = folder_.file(name), .peak_mb_per_s = 2}));
    }
    start();
  }

  void start() {
    films_.reset();
    std::vector<sail::Address> disks;
    for (const auto& disk : disks_) disks.push_back(disk->address());
    films_ = std::make_unique<test::FilmServerThread>(
        FilmServerOptions{.library = Library::open(folder_.file("films")).value(),
                          .poster_program = POSTER_PROGRAM,
                          .source_mb_per_s = 100,
                          .disks = std::move(disks)});
  }
  Json film() { return films_->call("titles")["titles"].at(0); }
  size_t files(const char* disk, bool finished) {
    size_t count = 0;
    for (const auto& entry : fs::directory_iterator(folder_.file(disk))) {
      count += entry.path().filename().string().starts_with('.') != finished ? 1 : 0;
    }
    return count;
  }

  const sail::TempFolder folder_;
  std::vector<std::unique_ptr<test::DiskServerThread>> disks_;
  std::unique_ptr<test::FilmServerThread> films_;
};

TEST_F(PlacingTest, APlacedFilmIsListedWithItsDisksAndNeedsNoOriginal) {
  const Json before = film();
  EXPECT_EQ(before["disks"], Json::array());
  const Json placed = films_->call("place", {{"title", "lobby/film.vmov"}, {"copies", 2}});
  EXPECT_EQ(placed["disks"].size(), 3U);
  for (const char* disk : {"a", "b", "c"}) EXPECT_EQ(files(disk, true), 2U) << disk;
  fs::remove(folder_.file("films/lobby/film.vmov"));
  start();
  Json after = film();
  for (const char* same :
       {"title", "size", "codec", "duration_s", "bytes", "mb_per_s", "playable"}) {
    EXPECT_EQ(after[same], before[same]) << same;
  }
  EXPECT_EQ(after["disks"], placed["disks"]);
  const Json sources = films_->call("sources")["sources"];
  ASSERT_EQ(sources.size(), 2U);
  EXPECT_EQ(sources[1]["source"], "disks");
  EXPECT_EQ(sources[1]["disks"].size(), 3U);
  EXPECT_TRUE(test::eventually([&] {
    return films_->call("sources")["sources"][1]["peak_mb_per_s"] == 6.0;
  })) << "the sum of what they told";
}

// The poster program has no network, so the film's bytes are fed to it.
TEST_F(PlacingTest, PlacedFilmsHavePosters) {
  test::write_test_cards(folder_.file("films/c.mkv"), {.size = {640, 360}, .frames = 60},
                         "-c:v mpeg4");
  for (const char* title : {"lobby/film.vmov", "c.mkv"}) {
    films_->call("place", {{"title", title}});
    fs::remove(folder_.file("films") + "/" + title);
  }
  start();
  for (const char* title : {"lobby/film.vmov", "c.mkv"}) {
    EXPECT_TRUE(test::eventually([&] {
      return films_->ask("poster", {{"title", title}}).has_value();
    })) << title;
  }
}

TEST_F(PlacingTest, AFullDiskPlacesNothingAndIsGoneOnWithLater) {
  {
    const test::FileSizeLimit full(kSmallDisk);
    const auto placed = films_->ask("place", {{"title", "lobby/film.vmov"}});
    ASSERT_FALSE(placed);
    EXPECT_THAT(placed.error().message, HasSubstr("disk server 127.0.0.1:"));
    EXPECT_THAT(placed.error().message, HasSubstr("cannot write"));
  }
  EXPECT_EQ(film()["disks"], Json::array()) << "it is not there";
  EXPECT_FALSE(fs::exists(folder_.file("films/lobby/film.vmov.xnd")));
  EXPECT_EQ(files("a", true), 0U);
  EXPECT_GT(files("a", false), 0U) << "what was copied stays";
  EXPECT_EQ(films_->call("place", {{"title", "lobby/film.vmov"}})["disks"].size(), 3U);
  for (const char* disk : {"a", "b", "c"}) EXPECT_EQ(files(disk, false), 0U) << disk;
  fs::remove(folder_.file("films/lobby/film.vmov"));
  start();
  EXPECT_EQ(film()["playable"], true);
}

TEST_F(PlacingTest, ADiskServerThatIsNotThereIsNamed) {
  disks_[1]->stop();
  const auto placed = films_->ask("place", {{"title", "lobby/film.vmov"}});
  ASSERT_FALSE(placed);
  EXPECT_THAT(placed.error().message, HasSubstr(sail::address_text(disks_[1]->address())));
  EXPECT_FALSE(fs::exists(folder_.file("films/lobby/film.vmov.xnd")));
}

TEST_F(PlacingTest, AFullDiskServerRefusesFilmsThoughOthersAreIdle) {
  test::write_test_film(folder_.file("films/other.vmov"), {.size = {640, 360}, .frames = 5});
  const Json other = films_->call("place", {{"title", "other.vmov"}, {"stripe", 1}});
  films_->call("place", {{"title", "lobby/film.vmov"}});
  const auto full = other["disks"].at(0).get<std::string>();
  std::vector<Promise> kept;  // used on the server's thread
  const auto ask = [&](const std::string& title, double mb_per_s, bool best_effort) {
    return films_->run([&](FilmServer& server) {
      const auto path = server.files().library.find(title).value();
      const auto shares = server.files().storage->open(path).value()->shares();
      return server.reserve(title, {mb_per_s, best_effort, shares}).map([&](Promise promise) {
        kept.push_back(std::move(promise));
      });
    });
  };
  const auto let_go = [&] {
    films_->run([&](FilmServer&) {
      kept.clear();
      return true;
    });
  };
  // Each disk gives 2 MB/s, of which 1.7 may be reserved.
  EXPECT_TRUE(ask("lobby/film.vmov", 1, true));
  ASSERT_TRUE(test::eventually(
      [&] { return films_->call("sources")["sources"][1]["peak_mb_per_s"] == 6.0; }));
  const auto only_there = ask("other.vmov", 1.5, false);
  ASSERT_TRUE(only_there) << only_there.error().message;
  const auto refused = ask("lobby/film.vmov", 1.5, false);
  ASSERT_FALSE(refused) << "by the sum there would be room";
  EXPECT_EQ(refused.error().code, ErrorCode::kBusy);
  EXPECT_THAT(refused.error().message, HasSubstr("MB/s from disk server " + full));
  EXPECT_THAT(refused.error().message, HasSubstr("1.50 are already reserved"));
  EXPECT_TRUE(ask("lobby/film.vmov", 0.9, true));
  const Json sources = films_->call("sources");
  for (const Json& disk : sources["sources"][1]["disks"]) {
    EXPECT_EQ(disk["admitted_mb_per_s"], disk["disk"] == full ? 1.5 : 0.0);
  }
  let_go();
  const auto admitted = ask("lobby/film.vmov", 1.5, false);
  EXPECT_TRUE(admitted) << admitted.error().message;
  let_go();
}

TEST_F(PlacingTest, WhatCannotBeIsSaid) {
  const auto refusal = [&](const Json& params) {
    const auto placed = films_->ask("place", params);
    return placed ? std::string("placed") : placed.error().message;
  };
  EXPECT_THAT(refusal({{"title", "nothing.vmov"}}), HasSubstr("there is no film"));
  EXPECT_THAT(refusal({{"title", "../film.vmov"}}), HasSubstr("a title is"));
  EXPECT_THAT(refusal({{"title", "lobby/film.vmov"}, {"copies", 4}}), HasSubstr("3 disk servers"));
  EXPECT_THAT(refusal({{"title", "lobby/film.vmov"}, {"stripe", 4}}), HasSubstr("3 disk servers"));
  EXPECT_THAT(refusal({{"title", "lobby/film.vmov"}, {"copies", 0}}), HasSubstr("copies"));
  EXPECT_THAT(refusal({{"title", "lobby"}}), HasSubstr("numbered files"));
  disks_.clear();
  start();
  EXPECT_THAT(refusal({{"title", "lobby/film.vmov"}}), HasSubstr("--disk"));
}

}  // namespace
}  // namespace server
