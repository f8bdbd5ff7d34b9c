#include "sail/client/sound/sound_sender.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sail/core/time/clock.h"

namespace sail {
namespace {

constexpr int64_t kNow = 1000 * kSecondNs;

sail_audio tone(const std::vector<float>& values, int32_t channels = 1) {
  sail_audio audio{};
  audio.format = SAIL_FLOAT;
  audio.samples = values.data();
  audio.count = values.size() / static_cast<size_t>(channels);
  audio.rate = 48000;
  audio.channels = channels;
  audio.at_ns = kNow;
  return audio;
}

int16_t value_of(const SoundPiece& piece, size_t index) {
  return static_cast<int16_t>(piece.samples[2 * index] | piece.samples[2 * index + 1] << 8);
}

TEST(SoundPieces, HaveSixteenBitsAndNothingOverflows) {
  const std::vector<float> values = {
      0, 0.5, -0.5, 1, -1, 2, -2, std::numeric_limits<float>::infinity(), NAN};
  const auto pieces = sound_pieces(tone(values), kNow);
  ASSERT_TRUE(pieces);
  ASSERT_EQ(pieces->size(), 1u);
  const int16_t expected[] = {0, 16384, -16384, 32767, -32767, 32767, -32767, 32767, 0};
  for (size_t i = 0; i < std::size(expected); ++i) {
    EXPECT_NEAR(value_of(pieces->front(), i), expected[i], 1) << i;
  }
  const int16_t whole[] = {1, -2, 32767, -32768};
  sail_audio audio = tone({}, 2);
  audio.format = SAIL_S16;
  audio.samples = whole;
  audio.count = 2;
  const auto again = sound_pieces(audio, kNow);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->front().sound.channels, 2);
  for (size_t i = 0; i < 4; ++i) EXPECT_EQ(value_of(again->front(), i), whole[i]);
}

TEST(SoundPieces, FitMessagesAndGoOnWhereTheOneBeforeEnded) {
  std::vector<float> values(3 * 48000);
  sail_audio audio = tone(values, 3);
  audio.restart = 1;
  audio.with_picture = 1;
  const auto pieces = sound_pieces(audio, kNow);
  ASSERT_TRUE(pieces);
  ASSERT_GT(pieces->size(), 30u);
  size_t samples = 0;
  for (const SoundPiece& piece : *pieces) {
    EXPECT_LE(piece.samples.size(), kMaxSoundBytes);
    EXPECT_EQ(piece.samples.size() % 6, 0u);
    EXPECT_EQ(piece.sound.at_ns, kNow + static_cast<int64_t>(samples) * kSecondNs / 48000);
    EXPECT_EQ(piece.sound.restart, samples == 0);
    EXPECT_TRUE(piece.with_picture);
    samples += piece.samples.size() / 6;
  }
  EXPECT_EQ(samples, 48000u);
}

TEST(SoundPieces, SilenceIsAMessage) {
  sail_audio audio = tone({});
  audio.samples = nullptr;
  audio.restart = 1;
  audio.at_ns = 0;
  const auto pieces = sound_pieces(audio, kNow);
  ASSERT_TRUE(pieces);
  ASSERT_EQ(pieces->size(), 1u);
  EXPECT_TRUE(pieces->front().samples.empty());
}

TEST(SoundPieces, MistakesAreRefused) {
  const std::vector<float> values(4800);
  const auto code = [](const sail_audio& audio) {
    const auto pieces = sound_pieces(audio, kNow);
    return pieces ? ErrorCode::kInternal : pieces.error().code;
  };
  const auto with = [&](auto change) {
    sail_audio audio = tone(values);
    change(audio);
    return code(audio);
  };
  EXPECT_EQ(code(tone(values)), ErrorCode::kInternal) << "it is taken";
  const auto wrong = ErrorCode::kInvalidParams;
  EXPECT_EQ(with([](auto& audio) { audio.format = static_cast<sail_audio_format>(3); }), wrong);
  for (const int rate : {-1, 0, 7999, 192001}) {
    EXPECT_EQ(with([rate](auto& audio) { audio.rate = rate; }), wrong);
  }
  for (const int channels : {-1, 0, 9}) {
    EXPECT_EQ(with([channels](auto& audio) { audio.channels = channels; }), wrong);
  }
  EXPECT_EQ(with([](auto& audio) { audio.count = 0; }), wrong);
  EXPECT_EQ(with([](auto& audio) { audio.samples = nullptr; }), wrong);
  EXPECT_EQ(with([](auto& audio) { audio.count = SIZE_MAX; }), wrong);
  EXPECT_EQ(with([](auto& audio) { audio.at_ns = -1; }), wrong);
  EXPECT_EQ(with([](auto& audio) { audio.at_ns = INT64_MAX; }), wrong);
  EXPECT_EQ(with([](auto& audio) { audio.at_ns = kNow + 2 * kSecondNs; }), wrong) << "far ahead";
  EXPECT_EQ(with([](auto& audio) { audio.at_ns = kNow - kSecondNs; }), ErrorCode::kTimeout);
  // Sound of a picture in flight may be late.
  EXPECT_EQ(with([](auto& audio) {
              audio.at_ns = kNow - kSecondNs / 10;
              audio.with_picture = 1;
            }),
            ErrorCode::kInternal);
}

}  // namespace
}  // namespace sail
