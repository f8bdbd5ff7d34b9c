#include "manager/sessions/autosave.h"

#include <fmt/core.h>

#include <utility>

namespace manager {

Autosave::Autosave(sail::Loop& loop, SavedWalls& sessions, Handlers handlers)
    : loop_(loop),
      soon_(loop),
      playing_(loop),
      sessions_(sessions),
      handlers_(std::move(handlers)) {
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
  SavedWall wall = handlers_.wall();
  const bool nothing = wall.windows.empty() && wall.refused.empty();
  if (nothing && written_.is_null() && !writing()) return;
  sail::Json document = to_json(wall, SavedKind::kSession);
  document.erase("saved_at");
  // Compare only whether there is a picture. The picture of a film changes all the time, as does
  // the position, which is compared anyway.
  for (sail::Json& window : document["windows"]) {
    if (window.contains("thumbnail")) window["thumbnail"] = true;
  }
  if (document == written_ && !writing()) return;
  next_ = Version{std::move(wall), std::move(document)};
  write_next();
}

// Writes one version at a time, so that the newest one is written last.
void Autosave::write_next() {
  if (writing() || !next_) return;
  const auto version = std::make_shared<const Version>(std::move(*next_));
  next_.reset();
  const auto known = sessions_.all().find(kName);
  const bool news =
      known == sessions_.all().end() || known->second.windows != version->wall.windows.size();
  auto started = sessions_.save_in_background(
      loop_, kName, version->wall, [this, version, news](const sail::Result<void>& saved) {
        writing_.reset();
        if (saved) {
          written_ = version->document;
          if (news) handlers_.on_list_changed();
        }
        log_outcome(saved);
        write_next();
      });
  if (started) {
    writing_ = std::move(*started);
  } else {
    log_outcome(started.error());
  }
}

void Autosave::log_outcome(const sail::Result<void>& saved) {
  const std::string before = std::exchange(trouble_, saved ? "" : saved.error().message);
  if (before.empty() == trouble_.empty()) return;
  handlers_.notice(saved ? "the wall is saved automatically again"
                         : fmt::format("the wall cannot be saved automatically: {}; until then, a "
                                       "restart restores the last saved state",
                                       saved.error().message));
}

}  // namespace manager
