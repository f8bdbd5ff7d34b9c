#include "sail/media/storage/http/far_bytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "sail/media/storage/reading/read_cache.h"
#include "sail/media/storage/source_uri.h"
#include "tests/support/environment_variable.h"
#include "tests/support/http_server.h"

namespace sail {
namespace {

using test::HttpAnswer;
using test::HttpRequest;
using test::HttpServer;
using testing::HasSubstr;
using testing::Not;

std::string content_of(size_t count) {
  std::string content(count, '\0');
  for (size_t i = 0; i < count; ++i) content[i] = static_cast<char>(i % 251 + i / 65536);
  return content;
}

constexpr int64_t kFarTimeoutMs = 3'600'000;

// A server with a film of 3 MB, whose answers the test may override.
class FarBytesTest : public testing::Test {
 protected:
  FarTimeouts timeouts_ = {
      .failures = 3, .silence_ms = kFarTimeoutMs, .pause_ms = 1, .most_pause_ms = 1};

  // Empty optional: the correct answer. Not called for the first request, which opens the film.
  std::function<std::optional<HttpAnswer>(const HttpRequest&)> answer_;

  Result<std::unique_ptr<const ByteSource>> open(const std::string& url) {
    return FarBytes::open(url, {url, {}}, {}, timeouts_);
  }
  void open_film() {
    auto opened = open(server_.url("/film"));
    ASSERT_TRUE(opened) << opened.error().message;
    film_ = std::move(*opened);
  }
  HttpAnswer right(const HttpRequest& request) const {
    return HttpServer::part_of(content_, request);
  }
  // Reads the whole film.
  Result<void> read() {
    got_.assign(content_.size(), 0);
    return film_->read(0, got_);
  }
  bool came() const {
    return std::ranges::equal(got_, content_,
                              [](uint8_t a, char b) { return a == static_cast<uint8_t>(b); });
  }
  // Expects the read to fail with this error after this number of requests.
  void expect_failure(ErrorCode code, const char* words, size_t requests) {
    open_film();
    const size_t before = server_.requests().size();
    const auto done = read();
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, code) << done.error().message;
    EXPECT_THAT(done.error().message, HasSubstr(words));
    EXPECT_THAT(done.error().message, HasSubstr(film_->name()));
    EXPECT_EQ(server_.requests().size() - before, requests);
  }
  // Expects the read to succeed after this number of requests.
  void expect_recovery(size_t requests) {
    open_film();
    const size_t before = server_.requests().size();
    const auto reads = film_->reads();
    const auto done = read();
    EXPECT_TRUE(done) << done.error().message;
    EXPECT_TRUE(came());
    EXPECT_EQ(server_.requests().size() - before, requests);
    EXPECT_EQ(reads->retries(), requests - 1);
  }

