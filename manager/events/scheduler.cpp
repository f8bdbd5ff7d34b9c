#include "manager/events/scheduler.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "manager/events/event_scenes.h"
#include "sail/core/base/private_file.h"
#include "sail/core/time/clock.h"

namespace manager {
namespace {

constexpr size_t kMostFileBytes = 2 * sail::kMaxScheduleBytes;

int64_t calendar_now_s() {
  return sail::calendar_now_ns() / sail::kSecondNs;
}

sail::Json occurrence_json(const sail::ScheduleEntry& entry, const sail::Occurrence& when) {
  const auto local = [&](int64_t at_s) { return sail::local_time_text(entry.zone.local_s(at_s)); };
  sail::Json json = {{"start_s", when.start_s}, {"start", local(when.start_s)}};
  if (entry.scene.empty()) return json;
  json["end_s"] = when.end_s;
  json["end"] = local(when.end_s);
  return json;
}

}  // namespace

Scheduler::Scheduler(EventScenes& scenes, const std::filesystem::path& state_folder,
                     RunVerb run_verb, const sail::Log& log)
    : scenes_(scenes),
      file_(state_folder.empty() ? "" : state_folder / "schedule.json"),
      run_verb_(std::move(run_verb)),
      log_(log) {
  if (!file_.empty()) load();
  if (!damage_.empty()) log_.error("{}", damage_);
}

void Scheduler::load() {
  const auto text = sail::read_file(file_, kMostFileBytes);
  if (!text && text.error().code == sail::ErrorCode::kNotFound) return;
  auto saved =
      text.and_then([](const auto& read) { return sail::parse_json(read, kMostFileBytes); })
          .and_then(sail::saved_schedule_from_json);
  if (saved) {
    run_.resume(std::move(saved->schedule), saved->progress, calendar_now_s());
    return;
  }
  const auto aside = sail::set_aside(file_);
  damage_ = fmt::format(
      "{}: {}: there is no schedule; {}. Add the entries again with `vitrail schedule add`",
      file_.string(), saved.error().message,
      aside ? "the file is kept as " + aside->string() : aside.error().message);
}

// --- changes

sail::Result<void> Scheduler::add(const sail::Schedule& entries) {
  auto schedule = run_.schedule().with(entries);
  if (!schedule) return schedule.error();
  return set(std::move(*schedule));
}

sail::Result<void> Scheduler::remove(const std::string& name) {
  const auto& entries = run_.schedule().all();
  if (std::ranges::find(entries, name, &sail::ScheduleEntry::name) == entries.end()) {
    return sail::fail(sail::ErrorCode::kNotFound,
                      fmt::format("the schedule has no entry '{}': `vitrail schedule ls`", name));
  }
  return set(run_.schedule().without({name}));
}

sail::Result<void> Scheduler::set(sail::Schedule schedule) {
  sail::ScheduleRun next = run_;
  next.set(std::move(schedule), calendar_now_s());
  if (auto saved = save(to_json(next)); !saved) return saved;
  run_ = std::move(next);
  (void)run_.take_changed();  // this state is already saved
  damage_.clear();
  std::erase_if(failures_, [this](const auto& failure) {
    return std::ranges::find(run_.schedule().all(), failure.first, &sail::ScheduleEntry::name) ==
           run_.schedule().all().end();
  });
  if (on_changed_) on_changed_();
  tick();
  return {};
}

sail::Result<void> Scheduler::save(const sail::Json& document) const {
  if (file_.empty()) return {};
  return sail::make_private_folder(file_.parent_path()).and_then([&] {
    return sail::write_private_file(file_, document.dump(1) + '\n');
  });
}

// --- time

void Scheduler::tick() {
  const int64_t now_s = calendar_now_s();
  const std::vector<const sail::ScheduleEntry*> due = run_.step(now_s);
  // Save before the verbs run, so that a manager that ends meanwhile does not run them again.
  if (run_.take_changed()) {
    if (const auto saved = save(to_json(run_)); !saved) {
      log_.error("cannot keep the progress of the schedule: {}", saved.error().message);
    }
    if (on_changed_) on_changed_();
  }
  for (const sail::ScheduleEntry* entry : due) run_verbs(*entry);
  const auto on = run_.on(now_s);
  scenes_.set_scheduled(on.empty()
                            ? std::nullopt
                            : std::optional(EventScenes::Scheduled{
                                  on[0].entry->name, on[0].entry->scene, on[0].entry->area}));
}

void Scheduler::run_verbs(const sail::ScheduleEntry& entry) {
  failures_.erase(entry.name);
  for (const sail::ScheduledVerb& verb : entry.verbs) {
    log_.info("schedule '{}': {}", entry.name, verb.verb);
    run_verb_(verb, [this, entry = entry.name, verb = verb.verb](const auto& answer) {
      if (answer) return;
      log_.warning("schedule '{}': {} failed: {}", entry, verb, answer.error().message);
      failures_.try_emplace(entry, fmt::format("{}: {}", verb, answer.error().message));
    });
  }
}

// --- for clients

std::string Scheduler::trouble() const {
  const auto& entries = run_.schedule().all();
  for (size_t i = 0; i < entries.size(); ++i) {
    if (!run_.next(i)) continue;
    const auto found = scenes_.target(entries[i].scene, entries[i].area);
    if (!found) {
      return fmt::format("'{}' of the schedule will not be shown: {}", entries[i].name,
                         found.error().message);
    }
  }
  return "";
}

sail::Json Scheduler::json() const {
  const auto on = run_.on(calendar_now_s());
  sail::Json list = sail::Json::array();
  const auto& entries = run_.schedule().all();
  for (size_t i = 0; i < entries.size(); ++i) {
    sail::Json entry = run_.schedule().json()[i];
    const auto now = std::ranges::find(on, &entries[i], &sail::Schedule::Coming::entry);
    if (now != on.end()) entry["on"] = occurrence_json(entries[i], now->when);
    if (const auto& next = run_.next(i)) entry["next"] = occurrence_json(entries[i], *next);
    const auto failure = failures_.find(entries[i].name);
    if (failure != failures_.end()) entry["failed"] = failure->second;
    list.push_back(std::move(entry));
  }
  sail::Json json = {{"entries", std::move(list)}, {"failed", failures_json(scenes_.failed())}};
  if (!on.empty()) json["shown"] = on[0].entry->name;
  return json;
}

sail::Json Scheduler::coming_json(size_t count) const {
  sail::Json list = sail::Json::array();
  for (const auto& coming : run_.schedule().coming(calendar_now_s(), count)) {
    sail::Json json = occurrence_json(*coming.entry, coming.when);
    json["name"] = coming.entry->name;
    json["zone"] = coming.entry->zone.name();
    if (!coming.entry->scene.empty()) json["scene"] = coming.entry->scene;
    list.push_back(std::move(json));
  }
  return {{"next", std::move(list)}};
}

}  // namespace manager
