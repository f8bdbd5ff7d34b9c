// Films from a web server.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "sail/media/ffmpeg/media_source.h"
#include "sail/media/vmov/vmov_source.h"
#include "tests/support/environment_variable.h"
#include "tests/support/http_server.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/sail/apps/play/clips.h"
#include "tests/unit/sail/media/film/movies.h"

namespace sail {
namespace {

using test::HttpAnswer;
using test::HttpRequest;
using test::HttpServer;
using testing::AllOf;
using testing::Each;
using testing::Field;
using testing::HasSubstr;
using testing::Not;

std::string text_of(const std::string& file) {
  const auto bytes = bytes_of(file);
  return {bytes.begin(), bytes.end()};
}

TEST(FarFilm, IsReadInPartsAheadOfItsDecoder) {
  const TempFolder folder;
  const std::string film =
      text_of(make_clip(folder, "film.mkv", counting_frames("64x48", 50, 25) + " -g 5"));
  HttpServer server([&](const HttpRequest& request) { return HttpServer::part_of(film, request); });
  const auto source = open_clip(server.url("/film.mkv"));
  ASSERT_TRUE(source);
  EXPECT_EQ(times_ms(*source).size(), 50U);
  ASSERT_TRUE(source->seek(1'000'000'000));
  EXPECT_EQ(frame_number(next_picture(*source)), 25);
  EXPECT_EQ(source->read_figures().bytes, film.size());
  auto requests = server.requests();
  ASSERT_FALSE(requests.empty());
  requests.erase(requests.begin());  // FFmpeg's probe for a live stream
  EXPECT_THAT(requests, Each(Field(&HttpRequest::head,
                                   AllOf(HasSubstr("Range: bytes="), Not(HasSubstr("Lavf"))))))
      << "and nobody else asks for it";
}

TEST(FarFilm, OneThatIsSentOnlyWholeIsFFmpegsMatter) {
  const TempFolder folder;
  const std::string film = text_of(make_clip(folder, "film.mkv", counting_frames("64x48", 10, 25)));
  HttpServer server([&](const HttpRequest&) { return HttpAnswer{"200 OK", "", film, {}, {}}; });
  const auto source = open_clip(server.url("/film.mkv"));
  ASSERT_TRUE(source);
  EXPECT_EQ(times_ms(*source).size(), 10U);
}

// The film's index is at its end.
TEST(FarFilm, OneThatNeedsPartsSaysSo) {
  const TempFolder folder;
  const std::string film = text_of(make_clip(
      folder, "film.mp4",
      "-f lavfi -i testsrc2=s=640x480:r=25 -frames:v 60 -c:v mpeg4 -q:v 1"));  // more than a buffer
  HttpServer server([&](const HttpRequest&) { return HttpAnswer{"200 OK", "", film, {}, {}}; });
  EXPECT_THAT(open_error(server.url("/film.mp4")), HasSubstr("does not support byte ranges"));
  const test::EnvironmentVariable endpoint("AWS_ENDPOINT_URL", server.url(""));
  EXPECT_THAT(open_error("s3://films/film.mp4"), HasSubstr("does not support byte ranges"));
}

TEST(FarFilm, ErrorsSayWhatIsWrong) {
  HttpServer round([](const HttpRequest&) {
    return HttpAnswer{"302 Found", "Location: /again\r\n", "", {}, {}};
  });
  EXPECT_THAT(open_error(round.url("/film.mp4")), HasSubstr("redirects"));
  HttpServer server([](const HttpRequest& request) {
    return HttpAnswer{request.path == "/mine" ? "403 No" : "404 None", "", "", {}, {}};
  });
  EXPECT_THAT(open_error(server.url("/none")), HasSubstr("not found on the server"));
  EXPECT_THAT(open_error(server.url("/mine")), HasSubstr("check the credentials"));
}

// The server fails in the middle.
TEST(FarFilm, APlaceThatCannotBeReadIsNamed) {
  const TempFolder folder;
  std::string film = text_of(make_clip(
      folder, "film.mkv", "-f lavfi -i testsrc2=s=320x240:r=25 -frames:v 60 -c:v rawvideo"));
  HttpServer server([&](const HttpRequest& request) {
    if (request.first >= 2 << 20) return HttpAnswer{"403 No", "", "", {}, {}};
    return HttpServer::part_of(film, request);
  });
  const auto source = open_clip(server.url("/film.mkv"));
  ASSERT_TRUE(source);
  EXPECT_LT(times_ms(*source).size(), 60U);
  EXPECT_THAT(source->take_complaint().value_or(""), HasSubstr("at byte 2097152"));
}

TEST(FarFilm, AListFromAfarOpensNoFileOfThisHost) {
  const TempFolder folder;
  const std::string here =
      make_clip(folder, "here.ts", counting_frames("64x48", 10, 25) + " -c:v mpeg2video");
  const std::string list =
      "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:0.4,\nfile://" + here + "\n#EXT-X-ENDLIST\n";
  HttpServer server([&](const HttpRequest& request) { return HttpServer::part_of(list, request); });
  EXPECT_NE(open_error(server.url("/list.m3u8")), "it was opened");
  EXPECT_EQ(open_error(folder.write("list.m3u8", list)), "it was opened") << "one from here may";
}

TEST(FarFilm, WhatIsMadeOfItTellsNoSecretOfItsUrl) {
  const TempFolder folder;
  const std::string film = text_of(make_clip(folder, "film.mkv", counting_frames("64x48", 2, 25)));
  HttpServer server([&](const HttpRequest& request) { return HttpServer::part_of(film, request); });
  std::string url = server.url("/film.mkv?sig=abc/def#x");
  url.insert(url.find("127"), "me:hush@");
  ASSERT_EQ(convert(options_for(url, folder.file("made.vmov"))), "");
  const auto made = VmovReader::open(folder.file("made.vmov"));
  ASSERT_TRUE(made);
  EXPECT_EQ(made->header().source, "film.mkv");
}

TEST(FarFilm, AVmovIsReadLikeAFile) {
  const TempFolder folder;
  write_tiny(folder.file("film.vmov"), 5);
  const std::string film = text_of(folder.file("film.vmov"));
  HttpServer server([&](const HttpRequest& request) { return HttpServer::part_of(film, request); });
  const std::string url = server.url("/film.vmov?version=1");
  EXPECT_TRUE(is_vmov_file(url));
  EXPECT_FALSE(is_vmov_file(server.url("/film.mkv")));
  auto source = VmovSource::open(url);
  ASSERT_TRUE(source) << source.error().message;
  for (int i = 0; i < 5; ++i) EXPECT_EQ(next_picture(**source).pts_ns, i * kFrameTime);
  EXPECT_FALSE((*source)->next().value());
}

}  // namespace
}  // namespace sail
