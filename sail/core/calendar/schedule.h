// What a wall shows or does at times of the calendar (manager/events/README.md). Times are seconds
// since 1970 UTC unless they are called local. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sail/core/base/result.h"
#include "sail/core/calendar/calendar.h"
#include "sail/core/text/json.h"

namespace sail {

constexpr size_t kMaxScheduleEntries = 1000;
constexpr size_t kMaxScheduleBytes = 512 << 10;
constexpr size_t kMaxScheduleExceptions = 366;  // of one entry
constexpr size_t kMaxScheduleVerbs = 16;        // of one entry
// The longest time of an entry, and how long ago a missed start may be that is caught up.
constexpr int64_t kMaxScheduleS = 31 * kDayS;
// The name of the schedule among the documents for the standby (sail/core/wire/standby.h).
constexpr const char* kKeptSchedule = "schedule";

// A verb of manager/COMMANDS.md.
struct ScheduledVerb {
  std::string verb;
  Json params = Json::object();
};

// One time at which an entry begins. Without a scene, it ends at once.
struct Occurrence {
  int64_t start_s = 0;
  int64_t end_s = 0;
  bool operator==(const Occurrence&) const = default;
};

struct ScheduleEntry {
  std::string name;
  std::string scene{};  // The saved session that is shown; empty: the entry has verbs.
  std::string area{};   // A tile or a partition; empty: the whole wall.
  std::vector<ScheduledVerb> verbs{};
  int priority = 0;      // of several scenes at one time, that of the highest priority is shown
  bool catch_up = true;  // a missed start is caught up
  TimeZone zone;
  int64_t start_local_s = 0;
  int64_t end_local_s = 0;  // end of the first time; 0: see duration_s
  int64_t duration_s = 0;
  std::optional<Recurrence> rule{};  // Empty: the entry begins once.
  std::vector<int64_t> except_local_s{};
  std::vector<int64_t> except_days{};  // Local times at which a day begins.

  // The first time that begins after this time; empty: none.
  std::optional<Occurrence> next(int64_t after_s) const;
  // The last time that begins after `after_s`, and within kMaxScheduleS before now_s; empty: none.
  std::optional<Occurrence> last(int64_t after_s, int64_t now_s) const;
  // How long one time lasts, by the clock.
  int64_t length_s() const { return end_local_s > 0 ? end_local_s - start_local_s : duration_s; }

 private:
  bool is_excepted(int64_t local_s) const;
  std::optional<int64_t> next_local_s(int64_t from_local_s) const;
  Occurrence at(int64_t local_s) const;
};

// Reports all mistakes, one per line. where: prefix of the messages.
Result<ScheduleEntry> read_schedule_entry(const Json& object, const std::string& where);

class Schedule {
 public:
  // Reports the mistakes of the first entry that has some, one per line: a rule without any time
  // takes up to a second to compute. Two entries of one name are a mistake.
  static Result<Schedule> read(const Json& list);
  // Reads a JSON file.
  static Result<Schedule> load(const std::string& path);

  const std::vector<ScheduleEntry>& all() const { return entries_; }
  // The entries as they were read.
  const Json& json() const { return json_; }

  // Returns this schedule with these entries, each in place of the one of its name. kLimit: too
  // many, or too large.
  Result<Schedule> with(const Schedule& added) const;
  // Returns this schedule without the entries of these names.
  Schedule without(const std::set<std::string_view>& names) const;

  struct Coming {
    const ScheduleEntry* entry;
    Occurrence when;
  };
  // The next times that begin after this time, in their order.
  std::vector<Coming> coming(int64_t after_s, size_t count) const;

 private:
  std::vector<ScheduleEntry> entries_;
  Json json_ = Json::array();
};

}  // namespace sail
