// Keeps the session "autosave" up to date: soon after a change, but not at each. Thread: the
// loop's; the disk is waited for by another.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "manager/saved_walls.h"
#include "sail/base/log.h"
#include "sail/net/loop.h"

namespace manager {

class Autosave {
 public:
  static constexpr const char* kName = "autosave";
  static constexpr int64_t kPauseMs = 250;       // between two writings
  static constexpr int64_t kPlayingMs = 10'000;  // how often while nothing changes but time

  struct Handlers {
    std::function<SavedWall()> wall;  // as it is now
    std::function<void()> told;       // the list of sessions has changed
    // It cannot be written, or can be again: a sentence for people, once for each.
    std::function<void(const std::string& sentence)> notice;
  };
  Autosave(sail::Loop& loop, SavedWalls& sessions, Handlers handlers);

  void wall_changed();
  // Writes now, if anything has changed since the last time. An empty wall does not replace what a
  // former manager left.
  void write();
  // What is on the wall is not what should be kept: while a session is restored, and at the end.
  void hold(bool held) { held_ = held; }
  // Why it could not be written the last time; empty: it could.
  const std::string& trouble() const { return trouble_; }
  // Whether the disk is waited for.
  bool writing() const { return writing_ != nullptr; }

 private:
  struct Version {
    SavedWall wall;
    sail::Json document;  // compared to tell whether another one differs
  };
  void go_on();
  void tell_whether(const sail::Result<void>& saved);

  sail::Loop& loop_;
  sail::Timer soon_;
  sail::Timer playing_;
  SavedWalls& sessions_;
  Handlers handlers_;
  bool waiting_ = false;
  bool held_ = false;
  std::string trouble_;            // and said so
  std::optional<Version> next_;    // to be written
  std::shared_ptr<void> writing_;  // null: nothing is being written
  sail::Json written_;
};

}  // namespace manager
