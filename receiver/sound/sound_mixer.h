// Mixes the sound of all streams, and passes the sound between threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "receiver/sound/sound_meters.h"
#include "receiver/sound/sound_source.h"
#include "sail/core/base/mailbox.h"
#include "sail/core/wire/sound.h"

namespace receiver {

// Mixes the streams, with each window's volume and pan. Pure. Not thread-safe.
class SoundMixer {
 public:
  SoundMixer(int card_rate, int card_channels);

  // Sets the mix. Streams that it does not contain become silent.
  void set(const sail::SoundMix& mix);
  // As SoundSource::add(), for a stream of the mix.
  bool add(uint32_t stream, const sail::Sound& sound, int64_t now_ns);
  // As SoundSource::read().
  void read(std::span<float> out, int64_t heard_ns);
  // While the mix is metered: publishes kMetersPerSecond times per second of sound how loud each
  // stream was since the last time.
  void publish(SoundMeters& meters);
  static constexpr int kMetersPerSecond = 5;
  // Returns the largest time error of any stream in the last read().
  int64_t off_ns() const { return off_ns_; }

 private:
  struct Loudness {
    float volume = 1;
    float pan = 0;
  };
  struct Voice {
    uint64_t secret = 0;
    Loudness wanted;
    Loudness now;                         // changes to `wanted` within a buffer; `volume` fades
    int fade_ms = 0;                      // of the newest mix
    float volume_step = 1;                // largest change of the volume per sample
    std::unique_ptr<SoundSource> source;  // null: nothing arrived yet
    SoundMeter meter{};                   // since the last publish()
  };
  void fade(Voice& voice, const Loudness& wanted, int fade_ms) const;
  void add_up(Voice& voice, std::span<float> out);

  const int card_rate_;
  const int channels_;
  std::map<uint32_t, Voice> voices_;  // by stream number
  std::vector<float> one_;            // samples of one voice; kept for its capacity
  bool metered_ = false;
  size_t metered_samples_ = 0;  // since the last publish(), of one channel
  int64_t off_ns_ = 0;
};

// Passes sound from the loop thread to the thread that mixes it, to play or record it.
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

  // --- loop thread
  // As SoundMeters::take().
  std::vector<sail::SoundLevels::Level> take_levels() { return meters_.take(); }

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
  SoundMeters meters_;
  std::unique_ptr<SoundMixer> mixer_;
};

}  // namespace receiver
