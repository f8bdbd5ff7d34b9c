// Sound in virtual time: cards with inexact clocks, and senders that pause, jump, flood and
// restart.
#include "receiver/sound/sound_mixer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>
#include <vector>

#include "receiver/sound/sound_card.h"
#include "sail/core/time/clock.h"

namespace receiver {
namespace {

using sail::kMillisecondNs;
using sail::kSecondNs;

constexpr int64_t kDay = 86'400 * kSecondNs;
constexpr uint32_t kMixedStream = 7;

// Samples of a level from a time on, with optional clicks at whole seconds.
class Pcm {
 public:
  explicit Pcm(uint32_t rate = 8000, uint8_t channels = 1) : rate_(rate), channels_(channels) {}

  std::vector<uint8_t> samples(int64_t from_ns, size_t count, double level, bool clicks = false) {
    std::vector<uint8_t> bytes;
    for (size_t i = 0; i < count; ++i) {
      const bool click =
          clicks && (from_ns * rate_ / kSecondNs + static_cast<int64_t>(i)) % rate_ == 0;
      for (int c = 0; c < channels_; ++c) {
        const double loud = click ? 0.9 : c == 0 ? level : level / 2;
        const auto value = static_cast<uint16_t>(static_cast<int16_t>(std::lround(loud * 32768)));
        bytes.push_back(static_cast<uint8_t>(value));
        bytes.push_back(static_cast<uint8_t>(value >> 8));
      }
    }
    return bytes;
  }
  sail::Sound sound(int64_t at_ns, const std::vector<uint8_t>& bytes) const {
    return {.at_ns = at_ns, .rate = rate_, .channels = channels_, .samples = bytes};
  }

 private:
  const uint32_t rate_;
  const uint8_t channels_;
};

sail::SoundMix mix_of(double volume = 1, double pan = 0) {
  return {.streams = {{.stream = kMixedStream, .secret = 1, .volume = volume, .pan = pan}}};
}

class HourTest : public testing::TestWithParam<int> {};

// The card runs at its own speed and requests samples up to 4 ms late. The position of a click in
// the output is the time at which it was heard.
TEST_P(HourTest, SoundStaysInTimeWhateverTheCardsClock) {
  constexpr int kRate = 8000;
  constexpr size_t kSamples = 128;
  constexpr int64_t kPieceNs = kSecondNs / 10;
  const double sample_ns = 1e9 / kRate / (1 + GetParam() * 1e-6);
  std::minstd_rand random(1);
  CardClock clock(kRate);
  SoundMixer mixer(kRate, 1);
  mixer.set(mix_of());
  Pcm pcm;
  std::vector<float> out(kSamples);
  int64_t sent_ns = kDay;
  int clicks = 0;
  double worst_ns = 0;
  double peak = 0;
  double peak_ns = 0;  // since kDay
  int dropouts = 0;
  int quiet = 0;  // samples in a row
  const auto hour = static_cast<int64_t>(3600e9 / sample_ns / kSamples);
  for (int64_t k = 0; k < hour; ++k) {
    const double asked_ns = static_cast<double>(k) * kSamples * sample_ns;
    const int64_t now_ns =
        kDay + static_cast<int64_t>(asked_ns) + static_cast<int64_t>(random() % 4000) * 1000;
    while (sent_ns < now_ns + kSecondNs / 4) {
      // The sender's time stamps are not exact either.
      const int64_t told_ns =
          sent_ns + static_cast<int64_t>(random() % 2000) * 1000 - kMillisecondNs;
      const auto bytes = pcm.samples(sent_ns, kRate / 10, 0.1, true);
      ASSERT_TRUE(mixer.add(kMixedStream, pcm.sound(std::max(told_ns, kDay), bytes), now_ns));
      sent_ns += kPieceNs;
    }
    const int64_t heard_ns =
        clock.next(now_ns, kSamples) + static_cast<int64_t>(kSamples) * kSecondNs / kRate;
    mixer.read(out, heard_ns);
    for (size_t i = 0; i < kSamples; ++i) {
      const double at_ns = asked_ns + static_cast<double>(kSamples + i) * sample_ns;
      if (out[i] > peak) {
        peak = out[i];
        peak_ns = at_ns;
      }
      // The filter oscillates next to clicks.
      quiet = at_ns > 2e9 && std::abs(out[i]) < 0.02 ? quiet + 1 : 0;
      if (quiet == 16) ++dropouts;
      // A click has passed.
      if (peak < 0.5 || at_ns < peak_ns + 2e8) continue;
      const double whole = std::round(peak_ns / 1e9) * 1e9;
      worst_ns = std::max(worst_ns, std::abs(peak_ns - whole));
      ++clicks;
      peak = 0;
    }
  }
  EXPECT_NEAR(clicks, 3600, 1);
  EXPECT_EQ(dropouts, 0);
  EXPECT_LT(worst_ns, 20e6);
  RecordProperty("worst_us", static_cast<int>(worst_ns / 1000));
  EXPECT_LT(worst_ns, 8e6) << "jitter of the card and of the sender, and no more";
}

INSTANTIATE_TEST_SUITE_P(Ppm, HourTest, testing::Values(-200, 0, 200));

// A card that requests samples exactly on time: 8000 samples a second, 100 at a time.
class SoundMixerTest : public testing::Test {
 protected:
  static constexpr int kRate = 8000;
  static constexpr size_t kSamples = 100;

