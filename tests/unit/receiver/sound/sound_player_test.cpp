// Sound from the data port to the card: SDL's "disk" driver writes the output to a file. The driver
// sleeps whole milliseconds, so it runs some percent too fast; sound_mixer_test.cpp tests
// synchronisation with better clocks.
#include "receiver/sound/sound_player.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numbers>

#include "tests/support/environment_variable.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/receiver/intake/data_plane_fixture.h"

namespace receiver {
namespace {

using sail::CloseReason;
using sail::DataType;

std::vector<uint8_t> sound_message(uint32_t stream, int64_t at_ns = 1) {
  const std::vector<uint8_t> samples(64);
  return sail::encode(
      stream, sail::Sound{.at_ns = at_ns, .rate = 48000, .channels = 2, .samples = samples});
}

class SoundSessionTest : public DataPlaneTest {
 protected:
  std::unique_ptr<DataPeer> connect_sound(uint32_t stream, uint64_t secret = kSecret) {
    auto peer = connect();
    peer->send(sail::encode(stream, sail::SoundOpen{secret}));
    return peer;
  }
  bool accepted(const DataPeer& peer) {
    return run_until([&] {
      return std::ranges::any_of(peer.messages(), [](const auto& message) {
        return message.header.type == DataType::kSoundAccept;
      });
    });
  }
  bool closed(const DataPeer& peer, CloseReason reason) {
    return run_until([&] { return !peer.closes().empty(); }) &&
           peer.closes().front().reason == reason;
  }
};

TEST_F(SoundSessionTest, ComesWhenItIsToBeHeardHere) {
  data_.set_sounds({{kStream, kSecret}});
  const auto peer = connect_sound(kStream);
  ASSERT_TRUE(accepted(*peer));
  peer->send(sound_message(kStream, 5));
  ASSERT_TRUE(run_until([&] { return sounds_.size() == 1; }));
  EXPECT_EQ(sounds_[0].first, kStream);
  EXPECT_EQ(sounds_[0].second.at_ns, 5);
  // The stream is removed.
  data_.set_sounds({});
  EXPECT_TRUE(closed(*peer, CloseReason::kNormal));
}

TEST_F(SoundSessionTest, WaitsUntilTheManagerTellsOfIt) {
  const auto peer = connect_sound(kStream);
  const auto stranger = connect_sound(kStream, kSecret + 1);
  ASSERT_TRUE(run_until([&] { return peer->connected() && stranger->connected(); }));
  data_.set_sounds({{kStream, kSecret}});
  EXPECT_TRUE(accepted(*peer));
  EXPECT_TRUE(stranger->messages().empty());
  // Messages before the admission are not allowed.
  stranger->send(sound_message(kStream));
  EXPECT_TRUE(closed(*stranger, CloseReason::kBadMessage));
}

TEST_F(SoundSessionTest, ANewConnectionTakesThePlaceOfTheFormer) {
  data_.set_sounds({{kStream, kSecret}});
  const auto former = connect_sound(kStream);
  ASSERT_TRUE(accepted(*former));
  const auto peer = connect_sound(kStream);
  EXPECT_TRUE(accepted(*peer));
  EXPECT_TRUE(closed(*former, CloseReason::kReplaced));
  // Announced again, it stays.
  data_.set_sounds({{kStream, kSecret}, {kGoodStream, kSecret}});
  peer->send(sound_message(kStream));
  EXPECT_TRUE(run_until([&] { return sounds_.size() == 1; }));
}

TEST_F(SoundSessionTest, CarriesNothingElse) {
  data_.set_sounds({{kStream, kSecret}});
  const auto other = connect_sound(kStream);
  ASSERT_TRUE(accepted(*other));
  other->send(sound_message(kGoodStream));
  EXPECT_TRUE(closed(*other, CloseReason::kBadMessage));
  const auto frames = connect_sound(kStream);
  ASSERT_TRUE(accepted(*frames));
  frames->send(sail::encode(kStream, sail::FrameShow{.frame = 1, .epoch = 1, .at_ns = 1}));
  EXPECT_TRUE(closed(*frames, CloseReason::kBadMessage));
  EXPECT_EQ(data_.counters().sessions_refused, 2u);
}

TEST_F(SoundSessionTest, SoMayNoStreamOfFrames) {
  data_.prepare(scene_of({kStream}));
  const auto peer = connect_stream(kStream);
  peer->send(sound_message(kStream));
  EXPECT_TRUE(closed(*peer, CloseReason::kBadMessage));
}

TEST_F(SoundSessionTest, ThereAreOnlySoMany) {
  std::map<uint32_t, uint64_t> all;
  for (uint32_t stream = 1; stream <= sail::kMaxSoundsPerReceiver + 1; ++stream) {
    all[stream] = kSecret;
  }
  data_.set_sounds(all);
  std::vector<std::unique_ptr<DataPeer>> peers;
  for (uint32_t stream = 1; stream <= sail::kMaxSoundsPerReceiver; ++stream) {
    peers.push_back(connect_sound(stream));
    ASSERT_TRUE(accepted(*peers.back()));
  }
  const auto more = connect_sound(sail::kMaxSoundsPerReceiver + 1);
  EXPECT_TRUE(closed(*more, CloseReason::kLimit));
}

// --- the card -----------------------------------------------------------------------------------

class SoundPlayerTest : public testing::Test {
 protected:
  static constexpr uint32_t kTone = 440;

