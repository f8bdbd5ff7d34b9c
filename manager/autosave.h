// Keeps the session "autosave" up to date: soon after a change, but not at each. Thread: the
// loop's.
#pragma once

#include <functional>
#include <string>

#include "manager/saved_walls.h"
#include "sail/base/log.h"
#include "sail/net/loop.h"

namespace manager {

class Autosave {
 public:
  static constexpr const char* kName = "autosave";
  static constexpr int64_t kPauseMs = 2000;      // between two writings
  static constexpr int64_t kPlayingMs = 10'000;  // how often while nothing changes but time

  // wall: as it is now. told: the list of sessions is otherwise now.
  Autosave(sail::Loop& loop, SavedWalls& sessions, std::function<SavedWall()> wall,
           std::function<void()> told, const sail::Log& log);

  void wall_changed();
  // At once, if anything is otherwise than it was written. An empty wall is not worth to be written
  // over what a former manager left.
  void write();
  // What is on the wall is not what should be kept: while a session is restored, and at the end.
  void hold(bool held) { held_ = held; }
  // Why it could not be written the last time; empty: it could.
  const std::string& trouble() const { return trouble_; }

 private:
  sail::Timer soon_;
  sail::Timer playing_;
  SavedWalls& sessions_;
  std::function<SavedWall()> wall_;
  std::function<void()> told_;
  sail::Log log_;
  bool waiting_ = false;
  bool held_ = false;
  std::string trouble_;  // told in the log
  sail::Json written_;
};

}  // namespace manager
