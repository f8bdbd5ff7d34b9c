// Sound after decoding, and at the device: SDL's "disk" driver writes the output to a file.
#include "sail/apps/play/film_sound.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <semaphore>
#include <thread>

#include "sail/apps/play/sound_thread.h"
#include "sail/core/time/clock.h"
#include "sail/media/ffmpeg/sound/track_mix.h"
#include "tests/unit/sail/apps/play/clips.h"

namespace sail {
namespace {

constexpr int64_t kWaitTimeoutNs = 60 * kSecondNs;

// A tone whose frequency encodes the second: 300 Hz in the first, then 600, 900, 1200.
std::string tones(const TempFolder& folder) {
  return make_clip(folder, "tones.mkv",
                   "-f lavfi -i color=red:s=64x64:r=25 -f lavfi -i "
                   "\"aevalsrc=0.5*sin(2*PI*300*(1+floor(t))*t)|0.5*sin(2*PI*300*(1+floor(t))*t):s="
                   "44100\" -t 4 -c:a pcm_s16le");
}

// Counts upward zero crossings of a channel, by default of the left one.
double frequency(const std::vector<float>& values, size_t channel = 0) {
  int crossings = 0;
  for (size_t i = kSoundChannels + channel; i < values.size(); i += kSoundChannels) {
    if (values[i - kSoundChannels] < 0 && values[i] >= 0) ++crossings;
  }
  return crossings * static_cast<double>(kSoundRate) * kSoundChannels /
         static_cast<double>(values.size());
}

// Reads the given number of seconds of sound, from a film time on.
std::vector<float> take(MediaSound& sound, int64_t from_ns, double seconds) {
  std::vector<float> values;
  const auto wanted = static_cast<size_t>(seconds * kSoundRate) * kSoundChannels;
  while (values.size() < wanted) {
    auto samples = sound.next();
    if (!samples) break;
    if (samples->pts_ns < from_ns) continue;
    values.insert(values.end(), samples->values.begin(), samples->values.end());
  }
  values.resize(std::min(values.size(), wanted));
  return values;
}

TEST(MediaSound, DecodesAndSeeks) {
  const TempFolder folder;
  const std::string film = tones(folder);
  auto sound = MediaSound::open(film);
  ASSERT_TRUE(sound) << sound.error().message;
  EXPECT_NEAR(frequency(take(**sound, 0, 0.8)), 300, 10);
  ASSERT_TRUE((*sound)->seek(2 * kSecondNs));
  EXPECT_NEAR(frequency(take(**sound, 2 * kSecondNs, 0.8)), 900, 10);
  ASSERT_TRUE((*sound)->seek(0));
  size_t values = 0;
  int64_t end_ns = 0;
  while (const auto samples = (*sound)->next()) {
    EXPECT_NEAR(static_cast<double>(samples->pts_ns - end_ns), 0, 2e6);
    values += samples->values.size();
    end_ns = samples->pts_ns +
             static_cast<int64_t>(samples->values.size()) / kSoundChannels * kSecondNs / kSoundRate;
  }
  EXPECT_NEAR(static_cast<double>(values) / kSoundChannels / kSoundRate, 4, 0.05);
}

// Radio stations do so between programmes: two channels of 48 kHz, then one of 24 kHz.
TEST(MediaSound, TheFormatMayChangeOnTheWay) {
  const TempFolder folder;
  const auto part = [&](const std::string& name, const std::string& sine, const std::string& how) {
    return make_clip(
        folder, name,
        "-f lavfi -i \"sine=" + sine + ":d=1\" -c:a mp2 -f mpegts " + "-pes_payload_size 0 " + how);
  };
  const std::string stereo = part("a.ts", "f=440:r=48000", "-ac 2");
  const std::string mono = part("b.ts", "f=880:r=24000", "-ac 1 -output_ts_offset 1");
  std::ofstream(stereo, std::ios::binary | std::ios::app)
      << std::ifstream(mono, std::ios::binary).rdbuf();
  auto sound = MediaSound::open(stereo);
  ASSERT_TRUE(sound) << sound.error().message;
  EXPECT_NEAR(frequency(take(**sound, kSecondNs / 10, 0.6)), 440, 10);
  EXPECT_NEAR(frequency(take(**sound, kSecondNs * 11 / 10, 0.7)), 880, 10);
  ASSERT_TRUE((*sound)->seek(0));
  EXPECT_NEAR(frequency(take(**sound, kSecondNs / 10, 0.6)), 440, 10) << "and back";
}

double loudest(const std::vector<float>& values) {
  float peak = 0;
  for (const float value : values) peak = std::max(peak, std::abs(value));
  return peak;
}

TEST(MediaSound, MonoTracksOfProfessionalFilesAreOneProgramme) {
  const TempFolder folder;
  const auto film = [&](const std::string& name, const std::string& output) {
    return make_clip(folder, name,
                     "-f lavfi -i testsrc2=s=320x180:r=25:d=2 -f lavfi -i sine=440:d=2:r=48000 "
                     "-f lavfi -i sine=1000:d=2:r=48000 -map 0 -map 1 -map 2 -c:v mpeg2video " +
                         output);
  };
  auto sound = MediaSound::open(film("pair.mxf", "-c:a pcm_s24le -ac 1"));
  ASSERT_TRUE(sound) << sound.error().message;
  for (const int64_t from_ns : {int64_t{0}, kSecondNs}) {
    ASSERT_TRUE((*sound)->seek(from_ns));
    const std::vector<float> values = take(**sound, from_ns, 0.6);
    EXPECT_NEAR(frequency(values, 0), 440, 10);
    EXPECT_NEAR(frequency(values, 1), 1000, 10);
  }
  // Two languages are a choice.
  auto choice = MediaSound::open(film("choice.mov",
                                      "-c:a pcm_s16le -ac 1 -metadata:s:a:0 language=eng "
                                      "-metadata:s:a:1 language=fra"));
  ASSERT_TRUE(choice) << choice.error().message;
  const std::vector<float> values = take(**choice, 0, 0.6);
  EXPECT_NEAR(frequency(values, 0), 440, 10);
  EXPECT_NEAR(frequency(values, 1), 440, 10);
}

TEST(MediaSound, TheWantedTrackIsHeard) {
  const std::string tracks =
      "its sound tracks are 1: flac, 1 channel; 2: fra, flac, 1 channel, \"Original\"";
  const TempFolder folder;
  const auto film = [&](const std::string& output) {
    return make_clip(folder, "film.mkv",
                     "-f lavfi -i sine=440:d=1:r=48000 -f lavfi -i sine=1000:d=1:r=48000 -map 0 "
                     "-map 1 -metadata:s:a:1 language=fra -metadata:s:a:1 title=Original " +
                         output);
  };
  const std::string mono = film("-c:a flac -ac 1");
  auto second = MediaSound::open(mono, 2);
  ASSERT_TRUE(second) << second.error().message;
  const std::vector<float> values = take(**second, 0, 0.6);
  EXPECT_NEAR(frequency(values, 0), 1000, 10);
  EXPECT_NEAR(frequency(values, 1), 1000, 10);
  EXPECT_EQ((*second)->other_tracks(), mono + ": " + tracks);
  EXPECT_EQ((*second)->track(), 2);
  const std::vector<SoundTrackFacts> facts = {
      {.language = "", .title = "", .format = "flac", .channels = 1, .layout = "mono"},
      {.language = "fra", .title = "Original", .format = "flac", .channels = 1, .layout = "mono"}};
  EXPECT_EQ((*second)->tracks(), facts);
  auto all = MediaSound::open(mono, kAllSoundTracks);
  ASSERT_TRUE(all) << all.error().message;
  EXPECT_EQ((*all)->other_tracks(), "");
  EXPECT_EQ((*all)->track(), kAllSoundTracks);
  const std::vector<float> both = take(**all, 0, 0.6);
  EXPECT_NEAR(frequency(both, 0), 440, 10);
  EXPECT_NEAR(frequency(both, 1), 1000, 10);
  EXPECT_EQ(MediaSound::open(mono, 3).error().message, mono + " has no sound track 3: " + tracks);
  EXPECT_EQ(MediaSound::open(film("-c:a flac -ac 2"), kAllSoundTracks).error().code,
            ErrorCode::kInvalidParams);
}

TEST(MediaSound, ManyChannelsWithoutALayoutAreHeard) {
  const TempFolder folder;
  for (const int channels : {6, 8, 10, 12, 16}) {
    std::string tones;
    for (int i = 0; i < channels; ++i) {
      tones += (i == 0 ? "" : "|") + std::string("0.5*sin(2*PI*t*") +
               std::to_string(200 + 100 * i) + ")";
    }
    auto sound = MediaSound::open(
        make_clip(folder, "many.mxf",
                  "-f lavfi -i testsrc2=s=320x180:r=25:d=1 -f lavfi -i \"aevalsrc=" + tones +
                      ":s=48000:d=1\" -c:v mpeg2video -c:a pcm_s24le"));
    ASSERT_TRUE(sound) << sound.error().message;
    EXPECT_GT(loudest(take(**sound, 0, 0.5)), 0.1) << channels;
  }
}

MediaSound::Samples constant(double seconds, size_t samples, float value) {
  return {static_cast<int64_t>(seconds * kSecondNs), std::vector<float>(samples, value)};
}

TEST(TrackMix, TracksAreMixedByTheirTimes) {
  TrackMix mix(2);
  EXPECT_FALSE(mix.take(false));
  mix.add(0, constant(1, 480, 0.5F));
  EXPECT_FALSE(mix.take(false)) << "the other track has nothing yet";
  mix.add(1, constant(1.005, 480, 0.25F));
  const auto first = mix.take(false);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->pts_ns, kSecondNs);
  ASSERT_EQ(first->values.size(), 960U);
  EXPECT_EQ(first->values[0], 0.5F);
  EXPECT_EQ(first->values[1], 0);
  EXPECT_EQ(first->values[959], 0.25F);
  const auto rest = mix.take(true);
  ASSERT_TRUE(rest);
  EXPECT_EQ(rest->pts_ns, kSecondNs * 101 / 100);
  ASSERT_EQ(rest->values.size(), 480U);
  EXPECT_EQ(rest->values[0], 0);
  EXPECT_EQ(rest->values[1], 0.25F);
  EXPECT_FALSE(mix.take(true));
}

TEST(TrackMix, ATrackThatEndsEarlyDoesNotHoldTheOthers) {
  TrackMix mix(6);
  for (size_t track = 0; track < 5; ++track) mix.add(track, constant(0, 480, 1));
  EXPECT_FALSE(mix.take(false));
  for (int second = 0; second < 11; ++second) mix.add(0, constant(second + 0.01, kSoundRate, 1));
  const auto mixed = mix.take(false);
  ASSERT_TRUE(mixed);
  EXPECT_LE(loudest(mixed->values), 1.0001);
  mix.clear();
  EXPECT_FALSE(mix.take(true));
}

TEST(TrackMix, TimeStampsThatAreFarApartTakeLittleMemory) {
  TrackMix mix(2);
  mix.add(0, constant(0, 480, 1));
  mix.add(1, constant(2e9, 480, 1));
  for (const bool at_end : {false, true}) {
    const auto mixed = mix.take(at_end);
    ASSERT_TRUE(mixed);
    EXPECT_LE(mixed->values.size(), size_t{20} * kSoundRate * kSoundChannels);
  }
}

TEST(MediaSound, SaysWhenThereIsNone) {
  const TempFolder folder;
  const std::string silent =
      make_clip(folder, "silent.mp4", "-f lavfi -i color=red:s=64x64:r=25 -t 0.2");
  EXPECT_EQ(MediaSound::open(silent).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(MediaSound::open("/no/such/file").error().code, ErrorCode::kIo);
}

class FilmSoundTest : public testing::Test {
 protected:
  FilmSoundTest() : heard_file(folder.file("heard.raw")) {
    setenv("SDL_AUDIODRIVER", "disk", 1);
    setenv("SDL_DISKAUDIOFILE", heard_file.c_str(), 1);
    auto opened = SoundDevice::open();
    EXPECT_TRUE(opened) << opened.error().message;
    if (opened) device = std::move(*opened);
  }
  // The device's output so far, without leading silence.
  std::vector<float> heard() const {
    std::ifstream file(heard_file, std::ios::binary);
    std::vector<float> values;
    for (float value = 0; file.read(reinterpret_cast<char*>(&value), sizeof value);) {
      if (values.empty() && value == 0) continue;
      values.push_back(value);
    }
    return values;
  }
  // Plays a film from this position until the given number of seconds was heard.
  std::vector<float> listen(FilmSound& sound, int64_t from_ns, double seconds, double volume) {
    const auto wanted = static_cast<size_t>(seconds * kSoundRate) * kSoundChannels;
    const int64_t start_ns = steady_now_ns();
    std::vector<float> values;
    while (values.size() < wanted && steady_now_ns() - start_ns < kWaitTimeoutNs) {
      sound.follow(from_ns + steady_now_ns() - start_ns, volume);
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      values = heard();
    }
    values.resize(std::min(values.size(), wanted));
    return values;
  }

  TempFolder folder;
  const std::string heard_file;
  std::unique_ptr<SoundDevice> device;
};

TEST_F(FilmSoundTest, TheDevicePlaysTheFilmsSoundAtThatPlaceAndVolume) {
  ASSERT_TRUE(device);
  auto media = MediaSound::open(tones(folder));
  ASSERT_TRUE(media);
  FilmSound sound(std::move(*media), *device);
  const auto values = listen(sound, kSecondNs + kSecondNs / 5, 0.3, 0.5);
  ASSERT_GT(values.size(), 1000u);
  EXPECT_NEAR(frequency(values), 600, 60);
  const float loudest = *std::max_element(values.begin(), values.end());
  EXPECT_NEAR(loudest, 0.25, 0.02);
  sound.stop();
  EXPECT_EQ(device->waiting_ns(), 0);
}

TEST_F(FilmSoundTest, NothingIsHeardAfterItsEnd) {
  ASSERT_TRUE(device);
  auto media = MediaSound::open(tones(folder));
  ASSERT_TRUE(media);
  FilmSound sound(std::move(*media), *device);
  for (int i = 0; i < 20; ++i) sound.follow(10 * kSecondNs + i * kSecondNs / 10, 1);
  EXPECT_EQ(device->waiting_ns(), 0);
}

// A device that records what it should play, and never plays it.
class Listed final : public SoundDevice {
 public:
  void play(std::span<const float> samples, int64_t at_ns) override {
    played.push_back({samples.size(), samples.empty() ? 0 : samples[0], at_ns});
    waiting += static_cast<int64_t>(samples.size() / kSoundChannels) * kSecondNs / kSoundRate;
  }
  int64_t waiting_ns() const override { return waiting; }
  void clear() override {
    ++cleared;
    waiting = 0;
  }

  struct Piece {
    size_t values;
    float first;
    int64_t at_ns;
  };
  std::vector<Piece> played;
  int64_t waiting = 0;
  int cleared = 0;
};

TEST(LiveSound, PiecesAreHeardALittleLaterAndNeverMuchLater) {
  constexpr int64_t kPieceNs = kSecondNs / 100;
  Listed device;
  LiveSound sound(device);
  const auto record = [&](int64_t n) {
    sound.play({n * kPieceNs, std::vector<float>(kSoundRate / 100 * kSoundChannels, 0.5F)}, 0.5,
               kSecondNs + n * kPieceNs);
  };
  for (int64_t n = 0; n < 10; ++n) record(n);
  ASSERT_EQ(device.played.size(), 11u) << "a silence, so that what is late is in time, and ten";
  EXPECT_EQ(device.played[0].first, 0);
  EXPECT_EQ(device.played[0].values, device.played[1].values * 8);
  EXPECT_EQ(device.played[0].at_ns, kSecondNs);
  for (size_t n = 0; n < 10; ++n) {
    EXPECT_FLOAT_EQ(device.played[n + 1].first, 0.25F);
    EXPECT_EQ(device.played[n + 1].at_ns,
              kSecondNs + EvenTimes::kAheadNs + static_cast<int64_t>(n) * kPieceNs);
  }
  // The device's clock is slower than the recorder's.
  for (int64_t n = 10; n < 100; ++n) record(n);
  EXPECT_GE(device.cleared, 1);
  EXPECT_LE(device.waiting, 5 * EvenTimes::kAheadNs + kPieceNs);
  sound.stop();
  EXPECT_EQ(device.waiting, 0);
}

class SoundThreadTest : public FilmSoundTest {
 protected:
  SoundThreadTest() { device.reset(); }  // each test makes its own device
  // Reports the film position until the condition holds.
  template <typename Condition>
  static bool follows_until(SoundThread& sound, const Condition& condition) {
    const int64_t start_ns = steady_now_ns();
    while (!condition()) {
      if (steady_now_ns() - start_ns > kWaitTimeoutNs) return false;
      sound.follow(steady_now_ns() - start_ns, 1);
      std::this_thread::yield();
    }
    return true;
  }

  const Log log{"test", LogLevel::kError};
  Loudspeakers loudspeakers{SoundDevice::open, log};
};

TEST_F(SoundThreadTest, AFileThatHangsHoldsUpNobodyAndIsHeardWhenItComes) {
  std::binary_semaphore leave{0};
  SoundThread sound(
      [&](int track) {
        leave.acquire();
        return MediaSound::open(tones(folder), track);
      },
      kUsualSoundTrack, loudspeakers, log);
  sound.follow(0, 1);
  sound.be_silent();
  EXPECT_FALSE(sound.audible());
  leave.release();
  EXPECT_TRUE(follows_until(sound, [&] { return sound.audible() && !heard().empty(); }));
}

TEST_F(SoundThreadTest, TheLoudspeakersGoFromFilmToFilm) {
  const std::string film = tones(folder);
  const auto open = [&](int track) { return MediaSound::open(film, track); };
  SoundThread first(open, kUsualSoundTrack, loudspeakers, log);
  SoundThread second(open, kUsualSoundTrack, loudspeakers, log);
  EXPECT_TRUE(follows_until(first, [&] { return !heard().empty(); }));
  EXPECT_EQ(loudspeakers.take(), nullptr) << "the first film has them";
  first.stop();
  second.follow(0, 1);
  EXPECT_TRUE(follows_until(second, [&] { return first.ended() && second.audible(); }));
  second.stop();
  EXPECT_TRUE(follows_until(second, [&] { return second.ended(); }));
  EXPECT_NE(loudspeakers.take(), nullptr);
}

TEST_F(SoundThreadTest, AnotherTrackIsHeardFromTheSamePositionOn) {
  const std::string film = make_clip(
      folder, "film.mkv",
      "-f lavfi -i sine=400:d=60:r=48000 -f lavfi -i sine=1000:d=60:r=48000 -map 0 -map 1 "
      "-c:a flac -ac 1");
  std::atomic<int> asked{0};
  const auto open = [&](int track) {
    asked = track;
    return MediaSound::open(film, track);
  };
  SoundThread sound(open, 1, loudspeakers, log);
  const auto heard_end = [this] {
    const std::vector<float> all = heard();
    constexpr ptrdiff_t kPart = kSoundRate / 10 * kSoundChannels;
    return std::ssize(all) < kPart ? 0 : frequency({all.end() - kPart, all.end()});
  };
  EXPECT_TRUE(follows_until(sound, [&] { return std::abs(heard_end() - 400) < 30; }));
  EXPECT_EQ(sound.track(), 1);
  EXPECT_EQ(sound.tracks().size(), 2U);
  sound.choose(2);
  EXPECT_TRUE(follows_until(sound, [&] { return std::abs(heard_end() - 1000) < 30; }));
  EXPECT_EQ(sound.track(), 2);
  sound.choose(3);
  EXPECT_TRUE(follows_until(sound, [&] { return asked == 3; }));
  const size_t so_far = heard().size();
  const auto goes_on = [&] {
    return heard().size() > so_far + kSoundRate && std::abs(heard_end() - 1000) < 30;
  };
  EXPECT_TRUE(follows_until(sound, goes_on)) << "there is no third";
  EXPECT_EQ(sound.track(), 2);
}

TEST_F(SoundThreadTest, AFilmWithoutSoundHasEnded) {
  SoundThread sound([](int) { return MediaSound::open("/no/such/file"); }, kUsualSoundTrack,
                    loudspeakers, log);
  EXPECT_TRUE(follows_until(sound, [&] { return sound.ended(); }));
  EXPECT_FALSE(sound.audible());
}

}  // namespace
}  // namespace sail
