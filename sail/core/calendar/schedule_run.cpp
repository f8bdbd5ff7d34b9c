#include "sail/core/calendar/schedule_run.h"

#include <algorithm>
#include <functional>
#include <string_view>
#include <tuple>
#include <utility>

namespace sail {
namespace {

constexpr int64_t kMissedS = 60;
constexpr int64_t kSetBackS = 3600;
constexpr int64_t kClockWasWrongS = kDayS;
constexpr int64_t kLatestS = int64_t{1} << 40;

}  // namespace

void ScheduleRun::set(Schedule schedule, int64_t now_s) {
  std::map<std::string_view, size_t> former;
  for (size_t i = 0; i < states_.size(); ++i) former.emplace(schedule_.all()[i].name, i);
  std::map<std::string, Progress> kept;
  for (size_t i = 0; i < schedule.all().size(); ++i) {
    const ScheduleEntry& entry = schedule.all()[i];
    const auto found = former.find(entry.name);
    const bool same =
        found != former.end() && schedule.json()[i] == schedule_.json()[found->second];
    if (same && states_[found->second].progress) {
      kept.emplace(entry.name, *states_[found->second].progress);
    } else if (entry.scene.empty()) {
      kept.emplace(entry.name, Progress{.until_s = now_s});
    }
  }
  resume(std::move(schedule), kept, now_s);
  changed_ = true;
}

void ScheduleRun::resume(Schedule schedule, const std::map<std::string, Progress>& progress,
                         int64_t now_s) {
  schedule_ = std::move(schedule);
  states_.assign(schedule_.all().size(), {});
  last_s_ = now_s;
  for (size_t i = 0; i < states_.size(); ++i) {
    const auto found = progress.find(schedule_.all()[i].name);
    if (found != progress.end()) states_[i].progress = found->second;
    find_next(i, now_s);
  }
}

void ScheduleRun::find_next(size_t index, int64_t now_s) {
  State& state = states_[index];
  if (state.progress && state.progress->until_s - now_s > kClockWasWrongS) {
    state.progress = Progress{.until_s = now_s};
  }
  const ScheduleEntry& entry = schedule_.all()[index];
  state.next = entry.next(state.progress ? std::max(state.progress->until_s, now_s - kMaxScheduleS)
                                         : now_s - entry.length_s() - kSetBackS);
}

std::vector<const ScheduleEntry*> ScheduleRun::step(int64_t now_s) {
  const bool set_back = now_s < last_s_;
  last_s_ = now_s;
  std::vector<std::pair<int64_t, const ScheduleEntry*>> due;
  for (size_t i = 0; i < states_.size(); ++i) {
    State& state = states_[i];
    if (set_back) find_next(i, now_s);
    if (!state.next || state.next->start_s > now_s) continue;
    const ScheduleEntry& entry = schedule_.all()[i];
    const Occurrence last = entry.last(state.next->start_s - 1, now_s).value_or(*state.next);
    state.next = entry.next(now_s);
    if (begin(i, last, now_s)) due.emplace_back(last.start_s, &entry);
  }
  std::ranges::stable_sort(due, {}, [](const auto& one) { return one.first; });
  std::vector<const ScheduleEntry*> entries;
  for (const auto& [start_s, entry] : due) entries.push_back(entry);
  return entries;
}

bool ScheduleRun::begin(size_t index, const Occurrence& when, int64_t now_s) {
  const ScheduleEntry& entry = schedule_.all()[index];
  const bool counts = entry.catch_up || now_s - when.start_s <= kMissedS;
  const bool shows = counts && !entry.scene.empty();
  states_[index].progress = Progress{.until_s = when.start_s, .end_s = shows ? when.end_s : 0};
  changed_ = true;
  return counts && entry.scene.empty();
}

std::vector<Schedule::Coming> ScheduleRun::on(int64_t now_s) const {
  std::vector<Schedule::Coming> on;
  for (size_t i = 0; i < states_.size(); ++i) {
    const auto& progress = states_[i].progress;
    if (!progress || now_s >= progress->end_s || now_s < progress->until_s - kSetBackS) continue;
    on.push_back({&schedule_.all()[i], {progress->until_s, progress->end_s}});
  }
  std::ranges::stable_sort(on, std::greater(), [](const Schedule::Coming& one) {
    return std::tuple(one.entry->priority, one.when.start_s);
  });
  return on;
}

std::map<std::string, ScheduleRun::Progress> ScheduleRun::progress() const {
  std::map<std::string, Progress> progress;
  for (size_t i = 0; i < states_.size(); ++i) {
    if (states_[i].progress) progress.emplace(schedule_.all()[i].name, *states_[i].progress);
  }
  return progress;
}

Json to_json(const ScheduleRun& run) {
  Json progress = Json::object();
  for (const auto& [name, of_entry] : run.progress()) {
    progress[name] = {{"until_s", of_entry.until_s}, {"end_s", of_entry.end_s}};
  }
  return {{"entries", run.schedule().json()}, {"progress", std::move(progress)}};
}

Result<SavedSchedule> saved_schedule_from_json(const Json& document) {
  JsonFields fields(document, "schedule");
  const Json& entries = fields.array("entries", kMaxScheduleEntries);
  const Json& progress = fields.object("progress");
  if (auto error = fields.finish()) return *error;
  auto schedule = Schedule::read(entries);
  if (!schedule) return schedule.error();
  SavedSchedule saved{.schedule = std::move(*schedule)};
  for (const ScheduleEntry& entry : saved.schedule.all()) {
    const auto found = progress.find(entry.name);
    if (found == progress.end()) continue;
    JsonFields in(*found, "schedule: progress");
    const int64_t until_s = in.integer("until_s", 0, kLatestS);
    const int64_t end_s = in.integer("end_s", 0, kLatestS);
    if (auto error = in.finish()) return *error;
    saved.progress[entry.name] = {until_s, end_s};
  }
  return saved;
}

}  // namespace sail
