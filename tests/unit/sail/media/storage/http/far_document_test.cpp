#include "sail/media/storage/http/far_document.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/http_server.h"

namespace sail {
namespace {

using test::HttpAnswer;
using test::HttpRequest;
using test::HttpServer;

constexpr size_t kMostOfADocument = 1000;

Result<std::string> fetch_from(const HttpServer::Handler& handler) {
  HttpServer server(handler);
  return fetch_document(server.url("/feed"), kMostOfADocument, {});
}

TEST(FarDocument, AWholeDocumentArrivesWithoutARange) {
  const auto document = fetch_from([](const HttpRequest& request) {
    const bool ranged = request.head.find("ange: bytes") != std::string::npos;
    return HttpAnswer{.headers = {}, .body = ranged ? "a range" : "all of it", .length = {}};
  });
  ASSERT_TRUE(document) << document.error().message;
  EXPECT_EQ(*document, "all of it");
  const auto most = fetch_from([](const HttpRequest&) {
    return HttpAnswer{.headers = {}, .body = std::string(kMostOfADocument, 'x'), .length = {}};
  });
  ASSERT_TRUE(most) << most.error().message;
  EXPECT_EQ(most->size(), kMostOfADocument);
  const auto empty = fetch_from(
      [](const HttpRequest&) { return HttpAnswer{.headers = {}, .body = {}, .length = {}}; });
  ASSERT_TRUE(empty) << empty.error().message;
  EXPECT_EQ(*empty, "");
}

TEST(FarDocument, WhatCannotBeFetchedIsAnError) {
  const auto large = fetch_from([](const HttpRequest&) {
    return HttpAnswer{.headers = {}, .body = std::string(kMostOfADocument + 1, 'x'), .length = {}};
  });
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().code, ErrorCode::kLimit);
  const auto missing = fetch_from([](const HttpRequest&) {
    return HttpAnswer{.status = "404 Not Found", .headers = {}, .body = "no", .length = {}};
  });
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  const auto cut = fetch_from([](const HttpRequest&) {
    return HttpAnswer{
        .headers = {}, .body = "half", .length = 100, .then = HttpAnswer::Then::kClose};
  });
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().code, ErrorCode::kIo);
}

TEST(FarDocument, AServerThatIsSilentIsGivenUp) {
  HttpServer server([](const HttpRequest&) {
    return HttpAnswer{
        .headers = {}, .body = "half", .length = 100, .then = HttpAnswer::Then::kSilence};
  });
  const auto document = fetch_document(server.url("/feed"), kMostOfADocument, [] { return true; });
  ASSERT_FALSE(document);
  EXPECT_EQ(document.error().code, ErrorCode::kTimeout);
}

}  // namespace
}  // namespace sail
