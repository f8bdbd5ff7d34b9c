#include "manager/events/event_scenes.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <set>
#include <utility>

#include "manager/desk/areas.h"
#include "manager/desk/curtains.h"
#include "manager/desk/desk.h"
#include "manager/events/event_actions.h"
#include "manager/peers/change_feed.h"
#include "manager/sessions/scene_switch.h"
#include "manager/sessions/session_restore.h"
#include "manager/sessions/wall_archive.h"
#include "manager/sessions/window_exchange.h"
#include "sail/core/time/clock.h"

namespace manager {
namespace {

constexpr const char* kBase = "";

EventClock event_clock() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return {.steady_ms = sail::steady_now_ns() / sail::kMillisecondNs,
          .since_1970_ms = std::chrono::duration_cast<std::chrono::milliseconds>(now).count()};
}

int64_t now_ms() {
  return event_clock().steady_ms;
}

}  // namespace

EventScenes::EventScenes(Desk& desk, WallArchive& archive, WindowExchange& exchange,
                         const SessionRestore& restore, SceneSwitch& scene, ChangeFeed& changes,
                         EventRulesFile rules, const sail::Log& log)
    : desk_(desk),
      archive_(archive),
      restore_(restore),
      scene_(scene),
      changes_(changes),
      rules_(std::move(rules)),
      log_(log),
      covers_(desk) {
  if (!rules_.damage().empty()) log_.error("{}", rules_.damage());
  archive.add_events([this] { return saved(); });
  exchange.watch_numbers([this](uint32_t former, uint32_t number) {
    covers_.renumber(former, number);
    if (!base_) return;
    SavedWall base = *base_;
    for (SavedWindow& window : base.windows) {
      if (window.number == former) window.number = number;
    }
    set_base(std::move(base));
  });
}

// --- events

sail::Result<std::optional<sail::Rect>> EventScenes::target(const std::string& scene,
                                                            const std::string& area) const {
  if (!scene.empty() && !archive_.saved(SavedKind::kSession).all().contains(scene)) {
    return sail::fail(sail::ErrorCode::kNotFound,
                      fmt::format("the session '{}' is not saved: save the session, or correct the "
                                  "event's rule or the entry of the schedule",
                                  scene));
  }
  if (area.empty()) return std::optional<sail::Rect>();
  const Partitions& partitions = base_ ? base_->partitions : desk_.arrangement().partitions();
  const auto found = area_named(desk_.wall(), partitions, area);
  if (found) return std::optional(*found);
  return sail::fail(found.error().code,
                    fmt::format("correct the event's rule, or the entry of the schedule: {}",
                                found.error().message));
}

std::vector<std::string> EventScenes::troubles() const {
  std::vector<std::string> troubles;
  for (const sail::EventRule& rule : rules_.rules().all()) {
    const auto found = target(rule.scene, rule.area);
    if (found) continue;
    troubles.push_back(
        fmt::format("the event '{}' will not be shown: {}", rule.event, found.error().message));
    break;
  }
  for (const ActiveEvent& event : active_.all()) {
    for (const RestartResult::Failure& failure : event.failed) {
      troubles.push_back(
          fmt::format("event '{}': '{}' failed: {}", event.name(), failure.title, failure.why));
    }
  }
  if (const auto now = wanted(); now && !failed_.empty()) {
    troubles.push_back(fmt::format("{}: cannot show '{}' ({} in all): {}", now->cause,
                                   failed_.front().title, failed_.size(), failed_.front().why));
  }
  return troubles;
}

sail::Result<EventScenes::Started> EventScenes::start(const std::string& name,
                                                      const std::string& id,
                                                      const sail::Json& payload) {
  if (auto good = sail::check_event_payload(payload); !good) return good.error();
  const sail::EventRule* rule = rules_.rules().match(name, payload);
  ActiveEvent event;
  event.id = id;
  event.began_ms = now_ms();
  if (rule != nullptr) {
    const auto area = target(rule->scene, rule->area);
    if (!area) return area.error();
    event.rule = *rule;
    event.area = *area;
  }
  Started started;
  const ActiveEvent begun = event;
  ActiveEvents active = active_;  // An event that is refused clears nothing.
  started.cleared = active.clear_by(name, id, event.began_ms);
  if (rule != nullptr) {
    const auto is_new = active.start(std::move(event));
    if (!is_new) return is_new.error();
    started.outcome = *is_new ? Outcome::kBegan : Outcome::kProlonged;
  } else if (started.cleared == 0) {
    started.why = rules_.rules().no_match(name);
  }
  active_ = std::move(active);
  changed_ = true;
  if (started.outcome == Outcome::kBegan && run_verb_) run_verbs(begun);
  return started;
}