  const std::string content_ = content_of((3 << 20) + 5);
  std::vector<uint8_t> got_;
  HttpServer server_{[this](const HttpRequest& request) {
    std::optional<HttpAnswer> answer;
    if (answer_ && request.number > 0) answer = answer_(request);
    return answer ? *answer : right(request);
  }};
  std::unique_ptr<const ByteSource> film_;
};

TEST_F(FarBytesTest, ReadsAnyPlace) {
  open_film();
  EXPECT_EQ(film_->size().value(), content_.size());
  EXPECT_TRUE(read());
  EXPECT_TRUE(came());
  std::vector<uint8_t> three(3);
  EXPECT_TRUE(film_->read(content_.size() - 3, three));
  EXPECT_EQ(three[2], static_cast<uint8_t>(content_.back()));
}

TEST_F(FarBytesTest, KeepsManyRequestsUnderWay) {
  // The first requests are answered when the expected number is pending.
  const size_t depth = ByteSource::Depth().begin;
  const std::string content = content_of(20 << 20);
  HttpServer server([&](const HttpRequest& request) {
    HttpAnswer answer = HttpServer::part_of(content, request);
    if (request.number > 0) answer.after = depth;
    return answer;
  });
  auto film = open(server.url("/"));
  ASSERT_TRUE(film);
  std::vector<uint8_t> memory(content.size());
  ParallelReader ahead(**film);
  ParallelReader::Part part;
  part.bytes = memory;
  ahead.begin(part);
  EXPECT_TRUE(ahead.finish(part));
  EXPECT_EQ(memory.back(), static_cast<uint8_t>(content.back()));
  EXPECT_EQ(ahead.retries(), 0U);
  EXPECT_EQ(server.requests().size(), 1U + 20U);
}

TEST_F(FarBytesTest, IsReadAheadOf) {
  open_film();
  ReadCache ahead(*film_);
  std::vector<uint8_t> room(content_.size());
  size_t got = 0;
  while (got < room.size()) {
    const auto more = ahead.read(got, std::span(room).subspan(got), {});
    ASSERT_TRUE(more) << more.error().message;
    got += *more;
  }
  EXPECT_EQ(ahead.read(got, room, {}).value(), 0U);
  got_ = room;
  EXPECT_TRUE(came());
}

TEST_F(FarBytesTest, FollowsARedirect) {
  HttpServer elsewhere([&](const HttpRequest&) {
    return HttpAnswer{"302 Found", "Location: " + server_.url("/film") + "\r\n", "", {}, {}};
  });
  auto opened = open(elsewhere.url("/"));
  ASSERT_TRUE(opened) << opened.error().message;
  film_ = std::move(*opened);
  EXPECT_TRUE(read());
  EXPECT_TRUE(came());
}

TEST_F(FarBytesTest, ARedirectToAFileOfThisHostIsNotFollowed) {
  HttpServer elsewhere([](const HttpRequest&) {
    return HttpAnswer{"302 Found", "Location: file:///etc/passwd\r\n", "", {}, {}};
  });
  EXPECT_FALSE(open(elsewhere.url("/")));
}

TEST_F(FarBytesTest, AnEmptyOneIsEmpty) {
  HttpServer empty([](const HttpRequest& request) { return HttpServer::part_of("", request); });
  EXPECT_EQ(open(empty.url("/")).value()->size().value(), 0U);
}

// As rclone does for S3.
TEST_F(FarBytesTest, APartThatIsCalledWholeIsTaken) {
  HttpServer server([&](const HttpRequest& request) {
    HttpAnswer part = right(request);
    part.status = "200 OK";
    return part;
  });
  auto opened = open(server.url("/film"));
  ASSERT_TRUE(opened) << opened.error().message;
  film_ = std::move(*opened);
  EXPECT_TRUE(read());
  EXPECT_TRUE(came());
}

TEST_F(FarBytesTest, ABlankInItsNameIsTaken) {
  EXPECT_TRUE(open(server_.url("/my film.mp4?a=b c")));
  EXPECT_EQ(server_.requests().back().path, "/my%20film.mp4?a=b%20c");
}

TEST_F(FarBytesTest, RedirectsWithoutAnEndAreSaid) {
  HttpServer round([&](const HttpRequest&) {
    return HttpAnswer{"302 Found", "Location: /again\r\n", "", {}, {}};
  });
  EXPECT_THAT(open(round.url("/")).error().message, HasSubstr("redirects"));
}

// --- temporary errors ----------------------------------------------------------------------------

TEST_F(FarBytesTest, AnAnswerThatIsCutOffIsAskedForFromThereOn) {
  answer_ = [&](const HttpRequest& request) -> std::optional<HttpAnswer> {
    if (request.number > 2) return std::nullopt;
    HttpAnswer cut = right(request);
    cut.length = cut.body.size();
    cut.body.resize(cut.body.size() / 2);
    cut.then = HttpAnswer::Then::kClose;
    return cut;
  };
  expect_recovery(3);
  EXPECT_GT(server_.requests().back().first, 2U << 20) << "what had come is not asked for again";
}

TEST_F(FarBytesTest, AServerThatStopsMidReadIsAskedAgain) {
  answer_ = [&](const HttpRequest& request) -> std::optional<HttpAnswer> {
    if (request.number > 1) return std::nullopt;
    HttpAnswer cut = right(request);
    cut.length = cut.body.size();
    cut.body.resize(1 << 20);
    cut.then = HttpAnswer::Then::kSilence;
    return cut;
  };
  timeouts_.silence_ms = 500;
  open_film();
  EXPECT_TRUE(read());
  EXPECT_TRUE(came());
  EXPECT_GE(film_->reads()->retries(), 1U);
}

TEST_F(FarBytesTest, ShortAnswersAreContinued) {
  answer_ = [&](HttpRequest request) -> std::optional<HttpAnswer> {
    request.last = std::min<uint64_t>(request.last, request.first + (1 << 20) - 1);
    return right(request);
  };
  expect_recovery(4);
}

TEST_F(FarBytesTest, AnErrorOfTheServersMayPass) {
  answer_ = [](const HttpRequest& request) -> std::optional<HttpAnswer> {
    if (request.number > 2) return std::nullopt;
    return HttpAnswer{"500 Oops", "", "a page that nobody reads", {}, {}};
  };
  expect_recovery(3);
}

TEST_F(FarBytesTest, WaitsAsLongAsABusyServerWishesWithinReason) {
  answer_ = [](const HttpRequest& request) -> std::optional<HttpAnswer> {
    if (request.number > 1) return std::nullopt;
    return HttpAnswer{"503 Busy", "Retry-After: 1000\r\n", "", {}, {}};
  };
  expect_recovery(2);
  const FarTimeouts timeouts;
  EXPECT_EQ(timeouts.pause_after(1, 3), 3000);
  EXPECT_EQ(timeouts.pause_after(1, 1000), 10'000);
  EXPECT_EQ(timeouts.pause_after(1, std::nullopt), 100);
  EXPECT_EQ(timeouts.pause_after(3, std::nullopt), 400);
  EXPECT_EQ(timeouts.pause_after(60, std::nullopt), 10'000);
}

TEST_F(FarBytesTest, ClosingAfterEachReplyIsNoFailure) {
  answer_ = [&](const HttpRequest& request) -> std::optional<HttpAnswer> {
    HttpAnswer answer = right(request);
    answer.headers += "Connection: close\r\n";
    answer.then = HttpAnswer::Then::kClose;
    return answer;
  };
  expect_recovery(1);
  EXPECT_TRUE(read());
}

// --- permanent errors ----------------------------------------------------------------------------

TEST_F(FarBytesTest, AServerThatStaysBrokenIsAnErrorThatNamesThePlace) {
  answer_ = [](const HttpRequest&) {
    return HttpAnswer{"502 Bad Gateway", "", "", {}, HttpAnswer::Then::kClose};
  };
  expect_failure(ErrorCode::kIo, "at byte 0: the server answered with status 502", 3);
}

TEST_F(FarBytesTest, SilenceForEverIsAnErrorThatNamesThePlace) {
  answer_ = [&](const HttpRequest& request) -> std::optional<HttpAnswer> {
    HttpAnswer cut = right(request);
    cut.length = cut.body.size();
    cut.body.resize(request.first == 0 ? 1 << 20 : 0);
    cut.then = HttpAnswer::Then::kSilence;
    return cut;
  };
  timeouts_.silence_ms = 500;
  expect_failure(ErrorCode::kIo, "at byte 1048576: the server stopped responding", 4);
}

TEST_F(FarBytesTest, AByteAtATimeIsNoProgress) {
  answer_ = [&](HttpRequest request) -> std::optional<HttpAnswer> {
    request.last = request.first;
    return right(request);
  };
  expect_failure(ErrorCode::kIo, "at byte 3: the server sent less than requested", 3);
}

TEST_F(FarBytesTest, OtherBytesThanAskedForAreNotTaken) {
  answer_ = [&](HttpRequest request) -> std::optional<HttpAnswer> {
    request.first += 7;
    return right(request);
  };
  expect_failure(ErrorCode::kBadData, "bytes that were not requested", 1);
  EXPECT_EQ(got_[0], 0U);
}

TEST_F(FarBytesTest, MoreBytesThanAskedForAreNotTaken) {
  answer_ = [&](const HttpRequest& request) -> std::optional<HttpAnswer> {
    HttpAnswer more = right(request);
    more.body += "and more";
    return more;
  };
  expect_failure(ErrorCode::kBadData, "bytes that were not requested", 1);
}

TEST_F(FarBytesTest, TheWholeInsteadOfAPartIsNotTaken) {
  answer_ = [&](const HttpRequest&) { return HttpAnswer{"200 OK", "", content_, {}, {}}; };
  expect_failure(ErrorCode::kBadData, "the whole file instead of the requested range", 1);
}

TEST_F(FarBytesTest, AFilmThatChangesIsNotMixedWithAnother) {
  answer_ = [&](const HttpRequest& request) {
    return HttpServer::part_of(content_ + "new", request);
  };
  expect_failure(ErrorCode::kConflict, "the file has changed", 1);
}

TEST_F(FarBytesTest, RefusedCredentialsAreSaidAtOnce) {
  for (const char* status : {"401 Unauthorized", "403 Forbidden"}) {
    HttpServer server([&](const HttpRequest&) {
      return HttpAnswer{status, "WWW-Authenticate: Basic\r\n", "<html>", {}, {}};
    });
    const auto opened = open(server.url("/film"));
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, ErrorCode::kUnauthorized);
    EXPECT_THAT(opened.error().message, HasSubstr("check the credentials"));
    EXPECT_EQ(server.requests().size(), 1U);
  }
}

TEST_F(FarBytesTest, WhatIsNotThereIsSaidAtOnce) {
  HttpServer server([](const HttpRequest&) { return HttpAnswer{"404 None", "", "", {}, {}}; });
  EXPECT_EQ(open(server.url("/film")).error().code, ErrorCode::kNotFound);
}

TEST_F(FarBytesTest, AHostThatNobodyKnowsIsSaid) {
  const auto opened = open("http://no-such-host.invalid/film");
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(opened.error().message, HasSubstr("no-such-host.invalid"));
}

TEST_F(FarBytesTest, WhatIsSentWholeIsLeftToOthers) {
  HttpServer server([](const HttpRequest&) { return HttpAnswer{"200 OK", "", "all", {}, {}}; });
  EXPECT_EQ(open(server.url("/film")).error().code, ErrorCode::kUnavailable);
}

// --- cancellation --------------------------------------------------------------------------------

TEST_F(FarBytesTest, OpeningIsGivenUp) {
  HttpServer server([](const HttpRequest&) {
    HttpAnswer never;
    never.after = 2;
    return never;
  });
  const GiveUp when_asked = [&] { return !server.requests().empty(); };
  const auto opened = FarBytes::open("film", {server.url("/"), {}}, when_asked, timeouts_);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::kTimeout);
}

TEST_F(FarBytesTest, WhatIsNotWantedAnyMoreIsLetGoAtOnce) {
  answer_ = [](const HttpRequest&) {
    HttpAnswer never;
    never.after = 100;
    return never;
  };
  open_film();
  ParallelReader ahead(*film_);
  std::vector<uint8_t> memory(2 << 20);
  ParallelReader::Part part;
  part.bytes = memory;
  ahead.begin(part);
  ahead.cancel(part);
  EXPECT_TRUE(ahead.arrived(part));
}

TEST_F(FarBytesTest, CredentialsComeFromTheUrlAndStayOutOfWords) {
  std::string url = server_.url("/film?X-Amz-Signature=abc");
  url.insert(url.find("127"), "me:hush@");
  auto opened = open_bytes(url);
  ASSERT_TRUE(opened);
  EXPECT_THAT((*opened)->name(), Not(HasSubstr("hush")));
  EXPECT_THAT((*opened)->name(), Not(HasSubstr("abc")));
  EXPECT_THAT(server_.requests().front().head, HasSubstr("Authorization: Basic bWU6aHVzaA=="));
}

TEST_F(FarBytesTest, AnS3RequestIsSigned) {
  const test::EnvironmentVariable endpoint("AWS_ENDPOINT_URL", server_.url(""));
  const test::EnvironmentVariable key("AWS_ACCESS_KEY_ID", "me");
  const test::EnvironmentVariable secret("AWS_SECRET_ACCESS_KEY", "hush");
  const test::EnvironmentVariable session("AWS_SESSION_TOKEN", "for-an-hour");
  const test::EnvironmentVariable region("AWS_REGION", "eu-west-1");
  auto opened = open_bytes("s3://films/dir/a film.mkv");
  ASSERT_TRUE(opened) << opened.error().message;
  const HttpRequest request = server_.requests().front();
  EXPECT_EQ(request.path, "/films/dir/a%20film.mkv");
  EXPECT_THAT(request.head, HasSubstr("Authorization: AWS4-HMAC-SHA256 Credential=me/"));
  EXPECT_THAT(request.head, HasSubstr("/eu-west-1/s3/aws4_request"));
  EXPECT_THAT(request.head, HasSubstr("x-amz-security-token"));
  EXPECT_THAT(request.head, Not(HasSubstr("hush")));
}

TEST(SourceUri, GlusterFsIsReadThroughAMount) {
  const auto bytes = open_bytes("gluster://store/films/opera.mkv");
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().code, ErrorCode::kInvalidParams);
}

}  // namespace
}  // namespace sail
