// Game controllers and touch displays of this machine, by SDL, with hot plugging. The only file in
// ui/pointer that uses SDL. Use on the thread that created it; one instance at a time in a process.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>

#include "sail/core/base/result.h"
#include "ui/pointer/stick_pointer.h"
#include "ui/pointer/tuio.h"

namespace ui {

class SdlDevices {
 public:
  static constexpr size_t kMaxPads = 16;
  static constexpr size_t kMaxFingers = 128;

  struct Handlers {
    std::function<void(int pad, const char* name)> on_pad;  // pad ids are never reused
    std::function<void(int pad)> on_pad_gone;
    std::function<void(const TouchChange&)> on_touch;
  };
  // kUnavailable: SDL cannot be initialised. SDL reads touch displays from the kernel (driver
  // "evdev", which needs read access to /dev/input) unless SDL_VIDEODRIVER names another driver.
  static sail::Result<std::unique_ptr<SdlDevices>> start(bool pads, bool touch, Handlers handlers);
  ~SdlDevices();
  SdlDevices(const SdlDevices&) = delete;
  SdlDevices& operator=(const SdlDevices&) = delete;

  // Reports changes to the handlers. Never blocks.
  void poll();
  // State at the last poll.
  PadState state(int pad) const;
  // True if pads are connected or touch is on, so poll() must be called often.
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
  std::map<int, std::unique_ptr<void, PadEnd>> pads_;        // by SDL's instance id
  std::map<std::pair<int64_t, int64_t>, uint64_t> fingers_;  // touch id by device and SDL finger
  uint64_t next_finger_ = 1;
};

}  // namespace ui
