// Starts vitrail-manager in the background, as `vitrail up` does.
#pragma once

#include <string>

#include "sail/base/result.h"
#include "sail/net/tcp.h"

namespace ui {

struct StartedManager {
  int pid = 0;
  std::string log_file;  // what it and its receivers write
};

// The program stands beside this one, else on the PATH. Its output goes to
// $XDG_STATE_HOME/vitrail/manager.log (~/.local/state without the variable). Returns when it
// listens; when it ends before that, the error holds its last words.
sail::Result<StartedManager> start_manager(const std::string& wall_file, const sail::Address& at);

}  // namespace ui
