// Packages made of two reels, played as one film.
#include "sail/media/cinema/package.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "sail/media/film/film_files.h"
#include "tests/unit/sail/apps/play/clips.h"
#include "tests/unit/sail/media/cinema/playlists.h"

namespace sail {
namespace {

using testing::HasSubstr;

constexpr int64_t kSecond = 1'000'000'000;

// Frame n of the file is grey of level 4 · (first + n).
void make_picture(const TempFolder& folder, const std::string& name, int first) {
  const std::string level = fmt::format("'(N+{})*4'", first);
  make_clip(
      folder, name,
      fmt::format("-f lavfi -i \"color=black:s=64x48:r=24,format=rgb24,geq=r={0}:g={0}:b={0}\" "
                  "-frames:v 30 -c:v jpeg2000 -pred 1 -pix_fmt rgb24",
                  level));
}

// 30 pictures' time of six channels, all but the left one silent. `begin`: when the left one begins
// to sound.
void make_sound(const TempFolder& folder, const std::string& name, double begin) {
  make_clip(folder, name,
            fmt::format("-f lavfi -i \"aevalsrc='0.5*gte(t,{})|0|0|0|0|0':s=48000:d=1.25\" "
                        "-c:a pcm_s24le",
                        begin));
}

// Reel 1 plays frames 6 … 17, reel 2 frames 0 … 23.
struct CinemaFolder : TempFolder {
  CinemaFolder() {
    make_picture(*this, "p1.mxf", 0);
    make_picture(*this, "p2.mxf", 30);
    make_sound(*this, "s1.wav", 0.5);
    make_sound(*this, "s2.wav", 0);
    write("cpl.xml", playlist(reel(reel_asset("MainPicture", "p1", 30, 6, 12) +
                                   reel_asset("MainSound", "s1", 30, 6, 12)) +
                              reel(reel_asset("MainPicture", "p2", 30, 0, 24) +
                                   reel_asset("MainSound", "s2", 30, 0, 24))));
    write("ASSETMAP.xml", asset_map(map_asset("p1", "p1.mxf") + map_asset("p2", "p2.mxf") +
                                    map_asset("s1", "s1.wav") + map_asset("s2", "s2.wav") +
                                    map_asset("c", "cpl.xml")));
  }
};

int number_in(const Picture& picture) {
  return static_cast<int>(std::lround(colour_at(picture, 8, 8)[1] / 4.0));
}

TEST(Package, ReelsPlayAsOneFilm) {
  const CinemaFolder folder;
  for (const std::string& name : {folder.path().string(), folder.file("cpl.xml")}) {
    ASSERT_TRUE(is_stored_film(name));
    const auto opened = open_decoded_film(name, {.threads = 1});
    ASSERT_TRUE(opened) << opened.error().message;
    Source& film = **opened;
    EXPECT_EQ(film.info().duration_ns, 3 * kSecond / 2);
    for (int n = 0; n < 36; ++n) {
      const Picture picture = next_picture(film);
      EXPECT_EQ(number_in(picture), n < 12 ? n + 6 : n - 12 + 30) << n;
      EXPECT_NEAR(static_cast<double>(picture.pts_ns), n * 1e9 / 24, 2) << n;
    }
    EXPECT_FALSE(film.next().value());
    EXPECT_EQ(film.take_complaint(), std::nullopt);
    for (const int n : {12, 11, 0, 35, 13}) {
      ASSERT_TRUE(film.seek((n * kSecond + kSecond / 2) / 24));
      EXPECT_EQ(number_in(next_picture(film)), n < 12 ? n + 6 : n - 12 + 30) << n;
    }
  }
}

TEST(Package, PicturesGoAsTheyAreStored) {
  const CinemaFolder folder;
  const auto film = open_stored_film(folder.path().string(), {});
  ASSERT_TRUE(film) << film.error().message;
  ASSERT_TRUE((*film)->info().stored);
  EXPECT_EQ((*film)->info().stored->id, codecs::CodecId::kJ2k);
  for (int n = 0; n < 36; ++n) EXPECT_TRUE(next_picture(**film).compressed);
  EXPECT_FALSE((*film)->next().value());
}

TEST(Package, TheSoundKeepsStepWithTheReels) {
  const CinemaFolder folder;
  const auto opened = open_film_sound(folder.path().string());
  ASSERT_TRUE(opened) << opened.error().message;
  for (int pass = 0; pass < 2; ++pass) {
    std::vector<float> left;
    while (const auto samples = (*opened)->next()) {
      EXPECT_NEAR(static_cast<double>(samples->pts_ns),
                  static_cast<double>(left.size()) * 1e9 / kSoundRate, 1e5);
      for (size_t i = 0; i < samples->values.size(); i += kSoundChannels) {
        left.push_back(samples->values[i]);
      }
    }
    // The file's sound at 0.5 s is heard at 0.25 s, as the reel begins at picture 6.
    ASSERT_NEAR(static_cast<double>(left.size()), 1.5 * kSoundRate, 2);
    EXPECT_EQ(left[11'000], 0);
    EXPECT_GT(left[13'000], 0.05F);
    EXPECT_GT(left[23'000], 0.05F);
    EXPECT_GT(left[25'000], 0.05F);
    ASSERT_TRUE((*opened)->seek(0));
  }
}

std::string why_not(const std::string& name) {
  const auto package = open_package(name);
  return package ? "it was opened" : package.error().message;
}

TEST(Package, WhatIsMissingIsNamed) {
  const TempFolder folder;
  const std::string cpl =
      folder.write("cpl.xml", playlist(reel(reel_asset("MainPicture", "p", 9, 0, 9))));
  EXPECT_THAT(why_not(cpl), HasSubstr("no ASSETMAP"));
  folder.write("ASSETMAP", asset_map(map_asset("c", "cpl.xml")));
  EXPECT_THAT(why_not(cpl), HasSubstr("the asset p is in another package"));
  folder.write("ASSETMAP", asset_map(map_asset("c", "cpl.xml") + map_asset("p", "p.mxf")));
  EXPECT_THAT(why_not(folder.path().string()), HasSubstr("p.mxf is missing"));
  folder.write("p.mxf", "x");
  EXPECT_EQ(why_not(cpl), "it was opened");
  folder.write("cpl.xml",
               playlist(reel(reel_asset("MainPicture", "p", 9, 0, 9, "<KeyId>k</KeyId>"))));
  EXPECT_THAT(why_not(folder.path().string()), HasSubstr("encrypted"));
}

TEST(Package, ACompositionThatPlaysItselfIsRefused) {
  const TempFolder folder;
  folder.write("cpl.xml", playlist(reel(reel_asset("MainPicture", "c", 9, 0, 9))));
  folder.write("ASSETMAP", asset_map(map_asset("c", "cpl.xml")));
  for (const std::string& name : {folder.path().string(), folder.file("cpl.xml")}) {
    EXPECT_FALSE(open_decoded_film(name, {})) << name;
    EXPECT_FALSE(open_stored_film(name, {})) << name;
  }
}

TEST(Package, TheCompositionIssuedLastIsPlayed) {
  const TempFolder folder;
  const std::string reels = reel(reel_asset("MainPicture", "p", 9, 0, 9));
  folder.write("p.mxf", "x");
  folder.write("a.xml", playlist(reels, "Newer", "2026-02-01T00:00:00+00:00"));
  folder.write("b.xml", playlist(reels, "Older", "2026-01-01T00:00:00+00:00"));
  folder.write("pkl.xml", "<PackingList/>");
  folder.write("ASSETMAP.xml", asset_map(map_asset("1", "b.xml") + map_asset("2", "a.xml") +
                                         map_asset("3", "pkl.xml") + map_asset("p", "p.mxf")));
  const auto package = open_package(folder.path().string());
  ASSERT_TRUE(package) << package.error().message;
  EXPECT_EQ(package->title, "Newer");
  ASSERT_TRUE(package->remark);
  EXPECT_THAT(*package->remark, HasSubstr("b.xml (\"Older\")"));
  EXPECT_EQ(open_package(folder.file("b.xml"))->title, "Older");
}

}  // namespace
}  // namespace sail
