// Which entries of a schedule have begun, and what is due. Times are seconds since 1970 UTC by the
// calendar clock, which may jump. Pure.
//
// - An occurrence begins once: verbs are not repeated when the clock is set back, unless it was
//   wrong by more than a day.
// - A scene is on while the clock is between its start and its end, and up to an hour before the
//   start if the clock was set back after the start.
// - After a jump forward, only the latest occurrence of each entry counts. It was missed if its
//   start is more than a minute ago.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sail/core/calendar/schedule.h"

namespace sail {

class ScheduleRun {
 public:
  // How far an entry has been carried out.
  struct Progress {
    int64_t until_s = 0;  // Occurrences that were due until this time have begun.
    int64_t end_s = 0;    // end of the last occurrence; 0: it is not shown
    bool operator==(const Progress&) const = default;
  };
  // Replaces the schedule. Entries that are the same as before keep their progress; the verbs of
  // new ones are not run for times before now_s.
  void set(Schedule schedule, int64_t now_s);
  // As set(), with the progress of an earlier manager by the names of the entries.
  void resume(Schedule schedule, const std::map<std::string, Progress>& progress, int64_t now_s);

  // Advances to this time. Returns the entries whose verbs are due, in the order of their starts.
  std::vector<const ScheduleEntry*> step(int64_t now_s);
  // Whether entries have begun since the last call: the progress must be kept.
  bool take_changed() { return std::exchange(changed_, false); }

  const Schedule& schedule() const { return schedule_; }
  // Returns the next occurrence of the entry with this index; empty: none.
  const std::optional<Occurrence>& next(size_t index) const { return states_[index].next; }
  // Returns the entries whose scene is on: first the one that is shown.
  std::vector<Schedule::Coming> on(int64_t now_s) const;
  std::map<std::string, Progress> progress() const;

 private:
  struct State {
    std::optional<Progress> progress{};
    std::optional<Occurrence> next{};
  };
  void find_next(size_t index, int64_t now_s);
  // Returns whether the entry's verbs are due.
  bool begin(size_t index, const Occurrence& when, int64_t now_s);

  Schedule schedule_;
  std::vector<State> states_;  // one for each entry, in their order
  int64_t last_s_ = 0;         // time of the last step
  bool changed_ = false;
};

// The schedule and its progress, for the next manager.
struct SavedSchedule {
  Schedule schedule{};
  std::map<std::string, ScheduleRun::Progress> progress{};
};
Json to_json(const ScheduleRun& run);
// kBadData, kInvalidParams: damaged.
Result<SavedSchedule> saved_schedule_from_json(const Json& document);

}  // namespace sail
