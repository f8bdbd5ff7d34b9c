#include "sail/core/calendar/schedule.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <set>
#include <utility>

#include "sail/core/base/private_file.h"
#include "sail/core/text/limits.h"
#include "sail/core/wall/node_places.h"

namespace sail {
namespace {

constexpr int kMostSchedulePriority = 1000;
constexpr size_t kMostTextBytes = 500;
constexpr int64_t kLongestGapS = 3 * 3600;  // Zones set their clocks forward by less.

std::string filled(JsonFields& fields, const char* name) {
  std::string text = fields.string(name, kMaxNameLength);
  if (text.empty() && fields.has(name)) fields.mistake(name, "must not be empty");
  return text;
}

int64_t read_local_time(JsonFields& fields, const char* name) {
  const auto local_s = parse_local_time(fields.string(name, kMostTextBytes));
  if (!local_s && fields.has(name)) {
    fields.mistake(name, "must be a local time such as 2026-11-30T09:00");
  }
  return local_s.value_or(0);
}

// Reads when an occurrence ends.
void read_end(JsonFields& fields, ScheduleEntry& entry) {
  const bool has_end = fields.has("end");
  if (has_end) entry.end_local_s = read_local_time(fields, "end");
  entry.duration_s =
      std::llround(fields.number_or("duration_s", 1, static_cast<double>(kMaxScheduleS), 0));
  const bool has_duration = fields.has("duration_s");
  if (!fields.has("scene")) {
    if (has_end) fields.mistake("end", "needs 'scene'");
    if (has_duration) fields.mistake("duration_s", "needs 'scene'");
    return;
  }
  if (has_end == has_duration) {
    fields.mistake("end", "or 'duration_s' is required with 'scene': give one of them");
  } else if (has_end && entry.end_local_s <= entry.start_local_s) {
    fields.mistake("end", "must be later than 'start'");
  } else if (has_end && entry.end_local_s - entry.start_local_s > kMaxScheduleS) {
    fields.mistake("end", "must not be later than 31 days after 'start'");
  }
}

void read_except(JsonFields& fields, ScheduleEntry& entry) {
  if (!fields.has("except")) return;
  for (const Json& item : fields.array("except", kMaxScheduleExceptions)) {
    const auto* text = item.get_ptr<const std::string*>();
    if (const auto start_s = text != nullptr ? parse_day(*text) : std::nullopt) {
      entry.except_days.push_back(*start_s);
    } else if (const auto local_s = text != nullptr ? parse_local_time(*text) : std::nullopt) {
      entry.except_local_s.push_back(*local_s);
    } else {
      fields.mistake("except", "must contain days and times such as 2026-12-24");
      return;
    }
  }
}

Result<ScheduledVerb> read_verb(const Json& item, const std::string& where) {
  JsonFields fields(item, where, JsonFields::Report::kAll);
  ScheduledVerb verb;
  verb.verb = fields.string("verb", kMaxMethodLength);
  if (fields.has("params")) verb.params = fields.object("params");
  if (auto error = fields.finish()) return *error;
  return verb;
}

void read_verbs(JsonFields& fields, ScheduleEntry& entry, Mistakes& mistakes) {
  if (!fields.has("do")) return;
  const Json& list = fields.array("do", kMaxScheduleVerbs);
  if (list.empty()) fields.mistake("do", "must name at least one verb");
  for (size_t i = 0; i < list.size(); ++i) {
    const std::string where = fmt::format("{}: do[{}]", fields.where(), i);
    if (auto verb = mistakes.take(read_verb(list[i], where))) {
      entry.verbs.push_back(std::move(*verb));
    }
  }
}

// Reads what the entry does.
void read_deed(JsonFields& fields, ScheduleEntry& entry, Mistakes& mistakes) {
  if (fields.has("scene")) entry.scene = filled(fields, "scene");
  if (fields.has("area")) entry.area = filled(fields, "area");
  read_verbs(fields, entry, mistakes);
  if (fields.has("scene") == fields.has("do")) {
    fields.mistake("scene", "or 'do' is required: give one of them");
  }
  if (fields.has("area") && !fields.has("scene")) fields.mistake("area", "needs 'scene'");
  entry.priority = static_cast<int>(
      fields.integer_or("priority", -kMostSchedulePriority, kMostSchedulePriority, 0));
  const std::string missed = fields.string_or("missed", kMaxNameLength, "catch_up");
  entry.catch_up = missed == "catch_up";
  if (!entry.catch_up && missed != "skip") fields.mistake("missed", "must be catch_up or skip");
}

}  // namespace

Result<ScheduleEntry> read_schedule_entry(const Json& object, const std::string& where) {
  JsonFields fields(object, where, JsonFields::Report::kAll);
  Mistakes mistakes;
  auto zone = TimeZone::named(fields.string("zone", kMaxNameLength));
  if (!zone && fields.has("zone")) mistakes.add(where + ": " + zone.error().message);
  const bool has_zone = zone.has_value();
  if (!has_zone) zone = TimeZone::named("UTC");
  if (!zone) return zone.error();
  ScheduleEntry entry{.name = filled(fields, "name"), .zone = std::move(*zone)};
  entry.start_local_s = read_local_time(fields, "start");
  read_end(fields, entry);
  read_except(fields, entry);
  read_deed(fields, entry, mistakes);
  const std::string rule = fields.string_or("rule", kMostTextBytes, "");
  if (auto error = fields.finish()) mistakes.add(*error);
  if (!rule.empty() && !mistakes.error()) {
    auto recurrence = Recurrence::read(rule, entry.start_local_s, entry.zone);
    if (!recurrence) mistakes.add(where + ": " + recurrence.error().message);
    if (recurrence) entry.rule = std::move(*recurrence);
  }
  if (mistakes.error()) return *mistakes.error();
  return entry;
}

bool ScheduleEntry::is_excepted(int64_t local_s) const {
  return std::ranges::find(except_local_s, local_s) != except_local_s.end() ||
         std::ranges::find(except_days, local_s - local_s % kDayS) != except_days.end();
}

std::optional<int64_t> ScheduleEntry::next_local_s(int64_t from_local_s) const {
  for (;;) {
    std::optional<int64_t> local_s;
    if (rule) {
      local_s = rule->at_or_after(from_local_s);
    } else if (start_local_s >= from_local_s) {
      local_s = start_local_s;
    }
    if (!local_s || !is_excepted(*local_s)) return local_s;
    from_local_s = *local_s + 1;
  }
}

Occurrence ScheduleEntry::at(int64_t local_s) const {
  Occurrence when{.start_s = zone.utc_s(local_s)};
  when.end_s = when.start_s + duration_s;
  if (end_local_s == 0) return when;
  when.end_s = zone.utc_s(local_s + length_s());
  // The start may fall into a gap of the clock.
  if (when.end_s <= when.start_s) when.end_s = when.start_s + length_s();
  return when;
}

std::optional<Occurrence> ScheduleEntry::next(int64_t after_s) const {
  // Around a change of the clock, an earlier local time may be a later time.
  std::optional<Occurrence> next;
  int64_t from_local_s = std::max<int64_t>(zone.local_s(after_s) - kLongestGapS, 0);
  while (const auto local_s = next_local_s(from_local_s)) {
    if (next && *local_s > zone.local_s(next->start_s) + kLongestGapS) break;
    const Occurrence when = at(*local_s);
    if (when.start_s > after_s && (!next || when.start_s < next->start_s)) next = when;
    from_local_s = *local_s + 1;
  }
  return next;
}

std::optional<Occurrence> ScheduleEntry::last(int64_t after_s, int64_t now_s) const {
  for (const int64_t window_s : {kDayS, 7 * kDayS, kMaxScheduleS}) {
    std::optional<Occurrence> last;
    auto when = next(std::max(after_s, now_s - window_s));
    while (when && when->start_s <= now_s) {
      last = when;
      when = next(last->start_s);
    }
    if (last || now_s - window_s <= after_s) return last;
  }
  return std::nullopt;
}

Result<Schedule> Schedule::read(const Json& list) {
  if (!list.is_array() || list.size() > kMaxScheduleEntries) {
    return fail(ErrorCode::kInvalidParams,
                fmt::format("entries: must be a list of at most {} entries", kMaxScheduleEntries));
  }
  Schedule schedule;
  Mistakes mistakes;
  std::set<std::string> names;
  for (size_t i = 0; i < list.size(); ++i) {
    const std::string where = fmt::format("entries[{}]", i);
    auto entry = mistakes.take(read_schedule_entry(list[i], where));
    if (!entry) break;
    if (!names.insert(entry->name).second) {
      mistakes.add(fmt::format("{}: another entry has the name '{}'", where, entry->name));
    }
    schedule.entries_.push_back(std::move(*entry));
  }
  if (mistakes.error()) return *mistakes.error();
  schedule.json_ = list;
  return schedule;
}

Result<Schedule> Schedule::load(const std::string& path) {
  const auto text = read_file(path, kMaxScheduleBytes);
  if (!text) return text.error();
  auto schedule = parse_json(*text, kMaxScheduleBytes).and_then(read);
  if (schedule) return schedule;
  return fail(schedule.error().code, fmt::format("{}: {}", path, schedule.error().message));
}

Result<Schedule> Schedule::with(const Schedule& added) const {
  std::set<std::string_view> names;
  for (const ScheduleEntry& entry : added.entries_) names.insert(entry.name);
  Schedule schedule = without(names);
  schedule.entries_.insert(schedule.entries_.end(), added.entries_.begin(), added.entries_.end());
  schedule.json_.insert(schedule.json_.end(), added.json_.begin(), added.json_.end());
  if (schedule.entries_.size() <= kMaxScheduleEntries &&
      schedule.json_.dump().size() <= kMaxScheduleBytes) {
    return schedule;
  }
  return fail(ErrorCode::kLimit,
              fmt::format("the schedule can have at most {} entries and {} KiB: remove some",
                          kMaxScheduleEntries, kMaxScheduleBytes >> 10));
}

Schedule Schedule::without(const std::set<std::string_view>& names) const {
  Schedule schedule;
  for (size_t i = 0; i < entries_.size(); ++i) {
    if (names.contains(entries_[i].name)) continue;
    schedule.entries_.push_back(entries_[i]);
    schedule.json_.push_back(json_[i]);
  }
  return schedule;
}

std::vector<Schedule::Coming> Schedule::coming(int64_t after_s, size_t count) const {
  std::vector<Coming> heads;
  for (const ScheduleEntry& entry : entries_) {
    if (const auto when = entry.next(after_s)) heads.push_back({&entry, *when});
  }
  std::vector<Coming> coming;
  while (coming.size() < count && !heads.empty()) {
    const auto first =
        std::ranges::min_element(heads, {}, [](const Coming& head) { return head.when.start_s; });
    coming.push_back(*first);
    if (const auto when = first->entry->next(first->when.start_s)) {
      first->when = *when;
    } else {
      heads.erase(first);
    }
  }
  return coming;
}

}  // namespace sail
