#include "receiver/recorder/film_writer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
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

class Listeners final : public FilmAudience {
 public:
  void begin(bool sound) override { has_sound = sound; }
  void show(std::span<const uint8_t> unit, bool key, int64_t time_ns) override {
    units.push_back({.bytes = {unit.begin(), unit.end()}, .key = key, .time_ns = time_ns});
  }
  void play(std::span<const uint8_t> packet, int64_t /*time_ns*/) override {
    sound_bytes += packet.size();
  }
  bool wants_key() override { return std::exchange(wish, false); }

  struct Unit {
    std::vector<uint8_t> bytes;
    bool key = false;
    int64_t time_ns = 0;
  };
  std::vector<Unit> units;
  std::optional<bool> has_sound;
  size_t sound_bytes = 0;
  bool wish = false;
};

FilmOptions options_for(Listeners& listeners) {
  return {.to = "http://127.0.0.1:0/whep",
          .codec = {},
          .fps = 10,
          .live = true,
          .audience = &listeners};
}

TEST(FilmWriter, AnAudienceGetsEachPictureAtOnceAndKeyPicturesWhenItAsks) {
  Listeners listeners;
  auto writer = FilmWriter::open(options_for(listeners), {64, 64});
  ASSERT_TRUE(writer) << writer.error().message;
  EXPECT_EQ(listeners.has_sound, false);
  const std::vector<uint8_t> pixels(size_t{64} * 64 * 4);
  for (int64_t index = 0; index < 6; ++index) {
    listeners.wish = index == 3;
    ASSERT_TRUE((*writer)->write(pixels.data(), index));
    ASSERT_EQ(listeners.units.size(), static_cast<size_t>(index) + 1) << "nothing waits";
    const Listeners::Unit& unit = listeners.units.back();
    EXPECT_EQ(unit.time_ns, index * 100'000'000);
    EXPECT_EQ(unit.key, index == 0 || index == 3);
    if (!unit.key) continue;
    constexpr int kParameterSet = 7;
    constexpr int kBaseline = 66;
    ASSERT_GT(unit.bytes.size(), size_t{5});
    EXPECT_EQ(unit.bytes[4] & 0x1F, kParameterSet) << "key pictures begin with it";
    EXPECT_EQ(unit.bytes[5], kBaseline);
  }
  EXPECT_TRUE((*writer)->finish());
}

TEST(FilmWriter, AnAudienceHearsOpus) {
  Listeners listeners;
  FilmOptions options = options_for(listeners);
  options.sound = true;
  auto writer = FilmWriter::open(options, {64, 64});
  ASSERT_TRUE(writer) << writer.error().message;
  EXPECT_EQ(listeners.has_sound, true);
  const std::vector<float> samples(size_t{kFilmSoundRate} / 10 * kFilmSoundChannels, 0.5F);
  ASSERT_TRUE((*writer)->write_sound(samples, 0));
  EXPECT_GT(listeners.sound_bytes, size_t{0});
}

TEST(FilmWriter, AnAudienceGetsH264Only) {
  Listeners listeners;
  FilmOptions options = options_for(listeners);
  options.codec = "ffv1";
  EXPECT_FALSE(FilmWriter::open(options, {64, 64}));
}

}  // namespace
}  // namespace receiver
