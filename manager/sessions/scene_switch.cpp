#include "manager/sessions/scene_switch.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "manager/sessions/saved_wall.h"
#include "manager/sessions/wall_archive.h"
#include "manager/sessions/window_exchange.h"
#include "manager/sessions/window_match.h"
#include "sail/core/time/clock.h"

namespace manager {
namespace {

// A layout waits for at most one layout before it.
constexpr int kMostTicks = 2 * sail::kTransactionTimeoutMs / static_cast<int>(Director::kTickMs);

bool is_in(const std::vector<uint32_t>& numbers, uint32_t number) {
  return std::ranges::find(numbers, number) != numbers.end();
}

// Whether the film is to start when it is shown. Members of a group follow the group's position.
bool starts_when_shown(const SavedWindow& saved) {
  return saved.playback && saved.playback->moves() && !saved.playback->live &&
         saved.group.value_or("").empty();
}

}  // namespace

bool has_centre_in(const std::optional<sail::Rect>& area, const sail::Rect& rect) {
  return !area || area->contains(rect.x + rect.width / 2, rect.y + rect.height / 2);
}

SceneSwitch::SceneSwitch(sail::Loop& loop, int64_t opening_ms, Desk& desk, Players& players,
                         WallArchive& archive, WindowExchange& exchange, ChangeFeed& changes)
    : opening_ms_(opening_ms),
      desk_(desk),
      players_(players),
      archive_(archive),
      exchange_(exchange),
      changes_(changes),
      restarter_(players, [this](const SavedWindow& saved, uint32_t number,
                                 const auto& /*order*/) { window_opened(saved, number); }),
      opening_(loop),
      shown_(loop) {}

// Numbers of earlier windows say nothing about the open ones.
sail::Result<SavedWall> SceneSwitch::load(const std::string& name) const {
  auto session = archive_.saved(SavedKind::kSession).load(name);
  if (!session) return session;
  for (SavedWindow& window : session->windows) window.number = 0;
  return session;
}

void SceneSwitch::show(const Saved& saved, const Author& author, Done done) {
  auto session = load(saved.name);
  if (!session) return done(session.error());
  show(Scene{.name = saved.name,
             .wall = std::move(*session),
             .area = saved.area,
             .fade_ms = saved.fade_ms},
       author, std::move(done));
}

sail::Result<SceneSwitch::Preview> SceneSwitch::preview(const Saved& saved) const {
  auto session = load(saved.name);
  if (!session) return std::move(session.error());
  Preview preview{.wall = fitted(std::move(*session), saved.area), .closed = {}};
  const std::vector<uint32_t> open = find_open(preview.wall.windows, saved.area);
  for (size_t i = 0; i < open.size(); ++i) preview.wall.windows[i].number = open[i];
  for (const Window* window : windows_in(saved.area)) {
    const bool stays = is_in(open, window->number) || keep_open_.contains(window->number);
    if (!stays) preview.closed.push_back(window->number);
  }
  return preview;
}

SavedWall SceneSwitch::fitted(SavedWall wall, const std::optional<sail::Rect>& area) const {
  wall = on_wall_of(std::move(wall), desk_.wall().size);
  std::erase_if(wall.windows, [&](const SavedWindow& window) {
    return window.is_curtain() || (area && window.decorates()) ||
           !has_centre_in(area, window.placement.wall_rect);
  });
  return wall;
}

std::optional<sail::Error> SceneSwitch::obstacle() const {
  if (is_at_work() || !exchange_.in_progress()) return std::nullopt;
  return sail::fail(sail::ErrorCode::kConflict,
                    "an earlier step is not complete: its windows are still opening or closing");
}

void SceneSwitch::show(Scene scene, const Author& author, Done done) {
  if (const auto why = obstacle()) return done(*why);
  if (pending_) {
    drop(sail::fail(sail::ErrorCode::kConflict,
                    fmt::format("session '{}' is not shown: a switch to '{}' was requested before "
                                "its windows were open",
                                pending_->name, scene.name)));
  }
  SavedWall wall = fitted(std::move(scene.wall), scene.area);
  pending_ = std::make_shared<Pending>(Pending{.name = scene.name,
                                               .area = scene.area,
                                               .note = std::move(scene.note),
                                               .fade_ms = scene.fade_ms,
                                               .on_swap = std::move(scene.on_swap),
                                               .author = author,
                                               .done = std::move(done),
                                               .partitions = std::move(wall.partitions),
                                               .windows = std::move(wall.windows),
                                               .kept = {},
                                               .opened = {}});
  exchange_.hold(is_at_work());
  name_ = scene.name;
  failed_.clear();
  changes_.part_changed(StatePart::kScene);
  std::vector<SavedWindow> missing = find_missing(*pending_);
  await_opening();
  restarter_.start(std::move(missing), {}, [this, begun = pending_](const RestartResult& result) {
    if (begun == pending_) switch_now(result.failed);
  });
}

std::vector<uint32_t> SceneSwitch::find_open(const std::vector<SavedWindow>& windows,
                                             const std::optional<sail::Rect>& area) const {
  std::vector<const Window*> open = windows_in(area);
  std::vector<uint32_t> found;
  std::vector<SavedWindow> others;
  for (const SavedWindow& window : windows) {
    const bool same =
        std::erase_if(open, [&](const Window* one) { return one->number == window.number; }) > 0;
    found.push_back(same ? window.number : 0);
    if (!same) others.push_back(window);
  }
  const std::vector<uint32_t> matched = match_content(others, open);
  auto next = matched.begin();
  for (uint32_t& number : found) {
    if (number == 0) number = *next++;
  }
  return found;
}

std::vector<SavedWindow> SceneSwitch::find_missing(Pending& scene) {
  const std::vector<uint32_t> matched = find_open(scene.windows, scene.area);
  std::vector<SavedWindow> missing;
  for (size_t i = 0; i < matched.size(); ++i) {
    SavedWindow& window = scene.windows[i];
    if (matched[i] != 0) {
      window.number = matched[i];
      scene.kept.push_back(matched[i]);
      continue;
    }
    window.number =
        desk_.change([](Arrangement& arrangement) { return arrangement.reserve_number(); });
    missing.push_back(window);
    missing.back().placement.hidden = true;
  }
  return missing;
}

void SceneSwitch::window_opened(const SavedWindow& saved, uint32_t number) {
  const auto is_it = [&](const SavedWindow& window) { return window.number == saved.number; };
  const auto wanted = pending_ ? std::ranges::find_if(pending_->windows, is_it)
                               : std::vector<SavedWindow>::iterator();
  if (!pending_ || wanted == pending_->windows.end()) {
    // The switch was given up.
    return desk_.close({number}, [](const auto& /*forced*/) {});
  }
  wanted->number = number;
  pending_->opened.push_back(number);
  set_changing({number}, true);
  exchange_.reopened(saved, number, {});
  if (starts_when_shown(saved)) desk_.notify_application(*desk_.windows().find(number), "pause");
  await_opening();
}

void SceneSwitch::await_opening() {
  opening_.start(opening_ms_, 0, [this] {
    restarter_.give_up(fmt::format("it did not open within {} s", opening_ms_ / 1000));
  });
}

void SceneSwitch::drop(const sail::Error& why) {
  opening_.stop();
  const std::shared_ptr<Pending> scene = std::exchange(pending_, nullptr);
  exchange_.hold(is_at_work());
  restarter_.give_up(why.message);
  desk_.close(open_ones(scene->opened),
              [this, scene](const auto& /*forced*/) { set_changing(scene->opened, false); });
  scene->done(why);
}

// --- the swap

void SceneSwitch::switch_now(std::vector<RestartResult::Failure> failed) {
  if (players_.stopped()) {
    return drop(sail::fail(sail::ErrorCode::kUnavailable,
                           "the manager is shutting down: the session is not shown"));
  }
  opening_.stop();
  const std::shared_ptr<Pending> scene = std::exchange(pending_, nullptr);
  Result result;
  result.failed = std::move(failed);
  const LayoutChange wanted = change_for(*scene, result);
  desk_.change([&](Arrangement& /*arrangement*/) {
    desk_.fade(scene->fade_ms);
    apply(wanted, *scene, result);
  });
  start_films(*scene);
  set_changing(scene->opened, false);
  set_changing(result.closed, true);
  failed_ = result.failed;
  changes_.part_changed(StatePart::kScene);
  const int64_t sound_ms = desk_.wall().audio.empty() ? 0 : scene->fade_ms;
  swapping_.push_back({.result = std::move(result),
                       .done = std::move(scene->done),
                       .silent_ns = sail::steady_now_ns() + sound_ms * 1'000'000});
  ticks_ = 0;
  shown_.start(Director::kTickMs, Director::kTickMs, [this] { close_when_shown(); });
}

LayoutChange SceneSwitch::change_for(const Pending& scene, Result& result) {
  LayoutChange wanted;
  if (!scene.area) wanted.partitions = scene.partitions;
  wanted.order.emplace();
  for (const SavedWindow& window : scene.windows) {
    const bool stays = is_in(scene.kept, window.number);
    if (!stays && !is_in(scene.opened, window.number)) continue;
    if (!is_open(window.number)) {
      result.failed.push_back({window.title, "it was closed before it was shown", window.number});
      continue;
    }
    WindowPlacement& placement = wanted.windows[window.number] = window.placement;
    placement.hidden = false;
    wanted.order->push_back(window.number);
    (stays ? result.kept : result.started).push_back(window.number);
  }
  for (const Window* window : windows_in(scene.area)) {
    if (wanted.windows.contains(window->number)) continue;
    wanted.windows.emplace(window->number, window->placement()).first->second.hidden = true;
    if (!keep_open_.contains(window->number)) result.closed.push_back(window->number);
  }
  return wanted;
}

void SceneSwitch::apply(const LayoutChange& wanted, const Pending& scene, const Result& result) {
  if (!scene.note.empty()) {
    return desk_.change([&](Arrangement& arrangement) {
      arrangement.apply(wanted, scene.author);
      arrangement.history().note(scene.author, scene.note);
      if (scene.on_swap) scene.on_swap(scene.windows);
    });
  }
  HistoryEntry entry{.author = scene.author,
                     .what = fmt::format("switched to session '{}'", scene.name)};
  entry.stack = desk_.windows().order();
  const auto states = [this](const std::vector<uint32_t>& numbers) {
    std::vector<SavedWindow> windows;
    for (const uint32_t number : numbers) {
      windows.push_back(archive_.state_of(*desk_.windows().find(number)));
    }
    return windows;
  };
  entry.closed = states(result.closed);
  desk_.change([&](Arrangement& arrangement) {
    entry.before = arrangement.apply(wanted, scene.author);
    for (const auto* numbers : {&result.closed, &result.started}) {
      for (const uint32_t number : *numbers) entry.before.windows.erase(number);
    }
    entry.after = arrangement.now(entry.before);
    entry.opened = states(result.started);
    const bool changes = !entry.before.empty() || !entry.closed.empty() || !entry.opened.empty();
    if (changes) arrangement.history().add(std::move(entry));
  });
}

void SceneSwitch::start_films(const Pending& scene) {
  for (const SavedWindow& window : scene.windows) {
    const bool waits = is_in(scene.opened, window.number) && starts_when_shown(window);
    if (!waits || !is_open(window.number)) continue;
    desk_.notify_application(*desk_.windows().find(window.number), "resume");
  }
}

void SceneSwitch::close_when_shown() {
  if (!desk_.director().settled() && ++ticks_ < kMostTicks) return;
  const int64_t now_ns = sail::steady_now_ns();
  std::vector<Swapping> over;
  for (Swapping& swapping : std::exchange(swapping_, {})) {
    (swapping.silent_ns <= now_ns ? over : swapping_).push_back(std::move(swapping));
  }
  if (swapping_.empty()) shown_.stop();
  for (Swapping& swapping : over) close(std::move(swapping));
}

void SceneSwitch::close(Swapping swapping) {
  const std::vector<uint32_t> going = open_ones(swapping.result.closed);
  desk_.close(going, [this, swapping = std::move(swapping)](const auto& forced) mutable {
    set_changing(swapping.result.closed, false);
    swapping.result.forced = forced;
    swapping.done(swapping.result);
  });
}

// --- windows

bool SceneSwitch::is_open(uint32_t number) const {
  return desk_.windows().find(number) != nullptr && !desk_.closes(number);
}

std::vector<uint32_t> SceneSwitch::open_ones(const std::vector<uint32_t>& numbers) const {
  std::vector<uint32_t> open;
  std::ranges::copy_if(numbers, std::back_inserter(open),
                       [this](uint32_t number) { return is_open(number); });
  return open;
}

std::vector<const Window*> SceneSwitch::windows_in(const std::optional<sail::Rect>& area) const {
  std::vector<const Window*> windows;
  for (const Window& window : desk_.windows().bottom_to_top()) {
    if (!is_open(window.number) || window.unsaved || window.is_curtain()) continue;
    // Hidden windows, wallpapers and logos are in no area. A scene of the whole wall may change
    // them.
    const bool is_in = !area || (window.arranged() && has_centre_in(area, window.wall_rect));
    if (is_in) windows.push_back(&window);
  }
  return windows;
}

void SceneSwitch::set_changing(const std::vector<uint32_t>& numbers, bool on) {
  desk_.change([&](Arrangement& arrangement) {
    for (const uint32_t number : numbers) {
      arrangement.set_unsaved(number, on);
      if (on) {
        changing_.insert(number);
      } else {
        changing_.erase(number);
      }
    }
  });
  exchange_.hold(is_at_work());
}

sail::Json SceneSwitch::json() const {
  if (name_.empty()) return nullptr;
  return {{"name", name_}, {"pending", pending_ != nullptr}, {"failed", failures_json(failed_)}};
}

}  // namespace manager
