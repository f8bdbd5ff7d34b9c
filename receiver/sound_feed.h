// Sound on its way from the loop's thread, to which it comes, to the thread that hears it: there it
// is mixed.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "receiver/sound_mixer.h"
#include "sail/base/mailbox.h"
#include "sail/wire/sound.h"

namespace receiver {

class SoundFeed {
 public:
  // A new mixer. Neither thread has the feed meanwhile.
  void begin(int rate, int channels);

  // --- the loop's thread
  // There will be some.
  void promise() { promised_ = true; }
  void set(const sail::SoundMix& mix) { mixes_.push(mix); }
  // Copies the samples.
  void add(uint32_t stream, const sail::Sound& sound);

  // --- the thread that hears; once it has begun
  // What is heard from heard_ns on. Of what has come, what ended before now_ns is too late.
  void read(std::span<float> out, int64_t now_ns, int64_t heard_ns);
  // As SoundMixer's.
  int64_t off_ns() const { return mixer_->off_ns(); }

  // --- any thread
  bool promised() const { return promised_; }
  // Messages of which something is not heard.
  uint64_t left_out() const { return left_out_; }

 private:
  struct Piece {
    uint32_t stream = 0;
    sail::Sound sound;
    std::vector<uint8_t> samples;
  };
  static constexpr size_t kMostPieces = 1024;

  sail::Mailbox<sail::SoundMix> mixes_{1};  // only the newest counts
  sail::Mailbox<Piece> pieces_{kMostPieces};
  std::atomic<bool> promised_{false};
  std::atomic<uint64_t> left_out_{0};
  std::unique_ptr<SoundMixer> mixer_;
};

}  // namespace receiver
