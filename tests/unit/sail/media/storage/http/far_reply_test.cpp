#include "sail/media/storage/http/far_reply.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sail {
namespace {

using testing::HasSubstr;
using Kind = FarOutcome::Kind;

TEST(ContentRange, IsReadAsItIsWritten) {
  EXPECT_EQ(parse_content_range("bytes 0-0/1"), (ContentRange{0, 1, 1}));
  EXPECT_EQ(parse_content_range("bytes 100-199/*"), (ContentRange{100, 100, std::nullopt}));
  EXPECT_EQ(parse_content_range("bytes */7"), (ContentRange{0, 0, 7}));
}

TEST(ContentRange, RefusesWhatMakesNoSense) {
  for (const char* value :
       {"", "bytes", "bytes 0-1", "bytes 5-4/9", "bytes 0-9/9", "bytes -1-2/9", "items 0-1/2",
        "bytes 0-1/2x", "bytes 0-18446744073709551615/*", "bytes 0-99999999999999999999/*"}) {
    EXPECT_EQ(parse_content_range(value), std::nullopt) << value;
  }
}

FarReply part(uint64_t offset, size_t count, uint64_t total) {
  FarReply reply;
  reply.status = 206;
  reply.received = count;
  reply.range = {offset, count, total};
  return reply;
}

TEST(FarJudge, TakesThePartThatWasAskedFor) {
  EXPECT_EQ(judge({"film", 100, "\"a\""}, 10, part(10, 5, 100)).kind, Kind::kTaken);
}

TEST(FarJudge, TellsOtherBytesAndOtherFilmsFromThem) {
  const FarFilm film{"film", 100, "\"a\""};
  EXPECT_EQ(judge(film, 10, part(11, 5, 100)).error->code, ErrorCode::kBadData);
  EXPECT_EQ(judge(film, 10, part(10, 5, 101)).error->code, ErrorCode::kConflict);
  FarReply newer = part(10, 5, 100);
  newer.tag = "\"b\"";
  EXPECT_EQ(judge(film, 10, newer).error->code, ErrorCode::kConflict);
  FarReply whole;
  whole.status = 200;
  const auto verdict = judge(film, 10, whole);
  EXPECT_EQ(verdict.kind, Kind::kFailed);
  EXPECT_THAT(verdict.error->message, HasSubstr("cannot read film at byte 10: "));
}

TEST(FarJudge, AsksAgainWhereThatMayHelp) {
  const FarFilm film{"film", 100, ""};
  const auto kind = [&](int status) {
    FarReply reply;
    reply.status = status;
    return judge(film, 0, reply).kind;
  };
  for (const int status : {500, 502, 503, 504, 429, 408}) EXPECT_EQ(kind(status), Kind::kRetry);
  for (const int status : {400, 401, 403, 404, 410, 416}) EXPECT_EQ(kind(status), Kind::kFailed);
  FarReply cut = part(0, 3, 100);
  cut.trouble = FarTrouble::kBroken;
  EXPECT_EQ(judge(film, 0, cut).kind, Kind::kRetry);
  EXPECT_THAT(judge(film, 0, cut).error->message, HasSubstr("at byte 3"));
}

TEST(FarJudge, LearnsAFilmFromItsFirstByte) {
  EXPECT_EQ(learn_film("film", part(0, 1, 100))->size, 100U);
  FarReply empty;
  empty.status = 416;
  empty.range = {0, 0, 0};
  EXPECT_EQ(learn_film("film", empty)->size, 0U);
}

// The error of the redirect's target is reported.
TEST(FarJudge, ARedirectThatLeadsAstraySaysWhy) {
  FarReply reply;
  reply.status = 302;
  reply.trouble = FarTrouble::kNotTrusted;
  reply.words = "SSL certificate problem";
  EXPECT_EQ(learn_film("film", reply).error().code, ErrorCode::kUnauthorized);
  EXPECT_THAT(learn_film("film", reply).error().message, HasSubstr("certificate"));
  EXPECT_THAT(judge({"film", 100, ""}, 0, reply).error->message, HasSubstr("certificate"));
  reply.trouble = FarTrouble::kNone;
  EXPECT_THAT(learn_film("film", reply).error().message, HasSubstr("302"));
}

TEST(FarJudge, LeavesToOthersWhatIsNoFile) {
  FarReply whole;
  whole.status = 200;
  EXPECT_EQ(learn_film("film", whole).error().code, ErrorCode::kUnavailable);
  FarReply list = part(0, 1, 100);
  list.type = "application/vnd.apple.mpegURL";
  EXPECT_EQ(learn_film("film", list).error().code, ErrorCode::kUnavailable);
  FarReply endless = part(0, 1, 100);
  endless.range->total.reset();
  EXPECT_EQ(learn_film("film", endless).error().code, ErrorCode::kUnavailable);
}

}  // namespace
}  // namespace sail
