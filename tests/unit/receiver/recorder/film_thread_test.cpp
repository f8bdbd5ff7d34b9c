#include "receiver/recorder/film_thread.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
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

TEST(FilmThread, ADestinationThatDoesNotAnswerHoldsUpNobodyWhoLeaves) {
  const auto mute = sail::listening_socket({"127.0.0.1", 0});  // accepts nobody
  ASSERT_TRUE(mute);
  const auto address = sail::listening_address(mute->get());
  ASSERT_TRUE(address);
  SoundFeed silence;
  const auto begin = std::chrono::steady_clock::now();
  {
    FilmThread thread({.to = "rtmp://" + sail::address_text(*address) + "/live",
                       .codec = "flv",
                       .fps = kFps,
                       .live = true},
                      silence, sail::Log("test", sail::LogLevel::kError));
    ASSERT_TRUE(thread.begin({64, 64}));
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

}  // namespace
}  // namespace receiver
