#include "sail/apps/server/http/http_conditions.h"

#include <gtest/gtest.h>

namespace server {
namespace {

constexpr FileState kFilm{.bytes = 1000, .changed_ns = 784'111'777'500'000'000};
constexpr const char* kDate = "Sun, 06 Nov 1994 08:49:37 GMT";
constexpr const char* kDayAfter = "Mon, 07 Nov 1994 08:49:37 GMT";
constexpr const char* kDayBefore = "Sat, 05 Nov 1994 08:49:37 GMT";
constexpr HttpPart kAll{200, 0, 1000};

HttpPart range(const char* text) {
  return choose_part(kFilm, {.range = text});
}

TEST(HttpConditions, Ranges) {
  EXPECT_EQ(choose_part(kFilm, {}), kAll);
  EXPECT_EQ(range("bytes=0-"), (HttpPart{206, 0, 1000}));
  EXPECT_EQ(range("bytes=10-19"), (HttpPart{206, 10, 10}));
  EXPECT_EQ(range("Bytes= 999-5000 "), (HttpPart{206, 999, 1}));
  EXPECT_EQ(range("bytes=-10"), (HttpPart{206, 990, 10}));
  EXPECT_EQ(range("bytes=-5000"), (HttpPart{206, 0, 1000}));
  EXPECT_EQ(range("bytes=0-99999999999999999999999"), (HttpPart{206, 0, 1000}));
  for (const char* beyond :
       {"bytes=1000-", "bytes=1000-1001", "bytes=-0", "bytes=99999999999999999999999-"}) {
    EXPECT_EQ(range(beyond).status, 416) << beyond;
  }
}

TEST(HttpConditions, WhatIsNoRangeOrSeveralIsAnsweredByAll) {
  for (const char* text :
       {"", "bytes", "bytes=", "bytes=-", "bytes=5", "bytes=5-4", "bytes=a-b", "bytes=1-2x",
        "bytes=+1-2", "items=0-1", "bytes=0-1,5-6", "bytes=--1", "bytes=1 - 2"}) {
    EXPECT_EQ(range(text), kAll) << text;
  }
  EXPECT_EQ(choose_part({}, {.range = "bytes=0-"}).status, 416) << "there is nothing in it";
}

TEST(HttpConditions, ARangeOfAnotherFilmIsNotMixedWithThisOne) {
  const auto part = [](const std::string& if_range) {
    return choose_part(kFilm, {.range = "bytes=1-2", .if_range = if_range}).status;
  };
  EXPECT_EQ(part(etag_of(kFilm)), 206);
  EXPECT_EQ(part(kDate), 206);
  EXPECT_EQ(part("\"other\""), 200);
  EXPECT_EQ(part("W/" + etag_of(kFilm)), 200);
  EXPECT_EQ(part(kDayAfter), 200);
}

TEST(HttpConditions, WhatTheClientHasIsNotSentAgain) {
  const std::string etag = etag_of(kFilm);
  EXPECT_EQ(choose_part(kFilm, {.if_none_match = "\"a\", W/" + etag}).status, 304);
  EXPECT_EQ(choose_part(kFilm, {.if_none_match = "*"}).status, 304);
  EXPECT_EQ(choose_part(kFilm, {.if_none_match = "\"a\"", .if_modified_since = kDayAfter}), kAll);
  EXPECT_EQ(choose_part(kFilm, {.if_modified_since = kDate}).status, 304);
  EXPECT_EQ(choose_part(kFilm, {.if_modified_since = kDayBefore}), kAll);
  EXPECT_EQ(choose_part(kFilm, {.if_modified_since = "yesterday"}), kAll);
  EXPECT_EQ(choose_part(kFilm, {.if_match = etag}), kAll);
  EXPECT_EQ(choose_part(kFilm, {.if_match = "W/" + etag}).status, 412);
  EXPECT_EQ(choose_part(kFilm, {.if_unmodified_since = kDayBefore}).status, 412);
  EXPECT_EQ(choose_part(kFilm, {.if_unmodified_since = kDate}), kAll);
}

TEST(HttpConditions, Dates) {
  EXPECT_EQ(http_date(kFilm.changed_ns), kDate);
  EXPECT_EQ(parse_http_date(kDate), 784'111'777);
  for (const char* no : {"", "Sun, 06 Nov 1994 08:49:37 XYZ", "Sunday, 06-Nov-94 08:49:37 GMT",
                         "Sun, 06 Nov 1994 08:49:37 GMT "}) {
    EXPECT_FALSE(parse_http_date(no)) << no;
  }
  FileState later = kFilm;
  later.changed_ns += 1;
  EXPECT_NE(etag_of(later), etag_of(kFilm));
}

TEST(HttpConditions, KindsOfFilms) {
  EXPECT_EQ(content_type_of("lobby/FILM.MP4"), "video/mp4");
  EXPECT_EQ(content_type_of("film.vmov"), "application/octet-stream");
  EXPECT_EQ(content_type_of("mp4"), "application/octet-stream");
}

}  // namespace
}  // namespace server