  // Output of the card so far.
  std::vector<float> heard() const {
    std::ifstream file(heard_file_, std::ios::binary);
    std::vector<float> values;
    for (float value = 0; file.read(reinterpret_cast<char*>(&value), sizeof value);) {
      values.push_back(value);
    }
    return values;
  }
  // Sends a tone on both channels, 10 ms at a time.
  void play_on(SoundPlayer& player) {
    if (sent_ns_ == 0) sent_ns_ = clock_.wall_now_ns() + 50'000'000;
    while (sent_ns_ < clock_.wall_now_ns() + 200'000'000) {
      std::vector<uint8_t> samples;
      for (int i = 0; i < 480; ++i, ++phase_) {
        const double at = 2 * std::numbers::pi * kTone * static_cast<double>(phase_) / 48000;
        const auto value = static_cast<uint16_t>(static_cast<int16_t>(16000 * std::sin(at)));
        for (int c = 0; c < 2; ++c) {
          samples.push_back(static_cast<uint8_t>(value));
          samples.push_back(static_cast<uint8_t>(value >> 8));
        }
      }
      player.play(kStream, {.at_ns = sent_ns_, .rate = 48000, .channels = 2, .samples = samples});
      sent_ns_ += 10'000'000;
    }
  }

  sail::TempFolder folder_;
  const std::string heard_file_ = folder_.file("heard.raw");
  sail::Loop loop_;
  sail::WallClock clock_;
  sail::Log log_{"test", sail::LogLevel::kError};
  int64_t sent_ns_ = 0;
  size_t phase_ = 0;
};

TEST_F(SoundPlayerTest, WhatComesIsHeard) {
  const test::EnvironmentVariable driver("SDL_AUDIODRIVER", "disk");
  const test::EnvironmentVariable file("SDL_DISKAUDIOFILE", heard_file_);
  double peak = 0;
  SoundPlayer player(loop_, clock_, log_, [&](const sail::SoundLevels& levels) {
    for (const auto& level : levels.levels) {
      EXPECT_EQ(level.stream, kStream);
      EXPECT_LE(level.rms, level.peak);
      peak = std::max(peak, level.peak);
    }
  });
  EXPECT_FALSE(player.stats()) << "it was never told to";
  player.set({.metered = true, .streams = {{.stream = kStream, .secret = 1, .volume = 0.5}}});
  std::vector<float> tone;
  ASSERT_TRUE(sail::run_until(loop_, [&] {
    play_on(player);
    tone.clear();
    for (const float value : heard()) {
      if (!tone.empty() || value != 0) tone.push_back(value);
    }
    return tone.size() > 48000 && peak > 0;  // half a second
  }));
  EXPECT_EQ(player.stats()->trouble, "");
  int crossings = 0;
  float loudest = 0;
  for (size_t i = 2; i < 48000; i += 2) {
    crossings += tone[i - 2] < 0 && tone[i] >= 0 ? 1 : 0;
    loudest = std::max(loudest, tone[i]);
  }
  EXPECT_NEAR(crossings, kTone / 2, 3);
  EXPECT_NEAR(loudest, 0.5 * 16000 / 32768, 0.02);
  EXPECT_NEAR(peak, 0.5 * 16000 / 32768, 0.02);
}

TEST_F(SoundPlayerTest, SaysThatThereIsNoCard) {
  const test::EnvironmentVariable driver("SDL_AUDIODRIVER", "no such driver");
  SoundPlayer player(loop_, clock_, log_, [](const sail::SoundLevels&) {});
  player.set({.device = "HDMI", .streams = {}});
  ASSERT_TRUE(sail::run_until(loop_, [&] { return !player.stats()->trouble.empty(); }));
  EXPECT_EQ(player.stats()->trouble.find("no sound card “HDMI”: "), 0u);
  play_on(player);
  EXPECT_EQ(player.stats()->skipped, 0u) << "there is nobody to skip it";
}

}  // namespace
}  // namespace receiver
