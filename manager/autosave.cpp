#include "manager/autosave.h"

#include <utility>

namespace manager {

Autosave::Autosave(sail::Loop& loop, SavedWalls& sessions, std::function<SavedWall()> wall,
                   std::function<void()> told, const sail::Log& log)
    : soon_(loop),
      playing_(loop),
      sessions_(sessions),
      wall_(std::move(wall)),
      told_(std::move(told)),
      log_(log) {
  playing_.start(kPlayingMs, kPlayingMs, [this] { write(); });
}

void Autosave::wall_changed() {
  if (std::exchange(waiting_, true)) return;
  soon_.start(kPauseMs, 0, [this] {
    waiting_ = false;
    write();
  });
}

void Autosave::write() {
  if (held_ || !sessions_.can_save()) return;
  SavedWall wall = wall_();
  if (wall.windows.empty() && written_.is_null()) return;
  sail::Json document = to_json(wall, SavedKind::kSession);
  document.erase("saved_at");
  // That there is a picture counts, not that a film's goes on: its position tells that anyway.
  for (sail::Json& window : document["windows"]) {
    if (window.contains("thumbnail")) window["thumbnail"] = true;
  }
  if (document == written_) return;
  const auto known = sessions_.all().find(kName);
  const bool told = known != sessions_.all().end() && known->second.windows == wall.windows.size();
  if (auto saved = sessions_.save(kName, wall); !saved) {
    if (trouble_.empty()) log_.warning("autosave: {}", saved.error().message);
    trouble_ = saved.error().message;
    return;
  }
  trouble_.clear();
  written_ = std::move(document);
  if (!told) told_();
}

}  // namespace manager
