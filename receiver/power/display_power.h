// Turns the displays of this node on and off, by the controls that the receiver was started with.
// The manager can only select one of these controls: a peer on the network cannot run commands of
// its own. Loop thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sail/core/loop/loop.h"
#include "sail/core/wall/power.h"
#include "sail/core/wire/power.h"

namespace receiver {

class DisplaySwitch;

class DisplayPower {
 public:
  // limit_ms: how long a display may take; a command that takes longer is killed.
  DisplayPower(sail::Loop& loop, const sail::NodePower& power,
               int64_t limit_ms = sail::kPowerTimeoutMs);
  ~DisplayPower();
  DisplayPower(const DisplayPower&) = delete;
  DisplayPower& operator=(const DisplayPower&) = delete;

  // Displays act at the same time, requests to one display one after the other. Calls `done` once,
  // unless this object is destroyed first. tiles: all tiles of the node. kInvalidParams: a selected
  // tile is not among them.
  using Done = std::function<void(sail::PowerAnswer)>;
  sail::Result<void> run(const sail::PowerRequest& request, const std::vector<std::string>& tiles,
                         Done done);

 private:
  struct Display {
    std::unique_ptr<DisplaySwitch> controls;
    std::string tile;  // empty: the tiles that have no display of their own
  };
  bool shows(const Display& display, const std::string& tile) const;

  std::vector<Display> displays_;
};

}  // namespace receiver
