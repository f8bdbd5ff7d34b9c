// The process that `vitrail up` leaves behind: runs the manager, and runs it again when it ends by
// itself. When it is told to end, or the manager was, everything of the wall ends that was started
// on this host.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sail/base/process_record.h"
#include "sail/base/result.h"
#include "sail/net/tcp.h"

namespace ui {

struct Supervised {
  std::vector<std::string> first_line;  // the manager's command line
  std::vector<std::string> later_line;  // the same when it is started again
  std::vector<std::string> kept_line;   // and with the wall as it was at first, if it is no more
  std::string key;                      // for its $VITRAIL_KEY; "" for none
  std::string log_file;                 // what it and all that it starts say, appended
  std::filesystem::path record;         // tells where the supervisor is
};

// A log that has become large is kept as FILE.1, in place of an older one, and continues empty.
void limit_log(const std::string& log_file);

// A child in a session of its own, so that closing the terminal does not end it. It ends at once
// when the manager's first start does.
sail::Result<pid_t> start_supervisor(const Supervised& supervised);

// The one of the manager at that address, when it runs.
std::optional<sail::ProcessIdentity> running_supervisor(const sail::Address& manager);
std::filesystem::path supervisor_record(const sail::Address& manager);

}  // namespace ui
