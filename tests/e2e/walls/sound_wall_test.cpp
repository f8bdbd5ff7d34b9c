// Sound from an application to a receiver's card, through a manager.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "tests/support/headless_wall.h"
#include "tests/support/heard_sound.h"

namespace test {
namespace {

constexpr int kRate = 44100;
constexpr int kHz = 440;

class SoundWallTest : public testing::Test {
 protected:
  SoundWallTest() {
    session = wall.open_session("tone");
    sail_stream_options options{};
    options.title = "tone";
    options.width = options.height = 64;
    std::string error;
    stream = session->open(options, &error);
    EXPECT_TRUE(stream) << error;
  }
  // A tone until a little ahead of now.
  sail_status play_on() {
    const int64_t now_ns = session->wall_time();
    // There may have been a pause between calls.
    if (sent_ns < now_ns) sent_ns = now_ns + 100'000'000;
    sail_status status = SAIL_OK;
    while (sent_ns < now_ns + 300'000'000 && status >= 0) {
      std::vector<float> values;
      for (int i = 0; i < kRate / 100; ++i, ++phase) {
        values.push_back(0.5f *
                         static_cast<float>(std::sin(2 * std::numbers::pi * kHz * phase / kRate)));
      }
      sail_audio audio{};
      audio.format = SAIL_FLOAT;
      audio.samples = values.data();
      audio.count = values.size();
      audio.rate = kRate;
      audio.channels = 1;
      audio.at_ns = sent_ns;
      status = stream.submit(audio);
      sent_ns += 10'000'000;
    }
    return status;
  }
  bool heard_at(double loudness) {
    return eventually([&] {
      play_on();
      return heard.has_tone(kHz, loudness);
    });
  }

  const HeardSound heard{};
  HeadlessWall wall{with_loudspeakers(one_tile_wall())};
  std::unique_ptr<sail::Session> session;
  sail::Stream stream;
  int64_t sent_ns = 0;
  int phase = 0;
};

TEST_F(SoundWallTest, IsHeardAsLoudAsPeopleWish) {
  ASSERT_TRUE(stream);
  EXPECT_TRUE(stream.wall_has_audio());
  ASSERT_TRUE(heard_at(0.5));
  wall.call("sound", {{"window", stream.id()}, {"volume", 0.2}});
  ASSERT_TRUE(heard_at(0.1));
  wall.call("sound", {{"window", stream.id()}, {"muted", true}});
  ASSERT_TRUE(heard_at(0));
  EXPECT_TRUE(eventually([&] { return play_on() == SAIL_DROPPED; })) << "nothing is sent";
  wall.call("undo");
  ASSERT_TRUE(heard_at(0.1));
  // Sound that was submitted and not yet played is discarded.
  sail_audio silence{};
  silence.format = SAIL_FLOAT;
  silence.rate = kRate;
  silence.channels = 1;
  silence.restart = 1;
  EXPECT_EQ(stream.submit(silence), SAIL_OK);
  EXPECT_TRUE(eventually([&] { return heard.has_tone(kHz, 0); }));
  sail::Json stats;
  ASSERT_TRUE(eventually([&] {
    stats = wall.call("stats")["receivers"][0];
    return stats.contains("stats");
  }));
  EXPECT_FALSE(stats["stats"]["sound"].contains("trouble")) << stats;
}

TEST_F(SoundWallTest, GoesOnWhenTheReceiverIsBack) {
  ASSERT_TRUE(heard_at(0.5));
  const std::string receiver = wall.wall().receivers.front().name;
  wall.stop_receiver(receiver);
  EXPECT_TRUE(eventually([&] { return play_on() == SAIL_DROPPED; }));
  wall.start_receiver(receiver);
  EXPECT_TRUE(heard_at(0.5));
}

}  // namespace
}  // namespace test
