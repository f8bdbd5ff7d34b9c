// Playlists and asset maps: what they say, and what is refused.
#include "sail/media/cinema/composition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/sail/media/cinema/playlists.h"

namespace sail {
namespace {

using testing::HasSubstr;

std::string playlist_fault(const std::string& xml) {
  const auto composition = parse_composition(xml);
  return composition ? "it was taken" : composition.error().message;
}

TEST(Composition, ReelsFollowOneAnother) {
  const auto film = parse_composition(
      playlist(reel(reel_asset("MainPicture", "A", 100, 10, 48) +
                    reel_asset("MainSound", "S", 100, 10, 48)) +
               reel(reel_asset("MainPicture", "B", 30, 0, 24) +
                    "<x:MainPicture xmlns:x=\"urn:other\"><x:Id>C</x:Id></x:MainPicture>") +
               reel("<MainPicture><Id>urn:uuid:D</Id><EditRate>24000 1001</EditRate>"
                    "<IntrinsicDuration>24</IntrinsicDuration></MainPicture>" +
                    reel_asset("MainSound", "T", 24, 0, 24))));
  ASSERT_TRUE(film) << film.error().message;
  EXPECT_EQ(film->title, "Film");
  ASSERT_EQ(film->pictures.size(), 3U);
  EXPECT_EQ(film->pictures[0].asset, "a");
  EXPECT_EQ(film->pictures[0].entry, 10);
  EXPECT_EQ(film->pictures[1].begin_ns, 2'000'000'000);
  EXPECT_EQ(film->pictures[2].begin_ns, 3'000'000'000);
  EXPECT_EQ(film->pictures[2].duration, 24);
  EXPECT_EQ(film->duration_ns(), 4'001'000'000);
  ASSERT_EQ(film->sounds.size(), 2U);
  EXPECT_EQ(film->sounds[0].begin_ns, 0);
  EXPECT_EQ(film->sounds[1].begin_ns, 3'000'000'000);
}

TEST(Composition, TimesOfPicturesAreFoundAgain) {
  for (const FrameRate rate : {FrameRate{24, 1}, FrameRate{24000, 1001}, FrameRate{60, 1}}) {
    const CompositionPart part{.asset = "a", .rate = rate};
    for (const int64_t unit : {0, 1, 2, 7, 1001, 24 * 3600, 999'999}) {
      EXPECT_EQ(part.unit_at(part.time_ns(unit)), unit);
      EXPECT_EQ(part.unit_at(part.middle_ns(unit)), unit);
    }
  }
}

TEST(Composition, InteropAndImfHaveTheSameShape) {
  EXPECT_TRUE(parse_composition(playlist(reel(reel_asset("MainPicture", "a", 9, 0, 9)), "Film", "",
                                         "http://www.digicine.com/PROTO-ASDCP-CPL-20040511#")));
  const auto resource = [](const char* file, int entry, int duration, const char* extra) {
    return fmt::format(
        "<Resource><Id>urn:uuid:9</Id><IntrinsicDuration>48</IntrinsicDuration><EntryPoint>{}"
        "</EntryPoint><SourceDuration>{}</SourceDuration>{}<TrackFileId>urn:uuid:{}</TrackFileId>"
        "</Resource>",
        entry, duration, extra, file);
  };
  const auto sequence = [](const char* kind, const char* track, const std::string& resources) {
    return fmt::format(
        "<cc:{0}><Id>urn:uuid:8</Id><TrackId>urn:uuid:{1}</TrackId><ResourceList>{2}"
        "</ResourceList></cc:{0}>",
        kind, track, resources);
  };
  const auto imf = [](const std::string& sequences) {
    return parse_composition(
        "<CompositionPlaylist xmlns=\"http://www.smpte-ra.org/schemas/2067-3/2016\" "
        "xmlns:cc=\"http://www.smpte-ra.org/schemas/2067-2/2016\"><ContentTitle>I</ContentTitle>"
        "<EditRate>24 1</EditRate><SegmentList><Segment><SequenceList>" +
        sequences + "</SequenceList></Segment></SegmentList></CompositionPlaylist>");
  };
  const auto film = imf(
      sequence("MainImageSequence", "1",
               resource("v", 2, 24, "<RepeatCount>2</RepeatCount>") + resource("w", 0, 12, "")) +
      sequence("MainAudioSequence", "2", resource("s", 0, 48, "")) +
      sequence("MainAudioSequence", "3", resource("other", 0, 48, "")));
  ASSERT_TRUE(film) << film.error().message;
  ASSERT_EQ(film->pictures.size(), 3U);
  EXPECT_EQ(film->pictures[1].begin_ns, 1'000'000'000);
  EXPECT_EQ(film->pictures[1].entry, 2);
  EXPECT_EQ(film->pictures[2].asset, "w");
  EXPECT_EQ(film->duration_ns(), 2'500'000'000);
  ASSERT_EQ(film->sounds.size(), 1U);
  EXPECT_EQ(film->sounds[0].asset, "s");
  const auto loop = imf(sequence("MainImageSequence", "1",
                                 resource("v", 0, 1, "<RepeatCount>4000000000</RepeatCount>")));
  ASSERT_FALSE(loop);
  EXPECT_THAT(loop.error().message, HasSubstr("more than 500 parts"));
}

TEST(Composition, WhatIsNotPlayedIsNamed) {
  const std::string picture = reel_asset("MainPicture", "a", 9, 0, 9);
  EXPECT_THAT(
      playlist_fault(playlist(reel(picture) + reel(reel_asset("MainPicture", "b", 9, 0, 9,
                                                              "<KeyId>urn:uuid:7</KeyId>")))),
      HasSubstr("encrypted pictures, which need a key, in reel 2"));
  EXPECT_THAT(playlist_fault(playlist(reel(
                  picture + reel_asset("MainSound", "b", 9, 0, 9, "<KeyId>urn:uuid:7</KeyId>")))),
              HasSubstr("encrypted sounds"));
  EXPECT_THAT(playlist_fault(playlist(reel("<m:MainStereoscopicPicture xmlns:m=\"urn:m\"/>"))),
              HasSubstr("stereoscopic"));
  EXPECT_THAT(playlist_fault(playlist(reel(picture), "Film", "", "urn:other")),
              HasSubstr("unknown kind (namespace 'urn:other')"));
  EXPECT_THAT(playlist_fault(playlist(reel(reel_asset("MainSound", "s", 9, 0, 9)))),
              HasSubstr("no pictures in reel 1"));
  EXPECT_THAT(playlist_fault(playlist("")), HasSubstr("no reels"));
  EXPECT_THAT(playlist_fault(playlist(reel(reel_asset("MainPicture", "a", 9, 5, 9)))),
              HasSubstr("plays more"));
  EXPECT_THAT(playlist_fault(playlist(reel(reel_asset("MainPicture", "a", -9, 0, 9)))),
              HasSubstr("invalid IntrinsicDuration"));
  std::string many;
  for (int i = 0; i < 1000; ++i) many += reel(picture);
  EXPECT_THAT(playlist_fault(playlist(many)), HasSubstr("more than 500 reels"));
  EXPECT_EQ(parse_composition("<PackingList/>").error().code, ErrorCode::kNotFound);
}

TEST(Composition, HostileXmlIsRefused) {
  EXPECT_THAT(playlist_fault("<!DOCTYPE a [<!ENTITY b \"c\">]>" + playlist("")),
              HasSubstr("document type"));
  const std::string whole = playlist("");
  EXPECT_THAT(playlist_fault(whole.substr(0, whole.find("<ReelList>"))),
              HasSubstr("not valid XML"));
  std::string deep = playlist("").substr(0, playlist("").find("<ReelList>"));
  for (int i = 0; i < 100; ++i) deep += "<a>";
  EXPECT_THAT(playlist_fault(deep), HasSubstr("nested too deeply"));
}

TEST(AssetMap, PathsStayInTheFolder) {
  const auto map = parse_asset_map(
      asset_map(map_asset("A", "picture%201.mxf") + map_asset("b", "file:///sound/s.mxf")));
  ASSERT_TRUE(map) << map.error().message;
  EXPECT_EQ(map->at("a"), "picture 1.mxf");
  EXPECT_EQ(map->at("b"), "sound/s.mxf");
  for (const char* path : {"../a.mxf", "/etc/passwd", "a/../../b", "%2e%2e/b", "file:////a", ""}) {
    const auto refused = parse_asset_map(asset_map(map_asset("a", path)));
    ASSERT_FALSE(refused) << path;
    EXPECT_THAT(refused.error().message, HasSubstr("out of its folder"));
  }
  EXPECT_FALSE(parse_asset_map(asset_map(map_asset("a", "b") + map_asset("a", "c"))));
  EXPECT_FALSE(parse_asset_map("<CompositionPlaylist/>"));
}

}  // namespace
}  // namespace sail
