#include "receiver/recorder/film_writer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/temp_folder.h"

namespace receiver {
namespace {

// Frame numbers of the key pictures, from ffprobe.
std::string key_pictures(const std::string& film, double fps) {
  const std::string command =
      "ffprobe -v error -skip_frame nokey -show_entries frame=pts_time -of csv=p=0 '" + film + "'";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string found;
  for (float time_s = 0; std::fscanf(pipe.get(), "%f%*[^\n]", &time_s) == 1;) {
    found += std::to_string(std::lround(time_s * fps)) + " ";
  }
  return found;
}

TEST(FilmWriter, KeyPicturesOfALiveStreamComeEveryTwoSecondsAlsoIfPicturesAreSkipped) {
  constexpr double kRate = 10;
  const sail::TempFolder folder;
  const std::string film = folder.file("film.mkv");
  auto writer =
      FilmWriter::open({.to = film, .codec = "libx264", .fps = kRate, .live = true}, {64, 64});
  ASSERT_TRUE(writer) << writer.error().message;
  const std::vector<uint8_t> pixels(size_t{64} * 64 * 4);
  for (const int64_t index : {0, 1, 15, 25, 26, 44, 45, 60}) {
    ASSERT_TRUE((*writer)->write(pixels.data(), index));
  }
  ASSERT_TRUE((*writer)->finish());
  EXPECT_EQ(key_pictures(film, kRate), "0 25 45 ");
}

}  // namespace
}  // namespace receiver
