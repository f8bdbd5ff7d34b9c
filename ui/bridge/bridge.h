// Connects the two walls: a receiver of the near wall that shows nothing and passes all frames to
// the far wall, or only what it paints of a region.
#pragma once

#include <csignal>
#include <cstdint>
#include <optional>
#include <vector>

#include "sail/core/auth/wall_key.h"
#include "sail/core/base/geometry.h"
#include "sail/core/base/log.h"
#include "sail/core/base/result.h"
#include "sail/core/socket/tcp.h"
#include "ui/bridge/far_wall.h"
#include "ui/bridge/region_window.h"

namespace ui {

struct NearWall {
  sail::Address at;
  sail::WallKey key;
  std::vector<uint32_t> windows{};     // empty: all
  std::optional<sail::Rect> region{};  // of run_region(), in wall pixels; empty: the whole wall
  uint16_t data_port = 0;              // as in receiver::ReceiverOptions
  uint16_t announce_port = 0;
  bool may_control = false;  // as may_control(); of run_region()
};

// Runs until a signal, the end of the near wall, or the end of far.run(). Returns an error if the
// near wall refuses the bridge.
sail::Result<void> run_bridge(const NearWall& near, FarWall& far, const sail::Log& log);

// Shows a region of the near wall as one window, until a signal, the end of the near wall, or until
// people close the window. `counts` gets the numbers of pictures. The signals must be blocked in
// all threads (receiver::block_end_signals()).
sail::Result<void> run_region(const NearWall& near, const sigset_t& signals, sail::Session& far,
                              RegionWindow::Options options, BridgeCounts& counts,
                              const sail::Log& log);

}  // namespace ui
