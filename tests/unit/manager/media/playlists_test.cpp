#include "manager/media/playlists.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/temp_folder.h"

namespace manager {
namespace {

using sail::ErrorCode;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class PlaylistsTest : public ::testing::Test {
 protected:
  static PlaylistItems items(const std::vector<std::string>& media) {
    PlaylistItems items;
    for (const std::string& medium : media) items.push_back({.medium = medium});
    return items;
  }
  static std::vector<std::string> media_of(const Playlists& lists, const std::string& name) {
    std::vector<std::string> media;
    const auto found = lists.find(name);
    EXPECT_TRUE(found);
    if (!found) return media;
    for (const PlaylistItem& item : **found) media.push_back(item.medium);
    return media;
  }

  const sail::TempFolder folder_;
  Playlists lists_{folder_.path()};
};

TEST_F(PlaylistsTest, ItemsAreAddedMovedAndRemoved) {
  ASSERT_TRUE(lists_.save("lobby", items({"/a", "/b"})));
  ASSERT_TRUE(lists_.add("lobby", items({"/c", "/a"})));
  EXPECT_THAT(media_of(lists_, "lobby"), ElementsAre("/a", "/b", "/c", "/a"));
  ASSERT_TRUE(lists_.move("lobby", 0, 2));
  EXPECT_THAT(media_of(lists_, "lobby"), ElementsAre("/b", "/c", "/a", "/a"));
  ASSERT_TRUE(lists_.move("lobby", 3, 1));
  EXPECT_THAT(media_of(lists_, "lobby"), ElementsAre("/b", "/a", "/c", "/a"));
  ASSERT_TRUE(lists_.move("lobby", 1, 1));
  ASSERT_TRUE(lists_.remove("lobby", 3));
  EXPECT_THAT(media_of(lists_, "lobby"), ElementsAre("/b", "/a", "/c"));
  EXPECT_EQ(lists_.move("lobby", 0, 3).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(lists_.remove("lobby", 3).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(lists_.add("hall", items({"/a"})).error().code, ErrorCode::kNotFound);
  ASSERT_TRUE(lists_.erase("lobby"));
  EXPECT_EQ(lists_.find("lobby").error().code, ErrorCode::kNotFound);
  EXPECT_EQ(lists_.erase("lobby").error().code, ErrorCode::kNotFound);
}

TEST_F(PlaylistsTest, TheNextManagerHasThem) {
  int changes = 0;
  lists_.watch([&] { ++changes; });
  ASSERT_TRUE(lists_.save("lobby", {{.medium = "/a", .title = "A", .stay_ms = 2500}, {"/b"}}));
  EXPECT_EQ(changes, 1);
  const Playlists next(folder_.path());
  EXPECT_EQ(next.kept(), lists_.kept());
  EXPECT_EQ((*next.find("lobby"))->front().stay_ms, 2500);
  EXPECT_EQ((*next.find("lobby"))->front().title, "A");
  const auto read = playlists_from_json(lists_.kept());
  ASSERT_TRUE(read);
  EXPECT_EQ(playlists_json(*read), lists_.kept());
}

TEST_F(PlaylistsTest, LimitsChangeNothing) {
  Playlists lists("");
  for (size_t i = 0; i < kMostPlaylists; ++i) {
    ASSERT_TRUE(lists.save(std::to_string(i), items({"/a"})));
  }
  EXPECT_EQ(lists.save("more", items({"/a"})).error().code, ErrorCode::kLimit);
  const PlaylistItems most(kMostPlaylistItems, {.medium = "/a"});
  ASSERT_TRUE(lists.save("0", most));
  EXPECT_EQ(lists.add("0", items({"/a"})).error().code, ErrorCode::kLimit);
  // No tour could show it.
  const PlaylistItems large(kMostPlaylistItems, {.medium = "/" + std::string(131, 'a')});
  EXPECT_THAT(lists.save("1", large).error().message, HasSubstr("132000 bytes"));
  EXPECT_THAT(media_of(lists, "1"), ElementsAre("/a"));
  const PlaylistItems long_paths(100, {.medium = "/" + std::string(1200, 'a')});
  for (const char* name : {"1", "2", "3", "4"}) ASSERT_TRUE(lists.save(name, long_paths)) << name;
  EXPECT_THAT(lists.save("5", long_paths).error().message, HasSubstr("all playlists together"));
  EXPECT_THAT(media_of(lists, "5"), ElementsAre("/a"));
  EXPECT_EQ(media_of(lists, "0").size(), kMostPlaylistItems);
}

TEST_F(PlaylistsTest, ADamagedFileIsKeptAside) {
  folder_.write("playlists.json", R"({"playlists":[{"name":"lobby","items":[{"medium":""}]}]})");
  Playlists damaged(folder_.path());
  EXPECT_THAT(damaged.damage(), HasSubstr("playlists.json"));
  EXPECT_TRUE(damaged.all().empty());
  EXPECT_TRUE(std::filesystem::exists(folder_.path() / "playlists.json.damaged"));
  ASSERT_TRUE(damaged.save("lobby", items({"/a"})));
  EXPECT_EQ(damaged.damage(), "");
}

TEST_F(PlaylistsTest, ItemsShowNoPasswords) {
  const PlaylistItem camera{.medium = "rtsp://ann:secret@camera/1"};
  EXPECT_THAT(camera.text(), ::testing::Not(HasSubstr("secret")));
}

}  // namespace
}  // namespace manager
