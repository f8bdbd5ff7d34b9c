#include "sail/apps/server/catalogue/catalogue.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "sail/apps/server/catalogue/catalogue_sql.h"
#include "tests/support/temp_folder.h"

namespace server {
namespace {

namespace fs = std::filesystem;
using sail::ErrorCode;

const FilmFacts kFacts{.size = {1920, 1080},
                       .codec = "dxt1+lz4",
                       .duration_ns = 4'000'000'000,
                       .fps = 23.976,
                       .playable = true};

class CatalogueTest : public testing::Test {
 protected:
  std::string file() const { return folder_.file("films.db"); }
  static Library::Listing listing(const std::vector<std::string>& titles) {
    Library::Listing listing;
    for (const std::string& title : titles) listing.films[title] = {8'000'000, 77};
    return listing;
  }
  static void fill(Catalogue& catalogue, const std::vector<std::string>& titles) {
    ASSERT_TRUE(catalogue.follow(listing(titles)));
    for (const std::string& title : titles) ASSERT_TRUE(catalogue.learn(title, kFacts));
  }
  static std::vector<std::string> found(Catalogue& catalogue, const TitlesRequest& request,
                                        size_t most = 100) {
    const auto entries = catalogue.list(request, most);
    EXPECT_TRUE(entries) << entries.error().message;
    std::vector<std::string> titles;
    for (const CatalogueEntry& entry : entries.value_or(std::vector<CatalogueEntry>())) {
      titles.push_back(entry.title);
    }
    return titles;
  }
  using Titles = std::vector<std::string>;

