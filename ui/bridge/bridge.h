// Connects the two walls: a receiver of the near wall that shows nothing and passes all frames to
// the far wall.
#pragma once

#include <cstdint>
#include <vector>

#include "sail/core/auth/wall_key.h"
#include "sail/core/base/log.h"
#include "sail/core/base/result.h"
#include "sail/core/socket/tcp.h"
#include "ui/bridge/far_wall.h"

namespace ui {

struct NearWall {
  sail::Address at;
  sail::WallKey key;
  std::vector<uint32_t> windows;  // empty: all
};

// Runs until a signal, the end of the near wall, or the end of far.run(). Returns an error if the
// near wall refuses the bridge.
sail::Result<void> run_bridge(const NearWall& near, FarWall& far, const sail::Log& log);

}  // namespace ui
