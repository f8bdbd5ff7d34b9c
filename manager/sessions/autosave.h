// Saves the session "autosave" after changes, at a limited rate. Runs on the loop thread; a
// background thread writes to disk.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "manager/sessions/saved_walls.h"
#include "sail/core/base/log.h"
#include "sail/core/loop/loop.h"

namespace manager {

class Autosave {
 public:
  static constexpr const char* kName = "autosave";
  // Least time between two writes after changes: a change after a quiet time is written at once, so
  // that a kill loses little. It grows with the wall, so that saving takes at most two percent of
  // the loop's time while the wall changes all the time.
  static constexpr int64_t kPauseMs = 250;
  static constexpr int64_t kLongestPauseMs = 2000;
  static constexpr int64_t kPlayingMs = 10'000;  // Interval of saves of playback positions.

  struct Handlers {
    std::function<SavedWall()> wall;        // Returns the current wall.
    std::function<void()> on_list_changed;  // The list of sessions has changed.
    // Saving begins to fail, or works again. Called once each time, with a sentence for people.
    std::function<void(const std::string& sentence)> notice;
  };
  Autosave(sail::Loop& loop, SavedWalls& sessions, Handlers handlers);

  void wall_changed();
  // Writes now if anything changed since the last write. An empty wall does not overwrite the
  // session of an earlier manager.
  void write();
  // Pauses saving while the wall's content must not be kept: while windows are closed and started
  // for a restore, and at shutdown.
  void hold(bool held) { held_ = held; }
  // Error of the last write; empty: it succeeded.
  const std::string& trouble() const { return trouble_; }
  // Whether a write is in progress.
  bool writing() const { return writing_ != nullptr; }

 private:
  struct Version {
    sail::Json document;
    SavedWalls::Summary summary;
    size_t content;  // See content_hash().
  };
  void write_if_changed();
  void write_next();
  void log_outcome(const sail::Result<void>& saved);

  sail::Loop& loop_;
  sail::Timer soon_;
  sail::Timer playing_;
  SavedWalls& sessions_;
  Handlers handlers_;
  int64_t pause_ms_ = kPauseMs;
  bool waiting_ = false;
  int64_t written_ns_ = 0;  // steady time of the last write()
  bool held_ = false;
  std::string trouble_;            // The last error, already reported.
  std::optional<Version> next_;    // To be written next.
  std::shared_ptr<void> writing_;  // null: no write in progress.
  std::optional<size_t> written_;  // Content of the version in the file; empty: none yet.
};

}  // namespace manager
