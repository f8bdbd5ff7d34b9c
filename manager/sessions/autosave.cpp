#include "manager/sessions/autosave.h"

#include <fmt/core.h>

#include <algorithm>
#include <ctime>
#include <utility>

namespace manager {
namespace {

int64_t cpu_of_this_thread_ns() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

}  // namespace

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
  soon_.start(pause_ms_, 0, [this] {
    waiting_ = false;
    write();
  });
}

void Autosave::write() {
  constexpr int64_t kShare = 20;
  if (held_ || !sessions_.can_save()) return;
  const int64_t begin_ns = cpu_of_this_thread_ns();
  write_if_changed();
  const int64_t spent_ms = (cpu_of_this_thread_ns() - begin_ns) / 1'000'000;
  pause_ms_ = std::clamp(kShare * spent_ms, kPauseMs, kLongestPauseMs);
}

void Autosave::write_if_changed() {
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
