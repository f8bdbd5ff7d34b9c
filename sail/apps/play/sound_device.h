// Plays a video's sound on this machine's loudspeakers or the wall's (WallSound). One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sail/core/base/mailbox.h"
#include "sail/core/base/result.h"

namespace sail {

class SoundDevice {
 public:
  // Opens this machine's device (kSoundRate, kSoundChannels). kUnavailable: there is none.
  static Result<std::unique_ptr<SoundDevice>> open();
  SoundDevice() = default;
  virtual ~SoundDevice() = default;
  SoundDevice(const SoundDevice&) = delete;
  SoundDevice& operator=(const SoundDevice&) = delete;

  // Queues samples after those already queued; -1 to 1, channels interleaved. at_ns: steady time at
  // which the picture of the first sample is submitted, or, if the video follows a timeline, shown.
  virtual void play(std::span<const float> samples, int64_t at_ns) = 0;
  // Duration of queued sound that has not been played.
  virtual int64_t waiting_ns() const = 0;
  // Discards queued sound.
  virtual void clear() = 0;
};

// Passes a video's sound to the loudspeakers of the wall. The sound thread uses it as a device; the
// program's thread, which has the window, takes the samples from the box and submits them.
struct WallSamples {
  std::vector<float> values;  // format as in SoundDevice
  int64_t at_ns = 0;          // time as in SoundDevice
  bool restart = false;       // discard sound submitted earlier
};
using WallSoundBox = Mailbox<WallSamples>;

class WallSound final : public SoundDevice {
 public:
  // box must outlive this object.
  explicit WallSound(WallSoundBox& box) : box_(box) {}

  void play(std::span<const float> samples, int64_t at_ns) override;
  int64_t waiting_ns() const override;
  void clear() override;

 private:
  void push(WallSamples samples);

  WallSoundBox& box_;
  int64_t end_ns_ = 0;  // steady time at which the queued sound ends
  // A dropped entry had the restart flag.
  bool restart_due_ = false;
};

}  // namespace sail
