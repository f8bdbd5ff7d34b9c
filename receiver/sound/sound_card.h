// An audio output device of this node, opened through SDL.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sail/core/base/result.h"

namespace receiver {

class SoundCard {
 public:
  static constexpr int kRate = 48000;   // sample rate, in Hz
  static constexpr int kSamples = 512;  // samples per buffer, about 11 ms
  // Fills the next buffer with interleaved samples. The previous buffer is playing meanwhile.
  // Called on the audio thread.
  using Fill = std::function<void(std::span<float> out)>;

  // Opens a card; empty name: the default. May block. Returns kUnavailable, worded for users.
  static sail::Result<std::unique_ptr<SoundCard>> open(const std::string& name, int channels,
                                                       Fill fill);
  // Returns the names of all cards. Returns kUnavailable, worded for users.
  static sail::Result<std::vector<std::string>> names();
  // No call of `fill` is in progress after the destructor returns.
  ~SoundCard();
  SoundCard(const SoundCard&) = delete;
  SoundCard& operator=(const SoundCard&) = delete;

  // Returns true if the card was unplugged.
  bool disconnected() const;

 private:
  explicit SoundCard(Fill fill) : fill_(std::move(fill)) {}
  static void on_fill(void* self, uint8_t* bytes, int count);

  const Fill fill_;
  uint32_t device_ = 0;  // SDL's device id
};

// Estimates when samples that a sound card requests will begin to play. The card's requests have
// jitter, and its clock runs slightly faster or slower than wall time. A second-order delay-locked
// loop follows both (F. Adriaensen, "Using a DLL to filter time", 2005). Pure.
class CardClock {
 public:
  // rate: nominal sample rate of the card, in Hz.
  explicit CardClock(int rate);

  // Call this when the card requests its next buffer of `samples` samples at wall time now_ns.
  // Returns the wall time of the request without jitter.
  int64_t next(int64_t now_ns, size_t samples);

 private:
  const double usual_ns_;  // nominal duration of a sample
  double sample_ns_;       // measured duration of a sample, in wall time
  double off_ns_ = 0;      // fraction to add to next_ns_
  int64_t next_ns_ = 0;
  bool running_ = false;
};

}  // namespace receiver