void EventScenes::run_verbs(const ActiveEvent& event) {
  const auto run = [&](const std::string& verb, const std::string& title,
                       const sail::Json& params) {
    run_verb_(verb, params,
              [this, verb, title, name = event.name(), id = event.id,
               began_ms = event.began_ms](const sail::Result<sail::Json>& answer) {
                if (answer) return;
                log_.warning("event '{}': {} failed: {}", name, verb, answer.error().message);
                active_.fail(name, id, began_ms, {.title = title, .why = answer.error().message});
                changed_ = true;
              });
  };
  const sail::EventRule& rule = event.rule;
  if (!rule.camera.empty()) {
    run("camera_move", rule.camera, {{"source", rule.camera}, {"preset", rule.preset}});
  }
  if (rule.power_on) run("power", "power", {{"power", "on"}});
}

sail::Result<void> EventScenes::clear(const std::string& name,
                                      const std::optional<std::string>& id) {
  changed_ = true;
  return active_.clear(name, id, now_ms());
}

sail::Result<void> EventScenes::acknowledge(const std::string& name,
                                            const std::optional<std::string>& id) {
  changed_ = true;
  return active_.acknowledge(name, id);
}

sail::Json EventScenes::json() const {
  sail::Json list = sail::Json::array();
  const std::vector<const ActiveEvent*> shown = active_.shown();
  for (const ActiveEvent& event : active_.all()) {
    list.push_back(to_json(event, event_clock()));
    if (std::ranges::find(shown, &event) == shown.end()) continue;
    list.back()["shown"] = true;
    if (&event != shown.back()) continue;
    for (sail::Json& failure : failures_json(failed_)) list.back()["failed"].push_back(failure);
  }
  return list;
}

// --- the next manager

sail::Json EventScenes::saved() const {
  if (!base_) return nullptr;
  sail::Json active = sail::Json::array();
  for (const ActiveEvent& event : active_.all()) active.push_back(to_json(event, event_clock()));
  sail::Json saved = {{"active", std::move(active)},
                      {"base", to_json(*base_, SavedKind::kSession)}};
  covers_.add_to(saved);
  return saved;
}

void EventScenes::resume(const sail::Json& saved) {
  show_hidden_ = true;
  if (saved.is_null()) return;
  sail::JsonFields fields(saved, "events");
  const auto active =
      active_events_from_json(fields.array("active", sail::kMaxActiveEvents), event_clock());
  auto base = saved_wall_from_json(fields.object("base"), SavedKind::kSession);
  if (!active || !base) {
    log_.error(
        "cannot continue the events of the former manager, so the windows that they hide are "
        "shown: {}",
        active ? base.error().message : active.error().message);
    return;
  }
  if (fields.has("covers")) {
    if (const auto resumed = covers_.resume(fields.object("covers")); !resumed) {
      log_.error("cannot blank the wall again after the event: {}", resumed.error().message);
    }
  }
  desk_.change([&](Arrangement& arrangement) {
    for (const SavedWindow& window : base->windows) arrangement.skip_number(window.number);
  });
  active_ = *active;
  set_base(on_wall_of(std::move(*base), desk_.wall().size));
  changed_ = true;
}

// --- scenes

void EventScenes::tick() {
  if (active_.tick(now_ms())) changed_ = true;
  if (std::exchange(changed_, false)) {
    changes_.part_changed(StatePart::kEvents);
    archive_.wall_changed();
  }
  show_wanted();
}

void EventScenes::show_wanted() {
  // Windows of the earlier manager are still coming back.
  if (restore_.in_progress()) return;
  if (const std::optional<Wanted> now = wanted()) {
    show_wanted(*now);
  } else if (base_) {
    show_base();
  } else {
    requested_.reset();
    waits_.clear();
    if (show_hidden_) show_hidden();
  }
  show_hidden_ = false;
}

void EventScenes::show_hidden() {
  LayoutChange change;
  for (const Window& window : desk_.windows().bottom_to_top()) {
    if (window.hidden && !window.unsaved) change.windows[window.number] = window.placement();
  }
  for (auto& [number, placement] : change.windows) placement.hidden = false;
  desk_.change([&](Arrangement& arrangement) { arrangement.apply(change, {}); });
}

// Events and entries that want the same cause no second switch.
std::string EventScenes::Wanted::request() const {
  std::string request = fmt::format("{}\n{}\n{}{}", scene, area, by_event, scene_by_event);
  for (const sail::EventAction& action : actions) request += '\n' + to_json(action).dump();
  return request;
}

std::optional<EventScenes::Wanted> EventScenes::wanted() const {
  const std::vector<const ActiveEvent*> events = active_.shown();
  if (events.empty() && !scheduled_) return std::nullopt;
  Wanted wanted;
  if (scheduled_) {
    wanted = {.cause = fmt::format("schedule '{}'", scheduled_->entry),
              .scene = scheduled_->scene,
              .area = scheduled_->area};
  }
  for (const ActiveEvent* event : events) {
    wanted.cause = fmt::format("event '{}'", event->name());
    wanted.fade_ms = event->rule.fade_ms;
    wanted.by_event = true;
    std::ranges::copy(event->rule.actions, std::back_inserter(wanted.actions));
    if (event->rule.scene.empty()) continue;
    wanted.scene = event->rule.scene;
    wanted.area = event->rule.area;
    wanted.rect = event->area;
    wanted.scene_by_event = true;
  }
  return wanted;
}

