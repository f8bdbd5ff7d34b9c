// The layouts, or the sessions, that this manager has saved, with cached summaries. Runs on the
// loop thread; functions block on the disk, unless stated otherwise.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "manager/files/saved_files.h"
#include "manager/sessions/saved_wall.h"
#include "sail/core/base/geometry.h"
#include "sail/core/base/log.h"
#include "sail/core/base/result.h"
#include "sail/core/loop/loop.h"

namespace manager {

class SavedWalls {
 public:
  struct Summary {
    size_t windows = 0;
    int64_t saved_at_s = 0;  // Seconds since 1970.
    // Window rectangles in pixels of this wall, bottom to top; at most the topmost kMostRects.
    std::vector<sail::Rect> rects{};
  };
  static constexpr size_t kMostRects = 32;

  // folder: the manager's state folder; empty: nothing can be saved. Files that are damaged or of a
  // newer version are logged and left alone. They are renamed before another file takes their name.
  SavedWalls(const std::filesystem::path& folder, SavedKind kind, sail::Size wall_size,
             const sail::Log& log);

  // See SavedFiles::save(). kUnavailable: there is no folder.
  sail::Result<void> save(const std::string& name, const SavedWall& wall);
  // Writes on another thread. Calls done once, unless the guard is destroyed first or this fails.
  using Saved = std::function<void(const sail::Result<void>&)>;
  sail::Result<std::shared_ptr<void>> save_in_background(sail::Loop& loop, const std::string& name,
                                                         const sail::Json& document,
                                                         Summary summary, Saved done);
  Summary summary_of(const SavedWall& wall) const;
  sail::Result<SavedWall> load(const std::string& name) const;
  sail::Result<void> remove(const std::string& name);
  bool can_save() const { return has_folder_; }
  // The files that could not be used at the start: by name, a sentence that says what that means
  // and what to do. An entry stays when a new file has taken the name, and is removed with the
  // name.
  const std::map<std::string, std::string>& damage() const { return damage_; }
  // Called with the name of each document that was saved or removed.
  void watch(std::function<void(const std::string& name)> on_changed) {
    on_changed_ = std::move(on_changed);
  }
  const std::map<std::string, Summary>& all() const { return all_; }

 private:
  void find_all();
  void record_damage(const std::string& name, const char* suffix, const std::string& why);
  void keep_unread(const std::string& name);
  void changed(const std::string& name) const {
    if (on_changed_) on_changed_(name);
  }

  SavedKind kind_;
  sail::Size wall_size_;
  bool has_folder_;
  SavedFiles files_;
  sail::Log log_;
  std::map<std::string, Summary> all_;
  // Files that could not be read: the name, and the suffix with which the file is renamed before
  // the name is saved again.
  std::map<std::string, std::string> unread_;
  std::map<std::string, std::string> damage_;
  std::function<void(const std::string& name)> on_changed_;
};

}  // namespace manager
