// Starts vitrail-manager in the background, for `vitrail up`, and keeps it running.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sail/core/address/address.h"
#include "sail/core/base/process_record.h"
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
// a crashed manager, which restores the session.
sail::Result<StartedManager> start_manager(const std::string& wall_file, const sail::Address& at,
                                           const ManagerOptions& options);

// The background process of `vitrail up`: runs the manager and restarts it if it crashes. When the
// supervisor or the manager is asked to end, it ends everything of the wall on this host.
struct Supervised {
  std::vector<std::string> first_line;  // the manager's command line
  std::vector<std::string> later_line;  // command line of a restart
  std::vector<std::string> kept_line;   // the same with the kept copy of the wall file
  std::string key;                      // for the manager's $VITRAIL_KEY; empty: no key
  std::string log_file;                 // output of the manager and its children, appended
  std::filesystem::path record;         // names the supervisor's process
};

// Moves a large log to FILE.1, replacing an older one; the log continues empty.
void limit_log(const std::string& log_file);

// Starts the supervisor in a session of its own, so that closing the terminal does not end it. It
// ends at once if the manager's first start fails.
sail::Result<pid_t> start_supervisor(const Supervised& supervised);

// Returns the running supervisor of the manager at that address.
std::optional<sail::ProcessIdentity> running_supervisor(const sail::Address& manager);
std::filesystem::path supervisor_record(const sail::Address& manager);

}  // namespace ui
