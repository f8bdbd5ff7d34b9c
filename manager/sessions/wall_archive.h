// The saved layouts and sessions of the wall. Saves the current wall in them: when a person asks
// for it, and as the session "autosave" after each change. Runs on the loop thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "manager/sessions/autosave.h"
#include "manager/sessions/saved_walls.h"
#include "sail/core/base/log.h"
#include "sail/core/loop/loop.h"

namespace manager {

class ChangeFeed;
class Desk;
class ExpectedWindows;
class Peers;
class ThumbnailExchange;

class WallArchive {
 public:
  // All must outlive this object. state_folder: empty: nothing can be saved. expected: windows that
  // the autosave includes although they are not open yet.
  WallArchive(sail::Loop& loop, const std::filesystem::path& state_folder, Peers& peers, Desk& desk,
              const ThumbnailExchange& thumbnails, const ExpectedWindows& expected,
              ChangeFeed& changes, const sail::Log& log);

  const SavedWalls& saved(SavedKind kind) const {
    return kind == SavedKind::kLayout ? layouts_ : sessions_;
  }
  // Called for each layout or session that was saved or removed, also for "autosave".
  void watch_saved(const std::function<void(SavedKind kind, const std::string& name)>& on_changed);
  // Saves the current wall without its hidden windows.
  sail::Result<void> save(SavedKind kind, const std::string& name);
  // Saves a session that is not this wall's current one.
  sail::Result<void> put(const std::string& name, const SavedWall& session);
  sail::Result<void> remove(SavedKind kind, const std::string& name);
  // Leaves out windows that open or close with a scene or a tour.
  SavedWall current_wall() const;
  // Returns the current state of an open window.
  SavedWindow state_of(const Window& window) const;
  // Sentences about layouts and sessions that cannot be used; see SavedWalls::damage().
  std::vector<std::string> damage() const;

  // --- the session "autosave"
  void wall_changed();
  // Add the state of events and of tours, from these functions, to the session "autosave".
  void add_events(std::function<sail::Json()> events) { events_ = std::move(events); }
  void add_tours(std::function<sail::Json()> tours) { tours_ = std::move(tours); }
  // Pauses saving while windows are closed and started for a restore.
  void pause_autosave() { autosave_.hold(true); }
  // Ends the pause and saves the wall.
  void resume_autosave();
  // Ends the pause when a window opens: until then the saved session stays.
  void resume_autosave_with_window() { until_window_ = true; }
  // Why saving fails; empty: it works.
  const std::string& disk_trouble() const { return autosave_.trouble(); }
  // Saves the wall a last time. Later changes belong to the shutdown and are not saved.
  void end();
  // Whether a write is in progress.
  bool writing() const { return autosave_.writing(); }

 private:
  SavedWall for_next_manager() const;
  // Adds pictures of the windows, as far as a message has room.
  SavedWall with_pictures(SavedWall wall) const;
  SavedWalls& walls(SavedKind kind) { return kind == SavedKind::kLayout ? layouts_ : sessions_; }

  Peers& peers_;
  Desk& desk_;
  const ThumbnailExchange& thumbnails_;
  const ExpectedWindows& expected_;
  ChangeFeed& changes_;
  sail::Log log_;
  SavedWalls layouts_;
  SavedWalls sessions_;
  std::function<sail::Json()> events_ = [] { return sail::Json(); };
  std::function<sail::Json()> tours_ = [] { return sail::Json(); };
  Autosave autosave_;
  bool until_window_ = false;  // Saving is paused until a window opens.
  bool ending_ = false;
};

}  // namespace manager
