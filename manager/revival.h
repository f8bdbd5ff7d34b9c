// Windows that come and go, and how those that have gone come back: undone steps, layouts and
// sessions, the wall of a former manager. Thread: the loop's.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "manager/autosave.h"
#include "manager/desk.h"
#include "manager/expected_windows.h"
#include "manager/relauncher.h"
#include "manager/saved_walls.h"
#include "sail/base/log.h"
#include "sail/net/loop.h"

namespace sail {
class ServicePeer;
}  // namespace sail

namespace manager {

class ThumbnailExchange;

// A step of the history as clients are told of it.
struct Told {
  std::string who;
  std::string what;
  std::vector<Relaunched::Failure> failed{};  // windows that did not come back
};

class Revival {
 public:
  struct Options {
    std::filesystem::path state_folder;  // of layouts and sessions; empty: none are kept
    // Programs of a restored session that still run to come back.
    int64_t return_ms = 0;
    // Brings a source back that was removed.
    using Brought = std::function<void(const sail::Result<void>&)>;
    std::function<void(const RemovedSource&, Brought)> restore_source{};
  };
  // All outlive this.
  Revival(sail::Loop& loop, const Options& options, Peers& peers, Desk& desk, Players& players,
          const ThumbnailExchange& thumbnails, ChangeFeed& changes, const sail::Log& log);

  // --- steps of the history in which windows come or go
  // Takes the newest step back, or does the one again that was taken back last. Steps that no
  // longer make a difference are passed over. kNotFound when there is none; kConflict while another
  // is under way. done comes once, when all windows have closed or opened that had to.
  using StepTaken = std::function<void(const sail::Result<Told>&)>;
  void undo(const Author& author, StepTaken done) { take_step(true, author, std::move(done)); }
  void redo(const Author& author, StepTaken done) { take_step(false, author, std::move(done)); }
  // As Desk's, one step.
  void close(const std::vector<uint32_t>& numbers, const Author& author, Desk::Closed done);
  // One window opened for somebody. room: where others go for it.
  void record_opened(uint32_t number, const Author& author, const LayoutChange& room);

  // --- layouts and sessions
  const SavedWalls& saved(SavedKind kind) const {
    return kind == SavedKind::kLayout ? layouts_ : sessions_;
  }
  // Called with each that was saved or removed, "autosave" among them.
  void watch_saved(const std::function<void(SavedKind kind, const std::string& name)>& on_changed);
  // The wall as it is now.
  sail::Result<void> save(SavedKind kind, const std::string& name);
  sail::Result<void> remove(SavedKind kind, const std::string& name);
  // Closes what is there and starts what was in the session, as one step; windows of the session
  // that are there and that nobody could start again stay. kNotFound; kConflict while a step is
  // under way. done comes once, when all have opened or failed.
  using Restored = std::function<void(const sail::Result<Relaunched>&)>;
  void restore(const std::string& name, const Author& author, Restored done);
  // What a former manager left; its programs have some time to come back by themselves.
  void restore_at_start(const std::string& name);
  // Which window of it the application opens now, expected no longer; came_back() tells its number.
  std::optional<SavedWindow> take_expected(const sail::ServicePeer& application,
                                           const std::string& title);
  void came_back(const SavedWindow& expected, uint32_t number);
  // The application had a window of it that another program shows by now, started when this one had
  // not come back in time. Once for each.
  bool is_replaced(const sail::ServicePeer& application, const std::string& title);

  // --- the session "autosave"
  void wall_changed() { autosave_.wall_changed(); }
  // Why nothing can be saved; empty: it can.
  const std::string& disk_trouble() const { return autosave_.trouble(); }
  // The wall is saved a last time; what changes from now on is its end.
  void end();
  // Whether the disk is waited for.
  bool writing() const { return autosave_.writing(); }

 private:
  void take_step(bool back, const Author& author, StepTaken done);
  // Closes the one, then starts the others; order: the stack in which those stood.
  void exchange(const std::vector<uint32_t>& going, std::vector<SavedWindow> coming,
                std::vector<uint32_t> order, Relauncher::Done done);
  void record_closed(HistoryEntry entry);
  // In the place of the window that it was, for the history, too.
  void bring_back(const SavedWindow& saved, uint32_t number, const std::vector<uint32_t>& order);
  void resume_playback(const SavedWindow& saved, uint32_t number);
  void start_expected();
  SavedWindow saved(const Window& window) const;
  SavedWall saved_now() const;
  // What is known of how its windows look, as far as a message has room.
  SavedWall with_pictures(SavedWall wall) const;
  // Numbers of former managers mean nothing here. With its history, when this manager has none yet.
  SavedWall renumbered(SavedWall wall, bool keep);
  void adopt_history(Arrangement& arrangement, const sail::Json& saved,
                     const std::map<uint32_t, uint32_t>& numbers);
  SavedWalls& walls(SavedKind kind) { return kind == SavedKind::kLayout ? layouts_ : sessions_; }

  const Options options_;
  Peers& peers_;
  Desk& desk_;
  Players& players_;
  const ThumbnailExchange& thumbnails_;
  ChangeFeed& changes_;
  sail::Log log_;
  SavedWalls layouts_;
  SavedWalls sessions_;
  Autosave autosave_;
  Relauncher relauncher_;
  ExpectedWindows expected_;
  ExpectedWindows replaced_;  // started again, since their programs did not come in time
  sail::Timer return_;        // when they are expected no longer
  bool stepping_ = false;     // windows of a step close or open
  bool ending_ = false;
};

}  // namespace manager