  const sail::TempFolder folder_;
  const sail::Log log_{"test", sail::LogLevel::kOff};
};

TEST_F(CatalogueTest, KeepsWhatItHasLearnt) {
  {
    Catalogue catalogue = Catalogue::open(file()).value();
    fill(catalogue, {"b.vmov", "a.vmov"});
    ASSERT_TRUE(catalogue.set_tags("a.vmov", {"lobby", "a tour"}));
  }
  Catalogue catalogue = Catalogue::open(file()).value();
  const CatalogueEntry entry = catalogue.find("a.vmov").value().value();
  ASSERT_TRUE(entry.facts);
  EXPECT_EQ(entry.facts->size, kFacts.size);
  EXPECT_EQ(entry.facts->codec, kFacts.codec);
  EXPECT_EQ(entry.facts->duration_ns, kFacts.duration_ns);
  EXPECT_EQ(entry.facts->fps, kFacts.fps);
  EXPECT_TRUE(entry.facts->playable);
  EXPECT_EQ(entry.stamp, (Library::Stamp{8'000'000, 77}));
  EXPECT_EQ(entry.tags, (Titles{"a tour", "lobby"}));
  EXPECT_EQ(needed_mb_per_s(entry.stamp, entry.facts->duration_ns), 2);
  EXPECT_EQ(needed_mb_per_s(entry.stamp, 0), 0) << "nobody knows how long it is";
  EXPECT_EQ(found(catalogue, {}), (Titles{"a.vmov", "b.vmov"}));
  EXPECT_FALSE(catalogue.find("c.vmov").value());
}

TEST_F(CatalogueTest, OnlyWhatHasChangedIsLookedIntoAgain) {
  Catalogue catalogue = Catalogue::open("").value();
  fill(catalogue, {"a.vmov", "b.vmov", "c.vmov"});
  ASSERT_TRUE(catalogue.set_tags("b.vmov", {"lobby"}));
  EXPECT_TRUE(catalogue.next_unread(1).value().empty());
  Library::Listing now = listing({"b.vmov", "c.vmov", "d.vmov"});
  now.films["b.vmov"].changed = 78;
  ASSERT_TRUE(catalogue.follow(now));
  EXPECT_EQ(found(catalogue, {}), (Titles{"b.vmov", "c.vmov", "d.vmov"}));
  EXPECT_EQ(catalogue.next_unread(1).value(), (Titles{"b.vmov"}));
  const Titles unread = catalogue.next_unread(9).value();
  EXPECT_EQ(unread, (Titles{"b.vmov", "d.vmov"}));
  for (const std::string& title : unread) {
    ASSERT_TRUE(catalogue.learn(title, sail::fail(ErrorCode::kBadData, title + " is damaged")));
  }
  EXPECT_EQ(catalogue.left_out(9).value(),
            (LeftOut{{"b.vmov", "b.vmov is damaged"}, {"d.vmov", "d.vmov is damaged"}}));
  EXPECT_EQ(catalogue.left_out(1).value().size(), 1U);
  EXPECT_TRUE(catalogue.next_unread(9).value().empty());
  EXPECT_EQ(found(catalogue, {}), (Titles{"c.vmov"})) << "the others are no films";
  now.films["b.vmov"].changed = 79;
  ASSERT_TRUE(catalogue.follow(now));
  EXPECT_EQ(catalogue.find("b.vmov").value()->tags, (Titles{"lobby"}));
  EXPECT_EQ(found(catalogue, {.search = "LOB"}), (Titles{"b.vmov"}));
}

TEST_F(CatalogueTest, TagsOutliveTheirFilm) {
  Catalogue catalogue = Catalogue::open("").value();
  fill(catalogue, {"a.vmov"});
  ASSERT_TRUE(catalogue.set_tags("a.vmov", {"night"}));
  ASSERT_TRUE(catalogue.follow({}));
  EXPECT_TRUE(found(catalogue, {.search = "night"}).empty());
  fill(catalogue, {"a.vmov"});
  EXPECT_EQ(found(catalogue, {.search = "night"}), (Titles{"a.vmov"}));
  ASSERT_TRUE(catalogue.set_tags("a.vmov", {}));
  EXPECT_TRUE(found(catalogue, {.search = "night"}).empty());
}

TEST_F(CatalogueTest, NamesAndSearchesAreTextAndNothingElse) {
  Catalogue catalogue = Catalogue::open("").value();
  const Titles names = {"%.vmov",       "'; DROP TABLE film; --.vmov", "Ärger.vmov",
                        "a\"b\"c.vmov", "lobby OR night.vmov",         "title:x.vmov",
                        "x*y_z.vmov"};
  fill(catalogue, names);
  EXPECT_EQ(found(catalogue, {}).size(), names.size());
  for (const std::string& name : names) {
    EXPECT_EQ(found(catalogue, {.search = name}), (Titles{name}));
    EXPECT_TRUE(catalogue.find(name).value()) << name;
    ASSERT_TRUE(catalogue.set_tags(name, {name}));
    EXPECT_EQ(catalogue.find(name).value()->tags, (Titles{name}));
  }
  for (const char* search : {"\"", "'", "%", "_", "a\"", "\"\"\"", "* OR *", "title:", "NEAR("}) {
    for (const std::string& title : found(catalogue, {.search = search})) {
      EXPECT_NE(title.find(search), std::string::npos) << search;
    }
  }
  EXPECT_EQ(found(catalogue, {.search = "%"}), (Titles{"%.vmov"}));
  EXPECT_EQ(found(catalogue, {.search = "x*y"}), (Titles{"x*y_z.vmov"}));
  EXPECT_EQ(found(catalogue, {.search = "LOBBY or"}), (Titles{"lobby OR night.vmov"}));
  EXPECT_EQ(found(catalogue, {.search = "är"}), Titles{}) << "two letters: those of ASCII";
  EXPECT_EQ(found(catalogue, {.search = "ärg"}), (Titles{"Ärger.vmov"}));
}

TEST_F(CatalogueTest, KeepsHowFastAFolderIs) {
  {
    Catalogue catalogue = Catalogue::open(file()).value();
    EXPECT_EQ(catalogue.peak("/films").value(), 0);
    ASSERT_TRUE(catalogue.keep_peak("/films", 120.5));
    ASSERT_TRUE(catalogue.keep_peak("/films", 130.5));
  }
  Catalogue catalogue = Catalogue::open(file()).value();
  EXPECT_EQ(catalogue.peak("/films").value(), 130.5);
  EXPECT_EQ(catalogue.peak("/others").value(), 0);
  Library::Listing films = listing({"a.vmov", "b.vmov", "c.vmov"});
  films.films["b.vmov"].bytes = 9'000'000;
  ASSERT_TRUE(catalogue.follow(films));
  const auto largest = catalogue.largest(2).value();
  ASSERT_EQ(largest.size(), 2U);
  EXPECT_EQ(largest[0].title, "b.vmov");
}

class ManyFilms : public CatalogueTest {
 protected:
  static constexpr int kFilms = 5000;
  ManyFilms() {
    std::vector<std::string> titles;
    for (int i = 0; i < kFilms; ++i) titles.push_back(fmt::format("hall/film {:04}.vmov", i));
    fill(catalogue_, titles);
  }
  // SQLite's query plan.
  std::string plan(const char* sql) const {
    Database database = Database::open(file()).value();
    Statement rows = database.prepare(std::string("EXPLAIN QUERY PLAN ") + sql).value();
    std::string plan;
    while (rows.next().value()) plan += rows.text(3) + '\n';
    return plan;
  }

