#include "receiver/recorder/film_thread.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "receiver/sound/sound_mixer.h"
#include "sail/core/socket/listening_socket.h"
#include "tests/support/temp_folder.h"

namespace receiver {
namespace {

constexpr int kFps = 10;

// Time stamps in tenths of a second, from ffprobe.
std::string picture_times(const std::string& film) {
  const std::string command =
      "ffprobe -v error -select_streams v -show_entries packet=pts_time -of csv=p=0 '" + film + "'";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string times;
  for (float time_s = 0; std::fscanf(pipe.get(), "%f,", &time_s) == 1;) {
    times += std::to_string(std::lround(time_s * kFps)) + " ";
  }
  return times;
}

// A skipped picture extends the one before, even at the end of the film.
TEST(FilmThread, TheLastPictureStaysToTheEnd) {
  const sail::TempFolder folder;
  const std::string film = folder.file("film.mkv");
  SoundFeed silence;
  FilmThread thread({.to = film, .codec = "ffv1", .fps = kFps}, silence,
                    sail::Log("test", sail::LogLevel::kError));
  ASSERT_TRUE(thread.begin({1920, 1080}));
  int64_t last = 0;
  std::string expected = "0 ";
  while (thread.add(last, [](uint8_t*) {})) expected += std::to_string(++last) + " ";
  ASSERT_TRUE(thread.end());
  EXPECT_EQ(picture_times(film), expected);
}

TEST(FilmThread, ADestinationThatDoesNotAnswerHoldsUpNobody) {
  const auto mute = sail::listening_socket({"127.0.0.1", 0});  // accepts nobody
  ASSERT_TRUE(mute);
  const auto address = sail::listening_address(mute->get());
  ASSERT_TRUE(address);
  SoundFeed silence;
  silence.begin(kFilmSoundRate, kFilmSoundChannels);
  const auto begin = std::chrono::steady_clock::now();
  {
    FilmThread thread({.to = "rtmp://" + sail::address_text(*address) + "/live",
                       .codec = "flv",
                       .fps = kFps,
                       .live = true},
                      silence, sail::Log("test", sail::LogLevel::kError));
    ASSERT_TRUE(thread.begin({64, 64}));
    constexpr int64_t kAll = 100;
    int64_t waiting = 0;
    for (int64_t i = 0; i < kAll; ++i) waiting += thread.add(i, [](uint8_t*) {}) ? 1 : 0;
    EXPECT_LE(waiting, 8) << "few pictures wait for it, the others are dropped";
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

TEST(FilmThread, ALiveStreamThatCannotBeEndsAtTheFirstTry) {
  SoundFeed silence;
  FilmThread thread({.to = "udp://127.0.0.1:9", .codec = "nothing", .fps = kFps, .live = true},
                    silence, sail::Log("test", sail::LogLevel::kError));
  ASSERT_TRUE(thread.begin({64, 64}));
  const auto ended = thread.end();
  EXPECT_TRUE(thread.failed());
  ASSERT_FALSE(ended);
  EXPECT_THAT(ended.error().message, testing::HasSubstr("no encoder 'nothing'"));
}

TEST(FilmThread, PicturesOfALiveStreamAreCounted) {
  SoundFeed silence;
  FilmThread thread({.to = "udp://127.0.0.1:9", .codec = "mpeg2video", .fps = 25, .live = true},
                    silence, sail::Log("test", sail::LogLevel::kError));
  ASSERT_TRUE(thread.begin({64, 64}));
  int64_t index = 0;
  while (thread.wants_picture()) thread.add(index++, [](uint8_t*) {});
  constexpr int64_t kMore = 100;
  for (int64_t i = 0; i < kMore; ++i) thread.add(index++, [](uint8_t*) {});
  ASSERT_TRUE(thread.end());
  const LiveFigures& figures = thread.figures();
  EXPECT_GE(figures.sent, 1);
  EXPECT_GT(figures.sent + figures.dropped, kMore) << "each picture is sent or dropped";
  EXPECT_LE(figures.sent + figures.dropped, index);
  EXPECT_EQ(figures.connections, 1);
}

TEST(FilmThread, ALiveStreamThatNeverBeganIsNoSuccess) {
  std::optional<sail::Address> closed;
  {
    const auto socket = sail::listening_socket({"127.0.0.1", 0});
    ASSERT_TRUE(socket);
    closed = sail::listening_address(socket->get());
  }
  ASSERT_TRUE(closed);
  SoundFeed silence;
  FilmThread thread(
      {.to = "tcp://" + sail::address_text(*closed), .codec = "", .fps = kFps, .live = true},
      silence, sail::Log("test", sail::LogLevel::kError));
  ASSERT_TRUE(thread.begin({64, 64}));
  const auto ended = thread.end();
  EXPECT_FALSE(thread.failed()) << "it would have tried again";
  ASSERT_FALSE(ended);
  EXPECT_THAT(ended.error().message, testing::HasSubstr("nothing was sent"));
}

TEST(LiveFigures, AsText) {
  EXPECT_EQ(figures_text({.sent = 120, .dropped = 3, .connections = 2}),
            "120 pictures sent, 3 dropped, 1 reconnect");
  EXPECT_EQ(figures_text({}), "0 pictures sent, 0 dropped, 0 reconnects");
}

}  // namespace
}  // namespace receiver
