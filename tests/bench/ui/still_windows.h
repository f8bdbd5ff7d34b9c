// Many small windows with a still picture each, in different greys, of one SAIL application.
// Single-threaded, except for an internal thread that answers SAIL's events.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"
#include "sail/sail.hpp"

namespace bench {

class StillWindows {
 public:
  static constexpr sail::Size kPicture{64, 36};
  // Picture of the window with this index: B, G, R, A.
  static std::vector<uint8_t> pixels(size_t index);

  // Opens the windows in a grid over the whole wall. Returns when each shows its first picture.
  static sail::Result<std::unique_ptr<StillWindows>> open(const std::string& manager, size_t count,
                                                          sail::Size wall_size,
                                                          const char* codec = "dxt1:fast");
  ~StillWindows();
  StillWindows(const StillWindows&) = delete;
  StillWindows& operator=(const StillWindows&) = delete;

  std::vector<uint32_t> numbers() const;

 private:
  StillWindows() = default;
  sail::Result<void> open_one(const std::string& title, const sail_rect& place, const char* codec);
  void show(size_t index);
  void refresh_on_demand();

  std::unique_ptr<sail::Session> session_;
  std::vector<sail::Stream> streams_;
  std::atomic<bool> ending_{false};
  std::thread attendant_;
};

}  // namespace bench
