// Game controllers and touch displays of this machine, as SDL knows them; they may be plugged in
// and pulled out at any time. The only file of this program that knows SDL. Thread: the one that
// made it; one at a time in a process.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>

#include "sail/base/result.h"
#include "ui/pointer/stick_pointer.h"
#include "ui/pointer/tuio.h"

namespace ui {

class SdlDevices {
 public:
  static constexpr size_t kMaxPads = 16;
  static constexpr size_t kMaxFingers = 128;

  struct Handlers {
    std::function<void(int pad, const char* name)> on_pad;  // a number never used again
    std::function<void(int pad)> on_pad_gone;
    std::function<void(const TouchChange&)> on_touch;
  };
  // kUnavailable when SDL finds no way to them. Touch displays are read from the kernel (SDL's
  // driver "evdev", which needs the right to read /dev/input) unless SDL_VIDEODRIVER names another.
  static sail::Result<std::unique_ptr<SdlDevices>> start(bool pads, bool touch, Handlers handlers);
  ~SdlDevices();
  SdlDevices(const SdlDevices&) = delete;
  SdlDevices& operator=(const SdlDevices&) = delete;

  // Tells what has come and gone. Never waits.
  void poll();
  // As it was at the last poll.
  PadState state(int pad) const;
  // Pads are there, or fingers may come: somebody has to poll often.
  bool busy() const { return touch_ || !pads_.empty(); }

 private:
  struct PadEnd {
    void operator()(void* controller) const;
  };
  SdlDevices(bool touch, Handlers handlers);
  void open(int device);
  void close(int32_t instance);
  void finger(const TouchChange& change, int64_t device, int64_t finger);

  bool touch_;
  uint32_t subsystems_ = 0;
  Handlers handlers_;
  std::map<int, std::unique_ptr<void, PadEnd>> pads_;        // by SDL's instance number
  std::map<std::pair<int64_t, int64_t>, uint64_t> fingers_;  // of a device: our number
  uint64_t next_finger_ = 1;
};

}  // namespace ui