  explicit SoundMixerTest(int channels = 1) : channels_(channels), mixer_(kRate, channels) {
    mixer_.set(mix_of());
  }
  bool add(Pcm& pcm, int64_t at_ns, size_t count, double level = 0.5, bool restart = false) {
    const auto bytes = pcm.samples(at_ns, count, level);
    sail::Sound sound = pcm.sound(kDay + at_ns, bytes);
    sound.restart = restart;
    return mixer_.add(kMixedStream, sound, kDay + now_ns_);
  }
  // Output until this time.
  std::vector<float> until(int64_t end_ns) {
    std::vector<float> all;
    for (; now_ns_ < end_ns; now_ns_ += kSamples * kSecondNs / kRate) {
      std::vector<float> out(kSamples * static_cast<size_t>(channels_));
      mixer_.read(out, kDay + now_ns_);
      all.insert(all.end(), out.begin(), out.end());
    }
    return all;
  }
  // Number of samples near the level.
  static size_t count_near(const std::vector<float>& values, double level) {
    return static_cast<size_t>(std::ranges::count_if(
        values, [level](float value) { return std::abs(value - level) < 0.02; }));
  }

  const int channels_;
  SoundMixer mixer_;
  int64_t now_ns_ = 0;
  Pcm pcm_;
};

TEST_F(SoundMixerTest, WhatIsNotThereIsSilenceAndEachPieceIsHeardAtItsTime) {
  EXPECT_EQ(count_near(until(kSecondNs / 10), 0), 800u);
  ASSERT_TRUE(add(pcm_, kSecondNs / 2, 4000));
  const auto before = until(kSecondNs / 2);
  EXPECT_EQ(count_near(before, 0), before.size());
  EXPECT_NEAR(static_cast<double>(count_near(until(kSecondNs), 0.5)), 4000, 40);
  EXPECT_EQ(count_near(until(2 * kSecondNs), 0), 8000u);
}

TEST_F(SoundMixerTest, APauseIsAPause) {
  ASSERT_TRUE(add(pcm_, 0, 800));
  ASSERT_TRUE(add(pcm_, kSecondNs / 5, 800));
  const auto heard = until(kSecondNs / 2);
  EXPECT_NEAR(static_cast<double>(count_near(heard, 0.5)), 1600, 80);
  const std::vector<float> between(heard.begin() + 900, heard.begin() + 1500);
  EXPECT_EQ(count_near(between, 0), between.size());
}

// The card's buffer is full just when the resampler has reached the end and still holds samples.
TEST_F(SoundMixerTest, WhatComesRightAfterAnEndIsHeardWhereverTheEndWas) {
  for (size_t count = 1; count <= 4 * kSamples; ++count) {
    const int64_t begin_ns = now_ns_;
    ASSERT_TRUE(add(pcm_, begin_ns, count));
    until(begin_ns + static_cast<int64_t>(count) * kSecondNs / kRate);
    ASSERT_TRUE(add(pcm_, now_ns_, 8 * kSamples, -0.5)) << count;
    const auto heard = until(now_ns_ + kSecondNs / 5);
    EXPECT_GT(count_near(heard, -0.5), 7 * kSamples) << count;
  }
}

TEST_F(SoundMixerTest, ARestartForgetsWhatWasNotHeard) {
  ASSERT_TRUE(add(pcm_, 0, 8000, 0.5));
  until(kSecondNs / 4);
  ASSERT_TRUE(add(pcm_, kSecondNs / 2, 800, -0.5, true));
  const auto after = until(kSecondNs);
  EXPECT_EQ(count_near(after, 0.5), 0u) << "nothing stale";
  EXPECT_NEAR(static_cast<double>(count_near(after, -0.5)), 800, 40);
  // Without new sound: silence.
  ASSERT_TRUE(add(pcm_, kSecondNs, 8000, 0.5));
  until(5 * kSecondNs / 4);
  ASSERT_TRUE(mixer_.add(kMixedStream, {.at_ns = 0, .rate = 8000, .channels = 1, .restart = true},
                         kDay + now_ns_));
  EXPECT_EQ(count_near(until(2 * kSecondNs), 0.5), 0u);
}

TEST_F(SoundMixerTest, AFadeTakesItsTimeAndEndsAtTheExactVolume) {
  int64_t fed_ns = 0;
  const auto hear_until = [&](int64_t end_ns) {
    for (; fed_ns < end_ns + kSecondNs / 2; fed_ns += kSecondNs / 2) {
      EXPECT_TRUE(add(pcm_, fed_ns, kRate / 2));
    }
    return until(end_ns);
  };
  const auto largest_step = [](const std::vector<float>& heard) {
    float largest = 0;
    for (size_t i = 1; i < heard.size(); ++i) {
      largest = std::max(largest, std::abs(heard[i] - heard[i - 1]));
    }
    return largest;
  };
  mixer_.set(mix_of(0.5));
  hear_until(kSecondNs / 5);
  sail::SoundMix silent = mix_of(0);
  silent.streams[0].fade_ms = 400;
  mixer_.set(silent);
  const auto out = hear_until(kSecondNs / 2);
  EXPECT_GT(out.back(), 0.02F) << "it is not over after 300 ms";
  EXPECT_LT(out.back(), 0.12F);
  EXPECT_LT(largest_step(out), 0.005F) << "no click";
  hear_until(kSecondNs);
  EXPECT_EQ(count_near(hear_until(5 * kSecondNs / 4), 0), 2000U);
  mixer_.set(mix_of(0.5));
  const auto back = hear_until(3 * kSecondNs / 2);
  EXPECT_LT(back.back(), 0.22F) << "the way back takes as long";
  EXPECT_LT(largest_step(back), 0.005F);
  hear_until(2 * kSecondNs);
  const auto loud = hear_until(5 * kSecondNs / 2);
  EXPECT_NEAR(static_cast<double>(count_near(loud, 0.25)), 4000, 40);
}

TEST_F(SoundMixerTest, TheFormatMayChangeInBetween) {
  Pcm other(44100, 2);
  ASSERT_TRUE(add(pcm_, 0, 4000));
  ASSERT_TRUE(add(other, kSecondNs / 2, 22050, 0.5));
  ASSERT_TRUE(add(pcm_, kSecondNs, 4000));
  const auto heard = until(3 * kSecondNs / 2);
  // Two channels of 0.5 and 0.25 mixed to one.
  EXPECT_NEAR(static_cast<double>(count_near(heard, 0.5)), 8000, 100);
  EXPECT_NEAR(static_cast<double>(count_near(heard, 0.375)), 4000, 100);
}

TEST_F(SoundMixerTest, WhatIsTooLateTooEarlyOrTwiceIsLeftOut) {
  until(kSecondNs);
  EXPECT_FALSE(add(pcm_, 0, 8000)) << "over by now";
  EXPECT_FALSE(add(pcm_, 10 * kSecondNs, 800)) << "far ahead";
  EXPECT_TRUE(add(pcm_, kSecondNs, 1600));
  EXPECT_FALSE(add(pcm_, kSecondNs, 800)) << "again";
  EXPECT_FALSE(add(pcm_, kSecondNs + kSecondNs / 10, 1600, -0.5)) << "half of it again";
  const auto heard = until(2 * kSecondNs);
  EXPECT_NEAR(static_cast<double>(count_near(heard, 0.5)), 1600, 40);
  EXPECT_NEAR(static_cast<double>(count_near(heard, -0.5)), 800, 40) << "the half that was new";
  EXPECT_FALSE(
      mixer_.add(kMixedStream + 1,
                 {.at_ns = kDay + 2 * kSecondNs, .rate = 8000, .channels = 1, .restart = true},
                 kDay + now_ns_))
      << "it is not in the mix";
}

TEST_F(SoundMixerTest, AFloodIsBounded) {
  Pcm fast(192000);
  size_t kept = 0;
  for (int i = 0; i < 1000; ++i) {
    // Each begins shortly before the end of the one before, so the time hardly advances.
    if (add(fast, 2 * i * kMillisecondNs, 4096)) ++kept;
  }
  EXPECT_LE(kept * 4096, SoundSource::kMostValues);
  EXPECT_GT(kept, 10u);
}

TEST_F(SoundMixerTest, CardsAndClocksThatJumpBeginAnewAtTheRightPlace) {
  ASSERT_TRUE(add(pcm_, 0, 4000, 0.5));
  ASSERT_TRUE(add(pcm_, kSecondNs / 2, 4000, -0.5));
  until(kSecondNs / 10);
  now_ns_ = kSecondNs / 2 + kSecondNs / 10;  // the card stalled
  const auto heard = until(kSecondNs);
  EXPECT_EQ(count_near(heard, 0.5), 0u);
  EXPECT_NEAR(static_cast<double>(count_near(heard, -0.5)), 3200, 40);
}

TEST_F(SoundMixerTest, AClockThatIsSetBackSilencesNobody) {
  now_ns_ = 3600 * kSecondNs;
  ASSERT_TRUE(add(pcm_, now_ns_, 8000, 0.5));
  until(3601 * kSecondNs - kSecondNs / 2);
  now_ns_ = 0;
  ASSERT_TRUE(add(pcm_, 0, 1600, -0.5));
  EXPECT_NEAR(static_cast<double>(count_near(until(kSecondNs / 5), -0.5)), 1600, 40);
}

class StereoTest : public SoundMixerTest {
 protected:
  StereoTest() : SoundMixerTest(2) {}
  // Mean level of each channel over the next tenth of a second.
  std::pair<double, double> levels() {
    Pcm both(8000, 2);
    EXPECT_TRUE(add(both, now_ns_, 1600, 0.5, true));
    const int64_t begin_ns = now_ns_;
    until(begin_ns + kSecondNs / 20);
    const auto heard = until(begin_ns + kSecondNs / 10);
    double left = 0;
    double right = 0;
    for (size_t i = 0; i < heard.size(); i += 2) {
      left += heard[i];
      right += heard[i + 1];
    }
    const auto count = static_cast<double>(heard.size()) / 2;
    return {left / count, right / count};
  }
  void expect_levels(double left, double right) {
    const auto heard = levels();
    EXPECT_NEAR(heard.first, left, 0.01);
    EXPECT_NEAR(heard.second, right, 0.01);
  }
};

TEST_F(StereoTest, EachWindowIsAsLoudAndAsFarAsideAsTheMixSays) {
  expect_levels(0.5, 0.25);
  mixer_.set(mix_of(0.5));
  expect_levels(0.25, 0.125);
  mixer_.set(mix_of(1, -1));
  expect_levels(0.375, 0);
  mixer_.set(mix_of(1, 1));
  expect_levels(0, 0.375);
  mixer_.set(mix_of(0));
  expect_levels(0, 0);
  mixer_.set(mix_of());
  expect_levels(0.5, 0.25);
}

TEST_F(StereoTest, MetersTellWhatIsHeardWhileTheMixIsMetered) {
  SoundMeters meters;
  // A fifth of a second, for which there is one level.
  const auto measured = [&] {
    levels();
    mixer_.publish(meters);
    EXPECT_TRUE(meters.take().empty()) << "too soon";
    levels();
    mixer_.publish(meters);
    return meters.take();
  };
  EXPECT_TRUE(measured().empty()) << "nobody looks";
  sail::SoundMix mix = mix_of(0.5);
  mix.metered = true;
  mixer_.set(mix);
  measured();  // the volume changes
  const auto heard = measured();
  ASSERT_EQ(heard.size(), 1u);
  EXPECT_EQ(heard[0].stream, kMixedStream);
  EXPECT_NEAR(heard[0].peak, 0.25, 0.02);
  EXPECT_NEAR(heard[0].rms, std::sqrt((0.25 * 0.25 + 0.125 * 0.125) / 2), 0.02);
  EXPECT_TRUE(meters.take().empty()) << "each level is taken once";
  mix.streams[0].volume = 0;
  mixer_.set(mix);
  measured();
  EXPECT_TRUE(measured().empty()) << "silent";
}

TEST(SoundMeters, KeepsNoMoreStreamsThanAReceiverPlays) {
  SoundMeter loud;
  loud.add(-1.5f);
  SoundMeters meters;
  constexpr uint32_t kMost = sail::kMaxSoundsPerReceiver;
  for (uint32_t i = 0; i < kMost + 5; ++i) meters.put(i, i + 1, loud);
  const auto levels = meters.take();
  ASSERT_EQ(levels.size(), kMost);
  EXPECT_EQ(levels.back().stream, kMost);
  EXPECT_EQ(levels.back().peak, 1) << "no more than a card can play";
}

TEST_F(StereoTest, WhatIsTooLoudTogetherIsCutOff) {
  sail::SoundMix mix = mix_of();
  mix.streams.push_back({.stream = kMixedStream + 1, .secret = 2});
  mixer_.set(mix);
  Pcm loud(8000, 1);
  const auto bytes = loud.samples(0, 1600, 0.9);
  ASSERT_TRUE(mixer_.add(kMixedStream, loud.sound(kDay, bytes), kDay));
  ASSERT_TRUE(mixer_.add(kMixedStream + 1, loud.sound(kDay, bytes), kDay));
  const auto heard = until(kSecondNs / 10);
  EXPECT_LE(*std::ranges::max_element(heard), 1.0f);
  EXPECT_GT(count_near(heard, 1), 1000u);
}

TEST_F(StereoTest, WhatLeavesTheMixIsNotHeardAndNothingOfItComesBack) {
  Pcm both(8000, 2);
  ASSERT_TRUE(add(both, 0, 8000, 0.5));
  until(kSecondNs / 10);
  mixer_.set({});
  EXPECT_EQ(count_near(until(kSecondNs / 5), 0.5), 0u);
  mixer_.set(mix_of());
  EXPECT_EQ(count_near(until(kSecondNs), 0.5), 0u);
}

TEST_F(StereoTest, AnotherStreamOfTheSameNumberBeginsWithSilence) {
  Pcm both(8000, 2);
  ASSERT_TRUE(add(both, 0, 8000, 0.5));
  until(kSecondNs / 10);
  sail::SoundMix other = mix_of();
  other.streams[0].secret = 2;
  mixer_.set(other);
  EXPECT_EQ(count_near(until(kSecondNs / 2), 0.5), 0u);
}

}  // namespace
}  // namespace receiver
