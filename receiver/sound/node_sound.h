// The wall's sound on this node: its sound card plays it; a recorder puts it into its film; a
// bridge passes it on. Loop thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "receiver/sound/sound_mixer.h"
#include "receiver/sound/sound_player.h"
#include "sail/core/base/log.h"
#include "sail/core/loop/loop.h"
#include "sail/core/time/wall_clock.h"
#include "sail/core/wire/sound.h"
#include "sail/core/wire/stats.h"

namespace receiver {

// Gets the sound of a stream in steady time. Must copy the samples.
using OnSound = std::function<void(uint32_t stream, const sail::Sound& sound)>;

class NodeSound {
 public:
  // `film` or `on_sound` gets the sound in steady time; without both the card plays it, and
  // on_levels is called as by SoundPlayer. The others must outlive this object.
  NodeSound(sail::Loop& loop, const sail::WallClock& clock, const sail::Log& log, SoundFeed* film,
            OnSound on_sound, SoundPlayer::OnLevels on_levels)
      : clock_(clock),
        film_(film),
        on_sound_(std::move(on_sound)),
        player_(loop, clock, log, std::move(on_levels)) {}

  // Announces that the film will have sound.
  void promise() {
    if (film_ != nullptr) film_->promise();
  }
  void set(const sail::SoundMix& mix) {
    if (on_sound_) return;
    film_ == nullptr ? player_.set(mix) : film_->set(mix);
  }
  // Copies the samples.
  void play(uint32_t stream, const sail::Sound& sound) {
    if (film_ == nullptr && !on_sound_) return player_.play(stream, sound);
    // Recorded pictures use steady time, so the sound must too.
    sail::Sound heard = sound;
    heard.at_ns = clock_.to_steady_ns(sound.at_ns);
    on_sound_ ? on_sound_(stream, heard) : film_->add(stream, heard);
  }
  // As SoundPlayer::stats().
  std::optional<sail::SoundStats> stats() { return player_.stats(); }

 private:
  const sail::WallClock& clock_;
  SoundFeed* const film_;
  const OnSound on_sound_;
  SoundPlayer player_;
};

}  // namespace receiver
