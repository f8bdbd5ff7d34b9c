#include "sail/apps/server/catalogue/library.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/temp_folder.h"
#include "tests/support/test_film.h"

namespace server {
namespace {

namespace fs = std::filesystem;
using sail::ErrorCode;

class LibraryTest : public testing::Test {
 protected:
  LibraryTest() {
    fs::create_directories(folder_.file("films/lobby/deep"));
    fs::create_directory(folder_.file("films-not-ours"));
    for (const char* name :
         {"films/a.vmov", "films/lobby/b.vmov", "outside.vmov", "films-not-ours/c.vmov"}) {
      test::write_test_film(folder_.file(name), {.size = {64, 64}, .frames = 5});
    }
  }
  Library library() const { return Library::open(folder_.file("films")).value(); }
  std::vector<std::string> titles() const {
    std::vector<std::string> titles;
    for (const auto& [title, stamp] : library().list({}).films) titles.push_back(title);
    return titles;
  }
  ErrorCode refusal(const std::string& title) const {
    const auto found = library().find(title);
    EXPECT_FALSE(found) << title << " is " << found.value_or("");
    return found ? ErrorCode::kInternal : found.error().code;
  }

  const sail::TempFolder folder_;
};

TEST_F(LibraryTest, FindsWhatIsInTheFolder) {
  EXPECT_EQ(library().find("a.vmov").value(), fs::canonical(folder_.file("films/a.vmov")));
  EXPECT_EQ(library().find("lobby/b.vmov").value(),
            fs::canonical(folder_.file("films/lobby/b.vmov")));
  EXPECT_FALSE(Library::open(folder_.file("nothing")));
  EXPECT_FALSE(Library::open(folder_.file("outside.vmov")));
}

TEST_F(LibraryTest, NothingOutsideTheFolderIsFound) {
  for (const char* title : {"", "/", ".", "..", "../outside.vmov", "lobby/../../outside.vmov",
                            "lobby/../a.vmov", "./a.vmov", "lobby//../a.vmov", "a.vmov/", "lobby/",
                            "a\nb.vmov", "a\x1b[2J.vmov", "\xff.vmov",
                            // U+202E and U+200B: the displayed text would differ from the name.
                            "a\xe2\x80\xaevomv.vmov",
                            "lob\xe2\x80\x8b"
                            "by/b.vmov"}) {
    EXPECT_EQ(refusal(title), ErrorCode::kInvalidParams) << title;
  }
  EXPECT_EQ(refusal(folder_.file("films/a.vmov")), ErrorCode::kInvalidParams) << "absolute";
  EXPECT_EQ(refusal(std::string("a.vmov\0", 7)), ErrorCode::kInvalidParams) << "a zero";
  EXPECT_EQ(refusal(std::string(kMaxTitleBytes + 1, 'a')), ErrorCode::kInvalidParams);
  for (const char* title : {"nothing.vmov", "a.vmov/b.vmov", "%2e%2e/outside.vmov", "~", "..."}) {
    EXPECT_EQ(refusal(title), ErrorCode::kNotFound) << title;
  }
}

TEST_F(LibraryTest, LinksThatLeadOutAreNotFollowed) {
  fs::create_symlink("../outside.vmov", folder_.file("films/file-out.vmov"));
  fs::create_symlink("../films-not-ours", folder_.file("films/folder-out"));
  fs::create_symlink("lobby/b.vmov", folder_.file("films/inside.vmov"));
  fs::create_symlink("round.vmov", folder_.file("films/round.vmov"));
  fs::create_symlink(".", folder_.file("films/lobby/self"));
  EXPECT_EQ(refusal("file-out.vmov"), ErrorCode::kNotFound);
  EXPECT_EQ(refusal("folder-out/c.vmov"), ErrorCode::kNotFound);
  EXPECT_EQ(refusal("round.vmov"), ErrorCode::kNotFound);
  EXPECT_TRUE(library().find("inside.vmov"));
  EXPECT_EQ(titles(), (std::vector<std::string>{"a.vmov", "inside.vmov", "lobby/b.vmov"}));
}

TEST_F(LibraryTest, TitlesAreFilmsByTheirNames) {
  fs::create_directory(folder_.file("films/sequence"));
  fs::create_directory(folder_.file("films/folder.mov"));
  for (const char* name : {"films/.hidden.vmov", "films/readme.txt", "films/x.mp4", "films/C.MXF",
                           "films/sequence/1.j2c", "films/sequence/2.j2c", "films/bad\n.vmov",
                           "films/turned\xe2\x80\xae.vmov"}) {
    folder_.write(name, "");
  }
  EXPECT_EQ(titles(),
            (std::vector<std::string>{"C.MXF", "a.vmov", "lobby/b.vmov", "sequence", "x.mp4"}));
  const LeftOut left_out = library().list({}).left_out;
  ASSERT_EQ(left_out.size(), 2U);
  EXPECT_TRUE(left_out.contains("bad\n.vmov") && left_out.contains("turned\xe2\x80\xae.vmov"));
}

TEST_F(LibraryTest, PicturesInTheFolderItselfAreNoFilm) {
  folder_.write("films/1.j2c", "");
  EXPECT_EQ(titles(), (std::vector<std::string>{"a.vmov", "lobby/b.vmov"}));
}

TEST_F(LibraryTest, AStampTellsOfAllPicturesOfAFilm) {
  fs::create_directory(folder_.file("films/sequence"));
  folder_.write("films/sequence/1.j2c", "12345");
  folder_.write("films/sequence/2.j2c", "123");
  const auto before = library().list({}).films;
  EXPECT_EQ(before.at("sequence").bytes, 8U);
  EXPECT_EQ(before.at("a.vmov").bytes, fs::file_size(folder_.file("films/a.vmov")));
  fs::last_write_time(
      folder_.file("films/sequence/1.j2c"),
      fs::last_write_time(folder_.file("films/sequence/2.j2c")) + std::chrono::seconds(1));
  const auto after = library().list({}).films;
  EXPECT_GT(after.at("sequence").changed, before.at("sequence").changed);
  EXPECT_EQ(after.at("a.vmov"), before.at("a.vmov"));
}

TEST_F(LibraryTest, LooksNoFurtherWhenNobodyWantsIt) {
  EXPECT_TRUE(library().list([] { return true; }).films.empty());
}

TEST_F(LibraryTest, OpensWhatNeedsNoDecoding) {
  const auto film = open_film(library(), "lobby/b.vmov");
  ASSERT_TRUE(film) << film.error().message;
  EXPECT_EQ((*film)->info().duration_ns, 200'000'000);
  folder_.write("films/film.mp4", "bytes");
  const auto refused = open_film(library(), "film.mp4");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUnavailable);
  EXPECT_NE(refused.error().message.find("vitrail convert"), std::string::npos);
}

TEST_F(LibraryTest, ErrorsDoNotTellWhereTheFolderIs) {
  fs::resize_file(folder_.file("films/a.vmov"), 60);
  const auto damaged = open_film(library(), "a.vmov");
  ASSERT_FALSE(damaged);
  EXPECT_EQ(damaged.error().message.find(folder_.file("")), std::string::npos)
      << damaged.error().message;
  EXPECT_TRUE(damaged.error().message.starts_with("a.vmov")) << damaged.error().message;
}

}  // namespace
}  // namespace server
