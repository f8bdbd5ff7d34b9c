// Starts vitrail-manager in the background, as `vitrail up` does.
#pragma once

#include <string>
#include <vector>

#include "sail/base/result.h"
#include "sail/net/tcp.h"

namespace ui {

struct ManagerWishes {
  bool fresh = false;                    // begin empty; else with what was on the wall
  bool open_to_all = false;              // no key is asked for
  std::vector<std::string> arguments{};  // more of its options
};

struct StartedManager {
  std::string log_file;  // what it and its receivers write
};

// The program stands beside this one, else on the PATH. Its output is appended to
// $XDG_STATE_HOME/vitrail/manager.HOST:PORT.log (~/.local/state without the variable). Returns when
// it listens; when it ends before that, the error holds its last words. From then on it is started
// again when it ends by itself, and brings back what was on the wall (supervisor.h).
sail::Result<StartedManager> start_manager(const std::string& wall_file, const sail::Address& at,
                                           const ManagerWishes& wishes);

}  // namespace ui
