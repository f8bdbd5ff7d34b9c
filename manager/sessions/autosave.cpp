#include "manager/sessions/autosave.h"

#include <fmt/core.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <type_traits>
#include <utility>

#include "sail/core/time/clock.h"

namespace manager {
namespace {

int64_t cpu_of_this_thread_ns() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

// Hash of a saved wall without what changes all the time: when it was saved, and the windows'
// pictures, of which only the presence counts. The position of a film is saved anyway.
size_t content_hash(const sail::Json& wall) {
  size_t hash = 0;
  const auto add = [&hash](const auto& value) {
    hash ^= std::hash<std::decay_t<decltype(value)>>()(value) + 0x9e3779b97f4a7c15 + (hash << 6) +
            (hash >> 2);
  };
  for (const auto& [key, value] : wall.items()) {
    if (key == "saved_at" || key == "windows") continue;
    add(key);
    add(value);
  }
  for (const sail::Json& window : wall.at("windows")) {
    for (const auto& [key, value] : window.items()) {
      add(key);
      if (key != "thumbnail") add(value);
    }
  }
  return hash;
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
  const int64_t quiet_ms = (sail::steady_now_ns() - written_ns_) / 1'000'000;
  soon_.start(std::max<int64_t>(pause_ms_ - quiet_ms, 0), 0, [this] {
    waiting_ = false;
    write();
  });
}

void Autosave::write() {
  constexpr int64_t kShare = 50;
  if (held_ || !sessions_.can_save()) return;
  const int64_t begin_ns = cpu_of_this_thread_ns();
  write_if_changed();
  const int64_t spent_ms = (cpu_of_this_thread_ns() - begin_ns) / 1'000'000;
  pause_ms_ = std::clamp(kShare * spent_ms, kPauseMs, kLongestPauseMs);
  written_ns_ = sail::steady_now_ns();
}

void Autosave::write_if_changed() {
  const SavedWall wall = handlers_.wall();
  const bool nothing = wall.windows.empty() && wall.refused.empty();
  if (nothing && !written_ && !writing()) return;
  sail::Json document = to_json(wall, SavedKind::kSession);
  const size_t content = content_hash(document);
  if (content == written_ && !writing()) return;
  next_ = Version{std::move(document), sessions_.summary_of(wall), content};
  write_next();
}

// Writes one version at a time, so that the newest one is written last.
void Autosave::write_next() {
  if (writing() || !next_) return;
  const Version version = *std::exchange(next_, std::nullopt);
  const auto known = sessions_.all().find(kName);
  const bool news =
      known == sessions_.all().end() || known->second.windows != version.summary.windows;
  auto started = sessions_.save_in_background(
      loop_, kName, version.document, version.summary,
      [this, content = version.content, news](const sail::Result<void>& saved) {
        writing_.reset();
        if (saved) {
          written_ = content;
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
