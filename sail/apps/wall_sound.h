// A film's sound on its way to the loudspeakers of the wall: a device for the sound's thread, of
// which the program's thread, which has the window, takes what is to be submitted.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sail/apps/sound_device.h"
#include "sail/base/mailbox.h"

namespace sail {

struct WallSamples {
  std::vector<float> values;  // as a SoundDevice takes them
  int64_t at_ns = 0;          // likewise
  bool restart = false;       // what was submitted before is not to be heard any more
};
using WallSoundBox = Mailbox<WallSamples>;

class WallSound final : public SoundDevice {
 public:
  // The box outlives this.
  explicit WallSound(WallSoundBox& box) : box_(box) {}

  void play(std::span<const float> samples, int64_t at_ns) override;
  int64_t waiting_ns() const override;
  void clear() override;

 private:
  void push(WallSamples samples);

  WallSoundBox& box_;
  int64_t end_ns_ = 0;        // steady: then what waits is over
  bool restart_due_ = false;  // one was lost
};

}  // namespace sail
