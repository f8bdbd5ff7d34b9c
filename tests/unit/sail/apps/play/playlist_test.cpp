#include "sail/apps/play/playlist.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/temp_folder.h"

namespace sail {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Playlist, FilmsStayAsTheyAre) {
  const auto films = unfold_playlists({"a.mp4", "http://host/b.m3u8", "test:64x64@25"});
  ASSERT_TRUE(films);
  EXPECT_THAT(*films, ElementsAre("a.mp4", "http://host/b.m3u8", "test:64x64@25"));
}

TEST(Playlist, ListsAreUnfoldedInPlace) {
  const TempFolder folder;
  const std::string list =
      folder.write("list.M3U",
                   "\xEF\xBB\xBF#EXTM3U\r\n#EXTINF:3,Title\r\na b.mp4\r\n\r\n  /abs/c.png \n"
                   "http://host/d.mp4\ntest:\nsub/e.gif");
  const auto films = unfold_playlists({"first.mp4", list, "last.mp4"});
  ASSERT_TRUE(films);
  EXPECT_THAT(*films,
              ElementsAre("first.mp4", folder.file("a b.mp4"), "/abs/c.png", "http://host/d.mp4",
                          "test:", folder.file("sub/e.gif"), "last.mp4"));
}

TEST(Playlist, HlsIsAFilm) {
  const TempFolder folder;
  const std::string list =
      folder.write("film.m3u8", "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:9,\nsegment0.ts\n");
  const auto films = unfold_playlists({list});
  ASSERT_TRUE(films);
  EXPECT_THAT(*films, ElementsAre(list));
}

TEST(Playlist, MistakesAreNamed) {
  const TempFolder folder;
  const auto missing = unfold_playlists({folder.file("no.m3u")});
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message, HasSubstr("no.m3u: No such file or directory"));
  const auto empty = unfold_playlists({folder.write("empty.txt", "# nothing\n\n")});
  ASSERT_FALSE(empty);
  EXPECT_THAT(empty.error().message, HasSubstr("the playlist is empty"));
  const auto huge = unfold_playlists({folder.write("huge.txt", std::string((1 << 20) + 1, 'x'))});
  ASSERT_FALSE(huge);
  const auto many = unfold_playlists({folder.write("many.txt", [] {
    std::string lines;
    for (int i = 0; i < 10001; ++i) lines += "x\n";
    return lines;
  }())});
  ASSERT_FALSE(many);
  EXPECT_EQ(many.error().code, ErrorCode::kLimit);
}

}  // namespace
}  // namespace sail
