// Passes sound from the loop thread to the thread that mixes it, to play or record it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "receiver/sound/sound_mixer.h"
#include "sail/core/base/mailbox.h"
#include "sail/core/wire/sound.h"

namespace receiver {

class SoundFeed {
 public:
  // Creates a new mixer. Neither thread may use the feed meanwhile.
  void begin(int rate, int channels);

  // --- loop thread
  // Announces that there will be sound.
  void promise() { promised_ = true; }
  void set(const sail::SoundMix& mix) { mixes_.push(mix); }
  // Copies the samples.
  void add(uint32_t stream, const sail::Sound& sound);

  // --- playing thread; only after begin()
  // Fills `out` with the samples to be heard from heard_ns on. Newly arrived sound that ended
  // before now_ns is discarded as late. Wall time, or steady time for recordings.
  void read(std::span<float> out, int64_t now_ns, int64_t heard_ns);
  // As SoundMixer::off_ns().
  int64_t off_ns() const { return mixer_->off_ns(); }

  // --- any thread
  bool promised() const { return promised_; }
  // Returns the number of messages that were discarded in whole or in part.
  uint64_t left_out() const { return left_out_; }

 private:
  struct Piece {
    uint32_t stream = 0;
    sail::Sound sound;
    std::vector<uint8_t> samples;
  };
  static constexpr size_t kMostPieces = 1024;

  sail::Mailbox<sail::SoundMix> mixes_{1};  // holds only the newest mix
  sail::Mailbox<Piece> pieces_{kMostPieces};
  std::atomic<bool> promised_{false};
  std::atomic<uint64_t> left_out_{0};
  std::unique_ptr<SoundMixer> mixer_;
};

}  // namespace receiver