std::string EventScenes::Wanted::note() const {
  if (scene.empty()) return fmt::format("{}: changed windows", cause);
  return fmt::format("{}: switched to session '{}'{}", cause, scene,
                     actions.empty() ? "" : " and changed windows");
}

void EventScenes::want(std::string request) {
  requested_ = std::move(request);
  if (!failed_.empty()) fail({});  // Of the former switch.
}

void EventScenes::show_wanted(const Wanted& wanted) {
  // The base must not be a wall whose windows are still opening.
  if (requested_ == wanted.request() || has_to_wait()) return;
  want(wanted.request());
  const SavedWall base = base_ ? *base_ : archive_.current_wall();
  auto wall = with_scene_of(wanted, base);
  std::vector<RestartResult::Failure> failed;
  if (!wall) {
    failed.push_back({.title = wanted.scene, .why = wall.error().message});
    if (wanted.actions.empty()) return fail(std::move(failed));
    wall = base;
  }
  const WallSwitches blanks = covers_.blanks();
  if (wanted.by_event) hide_concealed(blanks, wanted.scene_by_event, *wall);
  std::ranges::move(carry_out(wanted.actions, desk_.wall(), *wall), std::back_inserter(failed));
  std::optional<WallSwitches> lifted;
  if (wanted.by_event) lifted = uncovered(blanks, *wall);
  if (!base_) set_base(base);
  show(wanted.scene.empty() ? wanted.cause : wanted.scene, std::move(*wall), wanted.note(), lifted,
       wanted.fade_ms, std::move(failed));
}

sail::Result<SavedWall> EventScenes::with_scene_of(const Wanted& wanted,
                                                   const SavedWall& base) const {
  if (wanted.scene.empty()) return base;
  auto scene = archive_.saved(SavedKind::kSession).load(wanted.scene);
  if (!scene) return scene;
  std::optional<sail::Rect> area = wanted.rect;
  if (!area) {
    const auto named = target("", wanted.area);
    if (!named) return named.error();
    area = *named;
  }
  return with_scene(base, on_wall_of(std::move(*scene), desk_.wall().size), area);
}

void EventScenes::show_base() {
  if (requested_ == kBase || has_to_wait()) return;
  want(kBase);
  show("the wall before", *base_,
       "no event or scheduled scene is active any more: the wall is as before", std::nullopt);
}

void EventScenes::show(const std::string& name, SavedWall wall, const std::string& note,
                       const std::optional<WallSwitches>& lifted, int fade_ms,
                       std::vector<RestartResult::Failure> failed) {
  log_.info("{}", note);
  const auto on_swap = [this, lifted](const std::vector<SavedWindow>& windows) {
    lifted ? covers_.uncover(*lifted, windows) : covers_.restore();
  };
  scene_.show(SceneSwitch::Scene{.name = name,
                                 .wall = std::move(wall),
                                 .note = note,
                                 .fade_ms = fade_ms,
                                 .on_swap = on_swap},
              {.name = "event"},
              [this, request = *requested_, lifted, failed = std::move(failed)](
                  const sail::Result<SceneSwitch::Result>& result) mutable {
                if (result) {
                  std::ranges::copy(result->failed, std::back_inserter(failed));
                  if (requested_ == request && !lifted) covers_.freeze_again();
                  return shown(request, failed);
                }
                if (requested_ != request) return;
                // A person's switch came between: tries again with the next tick.
                if (result.error().code == sail::ErrorCode::kConflict) requested_.reset();
              });
}

bool EventScenes::has_to_wait() {
  const std::optional<sail::Error> obstacle = scene_.obstacle();
  if (obstacle && waits_.empty()) log_.warning("the event's scene waits: {}", obstacle->message);
  waits_ = obstacle ? obstacle->message : "";
  return obstacle.has_value();
}

void EventScenes::shown(const std::string& request,
                        const std::vector<RestartResult::Failure>& failed) {
  if (requested_ != request) return;
  fail(failed);
  if (request != kBase) return;
  // The window of a curtain may have been opened again, with another number.
  remove_curtains(desk_, [this](const Decoration& curtain, uint32_t /*window*/) {
    return !desk_.arrangement().is_blank(curtain);
  });
  // Undoing the event's steps would move windows of the base to where people had them during the
  // event.
  desk_.change(
      [this](Arrangement& arrangement) { arrangement.history().drop_after(steps_before_); });
  set_base(std::nullopt);
  requested_.reset();
}

void EventScenes::fail(std::vector<RestartResult::Failure> failed) {
  for (const RestartResult::Failure& failure : failed) {
    log_.warning("event or schedule: '{}' cannot be shown: {}", failure.title, failure.why);
  }
  failed_ = std::move(failed);
  changed_ = true;
}

void EventScenes::set_base(std::optional<SavedWall> base) {
  if (!base_) steps_before_ = desk_.arrangement().history().newest();
  base_ = std::move(base);
  std::set<uint32_t> numbers;
  if (base_) {
    for (const SavedWindow& window : base_->windows) numbers.insert(window.number);
  }
  scene_.keep_open(std::move(numbers));
}

}  // namespace manager
