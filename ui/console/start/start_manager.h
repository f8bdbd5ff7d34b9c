// Starts vitrail-manager in the background, for `vitrail up`.
#pragma once

#include <string>
#include <vector>

#include "sail/core/address/address.h"
#include "sail/core/base/result.h"

namespace ui {

struct ManagerOptions {
  bool fresh = false;                    // start with an empty wall; else restore the last session
  bool open_to_all = false;              // run without a key
  std::vector<std::string> arguments{};  // further options of vitrail-manager
};

struct StartedManager {
  std::string log_file;  // output of the manager and its receivers
};

// Runs vitrail-manager beside this program, else from the PATH. Its output is appended to
// $XDG_STATE_HOME/vitrail/manager.HOST:PORT.log (default ~/.local/state). Returns when the manager
// listens; if it exits before, the error contains its last line. From then on a supervisor restarts
// a crashed manager, which restores the session (supervisor.h).
sail::Result<StartedManager> start_manager(const std::string& wall_file, const sail::Address& at,
                                           const ManagerOptions& options);

}  // namespace ui
