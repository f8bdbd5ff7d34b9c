// Plays the sound that arrives here if the manager has selected this receiver for playback. Opens
// the card, feeds it, and reports statistics. Used on the loop thread; a separate thread opens the
// card, which may take long, and the card's audio thread plays.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "receiver/sound/sound_card.h"
#include "receiver/sound/sound_mixer.h"
#include "sail/core/base/log.h"
#include "sail/core/base/mailbox.h"
#include "sail/core/loop/loop.h"
#include "sail/core/time/wall_clock.h"
#include "sail/core/wire/sound.h"
#include "sail/core/wire/stats.h"

namespace receiver {

class SoundPlayer {
 public:
  // Called a few times a second while the mix is metered, and once when all becomes silent.
  using OnLevels = std::function<void(const sail::SoundLevels&)>;

  // loop, clock and log must outlive this object.
  SoundPlayer(sail::Loop& loop, const sail::WallClock& clock, const sail::Log& log,
              OnLevels on_levels);
  ~SoundPlayer();
  SoundPlayer(const SoundPlayer&) = delete;
  SoundPlayer& operator=(const SoundPlayer&) = delete;

  void set(const sail::SoundMix& mix);
  // Copies the samples.
  void play(uint32_t stream, const sail::Sound& sound);
  // Call once a second: also retries to open the card. Returns an empty optional if this node plays
  // no sound.
  std::optional<sail::SoundStats> stats();

 private:
  void open_card();
  void take_card();
  void fill(std::span<float> out);
  void report_levels();

  sail::Loop& loop_;
  const sail::WallClock& clock_;
  const sail::Log& log_;
  const OnLevels on_levels_;
  sail::Timer meters_;
  bool is_silent_ = true;  // the last report had no levels
  std::optional<sail::SoundMix> mix_;
  bool opening_ = false;
  std::string trouble_;
  int seconds_without_ = 0;

  // State shared with the audio thread.
  SoundFeed feed_;
  std::atomic<int64_t> latency_ns_{0};
  std::atomic<int64_t> off_ns_{0};  // the largest error since the last stats()
  // Owned by the audio thread while a card is open, else by the loop thread.
  std::optional<CardClock> card_clock_;

  std::thread opener_;
  sail::Mailbox<sail::Result<std::unique_ptr<SoundCard>>> opened_{1};
  std::unique_ptr<SoundCard> card_;
};

}  // namespace receiver
