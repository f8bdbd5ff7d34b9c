// Plays the sound that comes here, when the manager says that this receiver is to: has the card
// opened, hands it what comes, and tells how it goes. Thread: the loop's; a thread of its own opens
// the card, since that may take long, and one of the card's plays.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "receiver/card_clock.h"
#include "receiver/sound_card.h"
#include "receiver/sound_feed.h"
#include "sail/base/log.h"
#include "sail/base/mailbox.h"
#include "sail/base/wall_clock.h"
#include "sail/net/loop.h"
#include "sail/wire/sound.h"
#include "sail/wire/stats.h"

namespace receiver {

class SoundPlayer {
 public:
  // They outlive this.
  SoundPlayer(sail::Loop& loop, const sail::WallClock& clock, const sail::Log& log);
  ~SoundPlayer();
  SoundPlayer(const SoundPlayer&) = delete;
  SoundPlayer& operator=(const SoundPlayer&) = delete;

  void set(const sail::SoundMix& mix);
  // Copies the samples.
  void play(uint32_t stream, const sail::Sound& sound);
  // To be called once a second; nothing: this receiver is to play nothing. Tries again, now and
  // then, to have a card.
  std::optional<sail::SoundStats> stats();

 private:
  void open_card();
  void take_card();
  void fill(std::span<float> out);

  sail::Loop& loop_;
  const sail::WallClock& clock_;
  const sail::Log& log_;
  std::optional<sail::SoundMix> mix_;
  bool opening_ = false;
  std::string trouble_;
  int seconds_without_ = 0;

  // What the card's thread hears, and tells.
  SoundFeed feed_;
  std::atomic<int64_t> latency_ns_{0};
  std::atomic<int64_t> off_ns_{0};  // the most since it was asked for
  // While a card is there its thread's, else ours.
  std::optional<CardClock> card_clock_;

  std::thread opener_;
  sail::Mailbox<sail::Result<std::unique_ptr<SoundCard>>> opened_{1};
  std::unique_ptr<SoundCard> card_;
};

}  // namespace receiver
