#include "manager/media/sources.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "manager/media/upload_rules.h"
#include "manager/wall/arrange.h"

namespace manager {
namespace {

using sail::Json;
using testing::ElementsAre;

Source named(const std::string& title, const std::string& detail = "",
             SourceKind kind = SourceKind::kFile) {
  Source source;
  source.id = "media1/" + title;
  source.title = title;
  source.detail = detail;
  source.kind = kind;
  return source;
}

std::vector<std::string> found(const std::vector<Source>& sources, const SourceQuery& wanted) {
  std::vector<const Source*> all;
  for (const Source& source : sources) all.push_back(&source);
  std::vector<std::string> titles;
  for (const Source* source : find_sources(all, wanted).listed) titles.push_back(source->title);
  return titles;
}

SourceQuery query(const std::string& search, std::optional<SourceKind> kind = std::nullopt,
                  size_t offset = 0, size_t count = 100) {
  return {.search = search, .kind = kind, .offset = offset, .count = count};
}

TEST(Sources, AreSortedAndOfOneFolder) {
  std::vector<Source> sources{named("b.mp4", "media1/b.mp4"), named("C.mp4", "media1/trip/C.mp4"),
                              named("a.mp4", "media1/trips/a.mp4")};
  sources[0].stamp = "-30-10";
  sources[1].stamp = "-2f-10";
  sources[0].bytes = 9;
  sources[1].facts = MediaFacts{.duration_s = 2.5};
  const auto titles = [&sources](const SourceQuery& wanted) { return found(sources, wanted); };
  EXPECT_THAT(titles({.order = SourceOrder::kName}), ElementsAre("a.mp4", "b.mp4", "C.mp4"));
  EXPECT_THAT(titles({.order = SourceOrder::kNewest}), ElementsAre("C.mp4", "b.mp4", "a.mp4"));
  EXPECT_THAT(titles({.order = SourceOrder::kLargest}), ElementsAre("b.mp4", "C.mp4", "a.mp4"));
  EXPECT_THAT(titles({.order = SourceOrder::kLongest}), ElementsAre("C.mp4", "b.mp4", "a.mp4"));
  EXPECT_THAT(titles({.folder = "media1/trip"}), ElementsAre("C.mp4"));
  EXPECT_THAT(titles({.folder = "media1"}), ElementsAre("b.mp4", "C.mp4", "a.mp4"));
  EXPECT_THAT(titles({.ids = {"media1/a.mp4", "gone", "media1/b.mp4"}}),
              ElementsAre("a.mp4", "b.mp4"));
  EXPECT_THAT(folders_of({&sources[0], &sources[1], &sources[2]}),
              ElementsAre("media1", "media1/trip", "media1/trips"));
}

TEST(Sources, AreSearchedByAllWordsInAnyCase) {
  const std::vector<Source> sources{named("Lisbon harbour.mp4", "trip"), named("lisbon.mp4"),
                                    named("Harbour", "", SourceKind::kUrl)};
  EXPECT_THAT(found(sources, query(" LISBON  har")), ElementsAre("Lisbon harbour.mp4"));
  EXPECT_THAT(found(sources, query("trip")), ElementsAre("Lisbon harbour.mp4"));
  EXPECT_THAT(found(sources, query("harbour", SourceKind::kUrl)), ElementsAre("Harbour"));
  EXPECT_THAT(found(sources, query("", std::nullopt, 1, 1)), ElementsAre("lisbon.mp4"));
  EXPECT_THAT(found(sources, query("", std::nullopt, 9)), ElementsAre());
}

TEST(Sources, WhatNothingCanShowIsLast) {
  std::vector<Source> sources{named("a.mp4"), named("b.mp4"), named("c.mp4")};
  sources[0].facts = MediaFacts{.unplayable = "the file is empty"};
  sources[1].facts = MediaFacts{.size = sail::Size{320, 180}, .duration_s = 2.5};
  EXPECT_THAT(found(sources, query("")), ElementsAre("b.mp4", "c.mp4", "a.mp4"));
  EXPECT_THAT(found(sources, query("", std::nullopt, 1, 1)), ElementsAre("c.mp4"));
  EXPECT_EQ(source_json(sources[0])["unplayable"], "the file is empty");
  EXPECT_EQ(source_json(sources[1])["size"], Json({320, 180}));
  EXPECT_EQ(source_json(sources[1])["duration_s"], 2.5);
}

TEST(Sources, FactsAreWhatThePosterSays) {
  const auto facts = parse_media_facts(R"({"size":[320,180],"duration_s":2.5,"pages":3})");
  ASSERT_TRUE(facts) << facts.error().message;
  EXPECT_EQ(facts->size, (sail::Size{320, 180}));
  EXPECT_EQ(facts->pages, 3);
  EXPECT_TRUE(facts->unplayable.empty());
  EXPECT_EQ(parse_media_facts("{\"unplayable\":\"a\\u202eb\"}\n")->unplayable, "ab");
  for (const char* wrong : {"", "\xff\xd8\xff", "[]", R"({"size":[0,1]})", R"({"pages":-1})",
                            R"({"duration_s":"x"})", R"({"more":1})"}) {
    EXPECT_FALSE(parse_media_facts(wrong)) << wrong;
  }
}

TEST(Sources, PicturesAndDocumentsAreShownByVitrailShow) {
  for (const char* still : {"plan.pdf", "a.HEIC", "scans/a.svs", "b.ndpi", "c.mrxs", "map.dzi",
                            "talk.PPTX", "a.odt", "b.xls"}) {
    EXPECT_TRUE(has_media_extension(still)) << still;
    EXPECT_TRUE(is_still(still)) << still;
  }
  for (const char* film : {"a.mkv", "a.gif", "https://a/b.svs", "a.%05d.tif"}) {
    EXPECT_FALSE(is_still(film)) << film;
  }
  EXPECT_TRUE(has_media_extension("a.APNG") && !is_still("a.apng"));
  EXPECT_FALSE(has_media_extension("Data0001.dat"));
  EXPECT_TRUE(is_still("ticker:Doors open") && is_still("ticker:https://news.example/feed"));
}

TEST(Sources, OnlyStreamedUrlsAreTaken) {
  for (const char* url : {"rtsp://a", "RTSPS://a/b", "http://a:80/x?y=z", "udp://239.0.0.1:5000",
                          "srt://a:1?mode=caller", "tcp://a:1", "rtp://a:1", "rtmp://a/b"}) {
    const auto source = url_source(url, "");
    ASSERT_TRUE(source) << url;
    EXPECT_EQ(source->media, url);
  }
  for (const char* url : {"", "a", "file:///etc/passwd", "http:/a", "http://", "concat:a|b", "://a",
                          "http://a b", "http://a\nb", "pipe://0", "subfile,,start,0,end,9,,:a"}) {
    EXPECT_FALSE(url_source(url, "")) << url;
  }
}

TEST(Sources, CommandsAreArgumentsAndNothingElse) {
  const auto sources = parse_commands(Json::parse(R"({"b":{"arguments":["prog","a b","$x"]},"a":{
  "title" : "A", "arguments" : ["p"]
}
})"));
  ASSERT_TRUE(sources) << sources.error().message;
  ASSERT_EQ(sources->size(), 2U);
  EXPECT_EQ((*sources)[0].id, "command/a");
  EXPECT_EQ((*sources)[0].title, "A");
  EXPECT_THAT((*sources)[1].arguments, ElementsAre("prog", "a b", "$x"));
  for (const char* wrong :
       {"[]", R"({"a":{}})", R"({"a":{"arguments":[]}})", R"({"a":{"arguments":[""]}})",
        R"({"a":{"arguments":"ls"}})", R"({"a":{"arguments":["x",1]}})",
        R"({"":{"arguments":["x"]}})", R"({"a":{"arguments":["x"],"shell":true}})"}) {
    EXPECT_FALSE(parse_commands(Json::parse(wrong))) << wrong;
  }
}

TEST(UploadNames, AreCleaned) {
  const std::pair<std::string, std::string> names[] = {{"film.mp4", "film.mp4"},
                                                       {"../../etc/passwd", "passwd"},
                                                       {"a/..", "upload"},
                                                       {"C:\\x\\y.png", "y.png"},
                                                       {".hidden", "hidden"},
                                                       {" . ", "upload"},
                                                       {"", "upload"},
                                                       {"nul.png", "_nul.png"},
                                                       {"COM1", "_COM1"},
                                                       {"common.png", "common.png"},
                                                       {"a\x01<b>.png", "a__b_.png"},
                                                       {"\xff.png", "_.png"}};
  for (const auto& [given, kept] : names) EXPECT_EQ(clean_file_name(given), kept) << given;
  const std::string cut = clean_file_name(std::string(500, 'x') + ".mp4");
  EXPECT_EQ(cut.size(), kLongestUploadName);
  EXPECT_TRUE(cut.ends_with("x.mp4"));
  EXPECT_EQ(numbered_name("a.b.png", 2), "a.b (2).png");
  EXPECT_EQ(numbered_name("a", 3), "a (3)");
}

TEST(UploadMetadata, IsBase64ByKey) {
  EXPECT_EQ(upload_metadata("filetype eA==, filename ZmlsbS5tcDQ=", "filename"), "film.mp4");
  EXPECT_EQ(upload_metadata("filename", "filename"), "");
  EXPECT_EQ(upload_metadata("", "filename"), std::nullopt);
  EXPECT_EQ(upload_metadata("filename !!!!", "filename"), std::nullopt);
  EXPECT_EQ(upload_metadata("filename abc", "filename"), std::nullopt);
  EXPECT_EQ(upload_metadata("filenames YQ==", "filename"), std::nullopt);
}

TEST(UploadNumber, IsWholeAndShort) {
  EXPECT_EQ(upload_number("0"), 0U);
  EXPECT_EQ(upload_number("999999999999999"), 999'999'999'999'999U);
  for (const char* wrong : {"", "-1", "+1", " 1", "1 ", "0x1", "1e3", "9999999999999999"}) {
    EXPECT_EQ(upload_number(wrong), std::nullopt) << wrong;
  }
}

TEST(UploadRules, ARenamedFileKeepsItsEnding) {
  EXPECT_EQ(renamed("film.mp4", "Holiday"), "Holiday.mp4");
  EXPECT_EQ(renamed("film.mp4", "Holiday.MP4"), "Holiday.MP4");
  EXPECT_EQ(renamed("film.mp4", "a.png"), "a.png.mp4");
  EXPECT_EQ(renamed("film.mp4", ".mp4"), "mp4.mp4");
  EXPECT_EQ(renamed("film.mp4", "../../etc/x"), "x.mp4");
}

}  // namespace
}  // namespace manager