  Catalogue catalogue_ = Catalogue::open(file()).value();
};

TEST_F(ManyFilms, ComeInPages) {
  TitlesRequest request{.search = "FILM 00"};
  Titles all;
  for (;;) {
    const Titles page = found(catalogue_, request, 30);
    if (page.empty()) break;
    all.insert(all.end(), page.begin(), page.end());
    request.after = page.back();
  }
  ASSERT_EQ(all.size(), 100U);
  EXPECT_EQ(all.back(), "hall/film 0099.vmov");
}

TEST_F(ManyFilms, AreSearchedByAnIndex) {
  catalogue_ = Catalogue::open("").value();  // closes the file
  for (const char* sql : {kListAll, kListFound, kFind, kNextUnread, kLargest}) {
    const std::string what = plan(sql);
    EXPECT_EQ(what.find("SCAN film"), what.find("SCAN film USING INDEX")) << sql << '\n' << what;
    EXPECT_EQ(what.find("SCAN tag"), std::string::npos) << sql << '\n' << what;
  }
  EXPECT_NE(plan(kListFound).find("VIRTUAL TABLE INDEX"), std::string::npos) << plan(kListFound);
  EXPECT_NE(plan(kListAll).find("SEARCH film USING INDEX"), std::string::npos) << plan(kListAll);
}

TEST_F(CatalogueTest, WhatIsDamagedIsSetAside) {
  { Catalogue::open(file()).value(); }
  folder_.write("films.db", std::string(10'000, 'x'));
  const auto damaged = Catalogue::open(file());
  ASSERT_FALSE(damaged);
  EXPECT_EQ(damaged.error().code, ErrorCode::kBadData);
  {
    Catalogue catalogue = Catalogue::open_or_begin(file(), log_);
    fill(catalogue, {"a.vmov"});
  }
  EXPECT_EQ(fs::file_size(file() + ".damaged"), 10'000U);
  EXPECT_TRUE(Catalogue::open(file()).value().find("a.vmov").value()) << "the new one is kept";
}

TEST_F(CatalogueTest, APageThatIsDamagedIsFoundAtTheStart) {
  {
    Catalogue catalogue = Catalogue::open(file()).value();
    std::vector<std::string> titles;
    for (int i = 0; i < 500; ++i) titles.push_back(fmt::format("{}.vmov", i));
    fill(catalogue, titles);
  }
  std::fstream bytes(file(), std::ios::in | std::ios::out | std::ios::binary);
  constexpr size_t kPage = 4096;
  for (size_t at = 2 * kPage; at < fs::file_size(file()); at += kPage) {
    bytes.seekp(static_cast<std::streamoff>(at)).write("damaged!", 8);
  }
  bytes.close();
  const auto damaged = Catalogue::open(file());
  ASSERT_FALSE(damaged);
  EXPECT_EQ(damaged.error().code, ErrorCode::kBadData) << damaged.error().message;
}

TEST_F(CatalogueTest, TablesOfAnotherVersionAreSetAside) {
  {
    Database database = Database::open(file()).value();
    ASSERT_TRUE(database.run("PRAGMA user_version = 99"));
  }
  EXPECT_EQ(Catalogue::open(file()).error().code, ErrorCode::kBadData);
}

TEST_F(CatalogueTest, KeepsTracksAndColors) {
  FilmFacts facts = kFacts;
  facts.description = {.colors = "HDR10",
                       .interlaced = true,
                       .tracks = {{.number = 2, .format = "aac", .language = "eng", .channels = 6},
                                  {.kind = sail::TrackKind::kSubtitles,
                                   .format = "subrip",
                                   .title = "\"A\\\" – 字",
                                   .by_default = true,
                                   .forced = true}}};
  {
    Catalogue catalogue = Catalogue::open(file()).value();
    fill(catalogue, {"a.vmov"});
    ASSERT_TRUE(catalogue.learn("a.vmov", facts));
  }
  Catalogue catalogue = Catalogue::open(file()).value();
  EXPECT_EQ(catalogue.find("a.vmov").value()->facts->description, facts.description);
}

TEST_F(CatalogueTest, ADescriptionThatSomebodyElseHasWrittenIsIgnored) {
  {
    Catalogue catalogue = Catalogue::open(file()).value();
    fill(catalogue, {"a.vmov"});
  }
  {
    Database database = Database::open(file()).value();
    ASSERT_TRUE(database.run(R"(UPDATE film SET description = '{"tracks":[7]}')"));
  }
  Catalogue catalogue = Catalogue::open(file()).value();
  EXPECT_EQ(catalogue.find("a.vmov").value()->facts->description, sail::FilmDescription());
}

// Undoes the upgrade of version 4.
constexpr const char* kDowngrade = R"(
DROP VIEW entry;
DROP INDEX left_out;
ALTER TABLE film DROP COLUMN description;
CREATE VIEW entry AS SELECT number FROM film;
PRAGMA user_version = 4;
)";

TEST_F(CatalogueTest, FilmsOfTheVersionBeforeAreReadAgainAndKeepTagsAndPosters) {
  {
    Catalogue catalogue = Catalogue::open(file()).value();
    fill(catalogue, {"a.vmov"});
    ASSERT_TRUE(catalogue.set_tags("a.vmov", {"night"}));
    ASSERT_TRUE(catalogue.keep_poster("a.vmov", "a picture"));
  }
  {
    Database database = Database::open(file()).value();
    ASSERT_TRUE(database.run(kDowngrade));
  }
  Catalogue catalogue = Catalogue::open(file()).value();
  EXPECT_EQ(catalogue.next_unread(9).value(), (Titles{"a.vmov"}));
  EXPECT_EQ(found(catalogue, {.search = "night"}), (Titles{"a.vmov"}));
  EXPECT_EQ(catalogue.poster("a.vmov").value(), "a picture");
  ASSERT_TRUE(catalogue.learn("a.vmov", kFacts));
  EXPECT_TRUE(catalogue.find("a.vmov").value()->facts);
}

TEST_F(CatalogueTest, KeepsWhereAFilmIsPlacedAndWhyItCannotBeRead) {
  Catalogue catalogue = Catalogue::open(file()).value();
  fill(catalogue, {"a.vmov"});
  FilmFacts placed;
  placed.placed_bytes = 7;
  placed.disks = {"a:1", "b:1"};
  placed.unreadable = "it takes too long";
  ASSERT_TRUE(catalogue.learn("a.vmov", placed));
  const auto now = catalogue.find("a.vmov").value();
  ASSERT_TRUE(now && now->facts);
  EXPECT_EQ(now->facts->disks, placed.disks);
  EXPECT_EQ(now->facts->unreadable, placed.unreadable);
  EXPECT_EQ(now->film_bytes(), 7U);
}

TEST_F(CatalogueTest, APosterStaysUntilItsFilmChanges) {
  const std::string jpeg("\xff\xd8\xff\0 any bytes", 15);
  {
    Catalogue catalogue = Catalogue::open(file()).value();
    fill(catalogue, {"a.vmov", "b.vmov"});
    EXPECT_EQ(catalogue.next_unposted().value(), "a.vmov");
    EXPECT_EQ(catalogue.poster("a.vmov").value(), std::nullopt);
    ASSERT_TRUE(catalogue.keep_poster("a.vmov", jpeg));
    EXPECT_EQ(catalogue.next_unposted().value(), "b.vmov");
    ASSERT_TRUE(catalogue.keep_poster("b.vmov", ""));
    EXPECT_EQ(catalogue.next_unposted().value(), "") << "none can be made of b";
  }
  Catalogue catalogue = Catalogue::open(file()).value();
  EXPECT_EQ(catalogue.poster("a.vmov").value(), jpeg);
  EXPECT_EQ(catalogue.poster("b.vmov").value(), "");
  Library::Listing changed = listing({"a.vmov", "b.vmov"});
  changed.films["a.vmov"].changed = 78;
  ASSERT_TRUE(catalogue.follow(changed));
  EXPECT_EQ(catalogue.poster("a.vmov").value(), std::nullopt);
  EXPECT_EQ(catalogue.poster("b.vmov").value(), "");
}

TEST_F(CatalogueTest, IsForgottenWhereItCannotBeKept) {
  Catalogue first = Catalogue::open(file()).value();
  const auto second = Catalogue::open(file());
  ASSERT_FALSE(second) << "another server has it";
  EXPECT_EQ(second.error().code, ErrorCode::kConflict);
  for (const std::string& place : {file(), folder_.file("no folder/films.db"), folder_.file("")}) {
    Catalogue catalogue = Catalogue::open_or_begin(place, log_);
    fill(catalogue, {"a.vmov"});
    EXPECT_TRUE(catalogue.find("a.vmov").value()) << place;
  }
  EXPECT_FALSE(fs::exists(file() + ".damaged"));
}

}  // namespace
}  // namespace server
