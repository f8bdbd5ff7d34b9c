// Restores sessions: one that a person chooses, and the wall of an earlier manager, whose programs
// may still run. Runs on the loop thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "manager/desk/desk.h"
#include "manager/programs/process_restarter.h"
#include "manager/sessions/expected_windows.h"
#include "manager/sessions/saved_wall.h"
#include "sail/core/base/log.h"
#include "sail/core/loop/loop.h"

namespace sail {
class ServicePeer;
struct OpenStream;
}  // namespace sail

namespace manager {

class WallArchive;
class WindowExchange;

class SessionRestore {
 public:
  // All must outlive this object. return_ms: how long running programs of a restored session have
  // to reconnect. expected: the windows of these programs.
  SessionRestore(sail::Loop& loop, int64_t return_ms, Peers& peers, Desk& desk,
                 const Players& players, WallArchive& archive, WindowExchange& exchange,
                 ExpectedWindows& expected, const sail::Log& log);

  // Replaces the windows by those of the session, as one step. Windows of the session that are open
  // but cannot be restarted stay. kNotFound. kConflict: a step is in progress. Calls done once,
  // when all windows have opened or failed.
  using Restored = std::function<void(const sail::Result<RestartResult>&)>;
  void restore(const std::string& name, const Author& author, Restored done);
  // Restores the session of an earlier manager. Its running programs get some time to reconnect.
  void restore_at_start(const std::string& name);
  // Whether windows of an earlier manager are still coming back or being started.
  bool in_progress() const { return starting_ || !expected_.empty(); }
  // Whether this manager began with the session "autosave", which has all windows that were shown.
  bool has_autosave() const { return has_autosave_; }
  // A newer wallpaper or logo takes this place: stops waiting for the former one.
  void forget_decoration(const Decoration& place);
  // Returns the expected window that the application now opens, and no longer expects it. Report
  // the window's number with window_returned().
  std::optional<SavedWindow> take_expected(const sail::ServicePeer& application,
                                           const std::string& title);
  void window_returned(const SavedWindow& expected, uint32_t number);
  // Whether a window of this program of an earlier manager came back in time. If the connection
  // breaks later, the program may return again.
  bool has_returned(const sail::ServicePeer& application) const;
  // Whether the application comes too late: another program was started for its window meanwhile.
  // True once per window for programs that no manager started.
  bool is_replaced(const sail::ServicePeer& application, const sail::OpenStream& open);

 private:
  void start_expected();
  // Gives saved windows new numbers, unless `keep`. Adopts the saved history if there is none yet.
  SavedWall renumbered(SavedWall wall, bool keep);
  void adopt_history(Arrangement& arrangement, const sail::Json& saved,
                     const std::map<uint32_t, uint32_t>& numbers);

  const int64_t return_ms_;
  Peers& peers_;
  Desk& desk_;
  const Players& players_;
  WallArchive& archive_;
  WindowExchange& exchange_;
  ExpectedWindows& expected_;
  ExpectedWindows replaced_;  // Restarted, because their programs did not return in time.
  // Marks of programs that returned in time: not more than there were windows.
  std::set<std::string> returned_;
  bool starting_ = false;
  bool has_autosave_ = false;
  sail::Timer return_;  // End of the wait for expected windows.
  sail::Log log_;
};

}  // namespace manager
