// Windows that come and go, and the ways to restore them: undo, layouts, sessions, and the wall of
// an earlier manager. Runs on the loop thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "manager/desk/desk.h"
#include "manager/programs/process_restarter.h"
#include "manager/sessions/autosave.h"
#include "manager/sessions/expected_windows.h"
#include "manager/sessions/saved_walls.h"
#include "sail/core/base/log.h"
#include "sail/core/loop/loop.h"

namespace sail {
class ServicePeer;
}  // namespace sail

namespace manager {

class Groups;
class ThumbnailExchange;

// A step of the history as reported to clients.
struct Report {
  std::string who;
  std::string what;
  std::vector<RestartResult::Failure> failed{};  // Windows that could not be restored.
};

class Revival {
 public:
  struct Options {
    std::filesystem::path state_folder;  // For layouts and sessions; empty: none are kept.
    // How long running programs of a restored session have to reconnect.
    int64_t return_ms = 0;
    // Restores a removed source.
    using Brought = std::function<void(const sail::Result<void>&)>;
    std::function<void(const RemovedSource&, Brought)> restore_source{};
  };
  // All must outlive this object.
  Revival(sail::Loop& loop, const Options& options, Peers& peers, Desk& desk, Groups& groups,
          Players& players, const ThumbnailExchange& thumbnails, ChangeFeed& changes,
          const sail::Log& log);

  // --- steps of the history that open or close windows
  // Undoes the newest step, or redoes the step that was undone last. Skips steps that no longer
  // make a difference. kNotFound: there is none. kConflict: another step is in progress. Calls done
  // once, when all its windows have opened or closed.
  using StepTaken = std::function<void(const sail::Result<Report>&)>;
  void undo(const Author& author, StepTaken done) { take_step(true, author, std::move(done)); }
  void redo(const Author& author, StepTaken done) { take_step(false, author, std::move(done)); }
  // Like Desk::close(), as one undo step.
  void close(const std::vector<uint32_t>& numbers, const Author& author, Desk::Closed done);
  // Records a new window of `author`. room: moves of other windows that make room for it.
  void record_opened(uint32_t number, const Author& author, const LayoutChange& room);
  // A newly opened window replaces `former`, which is closed. The new one gets what people set for
  // the former one: place, z-order, volume, opacity, and its group if it names none itself.
  void replace(uint32_t former, uint32_t number, const Author& author);

  // --- layouts and sessions
  const SavedWalls& saved(SavedKind kind) const {
    return kind == SavedKind::kLayout ? layouts_ : sessions_;
  }
  // Called for each layout or session that was saved or removed, also for "autosave".
  void watch_saved(const std::function<void(SavedKind kind, const std::string& name)>& on_changed);
  // Saves the current wall.
  sail::Result<void> save(SavedKind kind, const std::string& name);
  sail::Result<void> remove(SavedKind kind, const std::string& name);
  // Replaces the windows by those of the session, as one step. Windows of the session that are open
  // but cannot be restarted stay. kNotFound. kConflict: a step is in progress. Calls done once,
  // when all windows have opened or failed.
  using Restored = std::function<void(const sail::Result<RestartResult>&)>;
  void restore(const std::string& name, const Author& author, Restored done);
  // Restores the session of an earlier manager. Its running programs get some time to reconnect.
  void restore_at_start(const std::string& name);
  // Returns the expected window that the application now opens, and no longer expects it. Report
  // the window's number with came_back().
  std::optional<SavedWindow> take_expected(const sail::ServicePeer& application,
                                           const std::string& title);
  void came_back(const SavedWindow& expected, uint32_t number);
  // Whether the application comes back too late: another program was started for its window
  // meanwhile. True once per window.
  bool is_replaced(const sail::ServicePeer& application, const std::string& title);

  // --- the session "autosave"
  void wall_changed();
  // Why saving fails; empty: it works.
  const std::string& disk_trouble() const { return autosave_.trouble(); }
  // Sentences about layouts and sessions that cannot be used; see SavedWalls::damage().
  std::vector<std::string> damage() const;
  // Saves the wall a last time. Later changes belong to the shutdown and are not saved.
  void end();
  // Whether a write is in progress.
  bool writing() const { return autosave_.writing(); }

 private:
  void take_step(bool back, const Author& author, StepTaken done);
  // Closes the windows `going`, then starts `coming`. order: their stacking order.
  void exchange(const std::vector<uint32_t>& going, std::vector<SavedWindow> coming,
                std::vector<uint32_t> order, ProcessRestarter::Done done);
  void record_closed(HistoryEntry entry);
  // Gives the window the place of the saved one, and its identity in the history.
  void bring_back(const SavedWindow& saved, uint32_t number, const std::vector<uint32_t>& order);
  // Makes the window a member of the group if its frame rate allows that; empty: of none.
  void join(uint32_t number, const std::string& group);
  void resume_playback(const SavedWindow& saved, uint32_t number);
  void start_expected();
  SavedWindow saved(const Window& window) const;
  SavedWall saved_now() const;
  SavedWall for_next_manager() const;
  // Adds pictures of the windows, as far as a message has room.
  SavedWall with_pictures(SavedWall wall) const;
  // Gives saved windows new numbers, unless `keep`. Adopts the saved history if there is none yet.
  SavedWall renumbered(SavedWall wall, bool keep);
  void adopt_history(Arrangement& arrangement, const sail::Json& saved,
                     const std::map<uint32_t, uint32_t>& numbers);
  SavedWalls& walls(SavedKind kind) { return kind == SavedKind::kLayout ? layouts_ : sessions_; }

  const Options options_;
  Peers& peers_;
  Desk& desk_;
  Groups& groups_;
  Players& players_;
  const ThumbnailExchange& thumbnails_;
  ChangeFeed& changes_;
  sail::Log log_;
  SavedWalls layouts_;
  SavedWalls sessions_;
  Autosave autosave_;
  ProcessRestarter relauncher_;
  ExpectedWindows expected_;
  ExpectedWindows replaced_;  // Restarted, because their programs did not return in time.
  sail::Timer return_;        // End of the wait for expected windows.
  bool stepping_ = false;     // A step is opening or closing windows.
  bool ending_ = false;
  // No window could be restored: the saved session stays until a window opens.
  bool nothing_came_back_ = false;
};

}  // namespace manager
