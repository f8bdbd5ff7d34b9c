#include "manager/sessions/saved_walls.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "manager/sessions/autosave.h"
#include "sail/core/base/private_file.h"
#include "sail/core/loop/loop.h"

namespace manager {
namespace {

constexpr const char* kUnreadable = "unreadable";

std::string kind_name(SavedKind kind) {
  return saved_kind_name(kind);
}

}  // namespace

SavedWalls::SavedWalls(const std::filesystem::path& folder, SavedKind kind, sail::Size wall_size,
                       const sail::Log& log)
    : kind_(kind),
      wall_size_(wall_size),
      has_folder_(!folder.empty()),
      files_(folder / (kind_name(kind) + "s"), kind_name(kind)),
      log_(log) {
  if (has_folder_) find_all();
}

void SavedWalls::find_all() {
  for (const std::string& name : files_.names()) {
    const auto document = files_.load(name);
    const auto wall = document.and_then(
        [this](const sail::Json& json) { return saved_wall_from_json(json, kind_); });
    if (wall) {
      all_[name] = summary_of(*wall);
      continue;
    }
    const bool closed = !document && document.error().code == sail::ErrorCode::kIo;
    const bool newer = document && is_newer(*document);
    record_damage(name, closed ? kUnreadable : newer ? "newer" : "damaged", wall.error().message);
  }
}

void SavedWalls::record_damage(const std::string& name, const char* suffix,
                               const std::string& why) {
  const bool wall_itself = kind_ == SavedKind::kSession && name == Autosave::kName;
  const std::string path = files_.path_of(name).string();
  std::string& damage = damage_[name];
  damage = fmt::format(
      "the {0} '{1}' cannot be used{2}: {3}; {4} and restart the manager, or remove the {0}: "
      "`vitrail {0} rm {1}`",
      kind_name(kind_), name,
      wall_itself ? ", so the windows of the last run are not restored" : "", why,
      std::string_view(suffix) == kUnreadable ? "make the file readable"
                                              : fmt::format("restore {} from a copy", path));
  unread_[name] = suffix;
  log_.warning("{}. The file is renamed to {}.{} before this name is saved again", damage, path,
               unread_[name]);
}

void SavedWalls::keep_unread(const std::string& name) {
  const auto unread = unread_.extract(name);
  if (unread.empty()) return;
  const auto kept = sail::set_aside(files_.path_of(name), unread.mapped());
  if (!kept) return log_.warning("{}", kept.error().message);
  damage_[name] = fmt::format(
      "the former {0} '{1}' could not be used and is kept as {2}: to use it, stop the manager, "
      "repair the file, rename it back and start the manager again",
      kind_name(kind_), name, kept->string());
  log_.warning("{}", damage_[name]);
}

sail::Result<void> SavedWalls::save(const std::string& name, const SavedWall& wall) {
  if (!has_folder_) {
    return sail::fail(sail::ErrorCode::kUnavailable,
                      "this manager has no folder to save to: start it with --state DIR");
  }
  keep_unread(name);
  if (auto saved = files_.save(name, to_json(wall, kind_)); !saved) return saved;
  all_[name] = summary_of(wall);
  changed(name);
  return {};
}

sail::Result<std::shared_ptr<void>> SavedWalls::save_in_background(sail::Loop& loop,
                                                                   const std::string& name,
                                                                   const sail::Json& document,
                                                                   Summary summary, Saved done) {
  auto pending = files_.prepare(name, document);
  if (!pending) return pending.error();
  keep_unread(name);
  const auto result = std::make_shared<sail::Result<void>>();
  return sail::in_background(
      loop, [result, pending = std::move(*pending)] { *result = SavedFiles::write(pending); },
      [this, result, name, summary = std::move(summary), done = std::move(done)] {
        if (*result) {
          all_[name] = summary;
          changed(name);
        }
        done(*result);
      });
}

SavedWalls::Summary SavedWalls::summary_of(const SavedWall& wall) const {
  Summary summary{.windows = wall.windows.size(), .saved_at_s = wall.saved_at_s};
  // The summary needs no thumbnails, which are large.
  SavedWall places;
  places.wall_size = wall.wall_size;
  const size_t count = std::min(wall.windows.size(), kMostRects);
  for (size_t i = wall.windows.size() - count; i < wall.windows.size(); ++i) {
    const SavedWindow& window = wall.windows[i];
    places.windows.push_back({.frame_size = window.frame_size, .placement = window.placement});
  }
  const SavedWall here = on_wall_of(std::move(places), wall_size_);
  for (const SavedWindow& window : here.windows) {
    summary.rects.push_back(window.placement.wall_rect);
  }
  return summary;
}

sail::Result<SavedWall> SavedWalls::load(const std::string& name) const {
  const auto document = files_.load(name);
  if (!document) return document.error();
  return saved_wall_from_json(*document, kind_);
}

sail::Result<void> SavedWalls::remove(const std::string& name) {
  if (auto removed = files_.remove(name); !removed) return removed;
  all_.erase(name);
  unread_.erase(name);
  damage_.erase(name);
  changed(name);
  return {};
}

}  // namespace manager
