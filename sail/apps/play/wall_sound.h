// Passes a video's sound to the loudspeakers of the wall. The sound thread uses it as a device; the
// program's thread, which has the window, takes the samples from the box and submits them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sail/apps/play/sound_device.h"
#include "sail/core/base/mailbox.h"

namespace sail {

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
