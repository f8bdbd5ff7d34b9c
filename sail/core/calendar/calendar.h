// Time zones and repetitions of the calendar (RFC 5545), by libical. A local time is what clocks
// show in a zone, as seconds since 1970-01-01T00:00 on the same clock. Not thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sail/core/base/result.h"

namespace sail {

constexpr int64_t kDayS = 86'400;

// Reads "2026-11-30T09:00" or "2026-11-30T09:00:30"; empty: it is not a time of 1970 to 2199.
std::optional<int64_t> parse_local_time(const std::string& text);
// Reads "2026-11-30" as the local time at which the day begins.
std::optional<int64_t> parse_day(const std::string& text);
// The inverse of parse_local_time(). Leaves out seconds that are 0.
std::string local_time_text(int64_t local_s);

class TimeZone {
 public:
  // A name of the IANA database, such as "Europe/Berlin". kInvalidParams: unknown.
  static Result<TimeZone> named(const std::string& name);

  const std::string& name() const { return name_; }
  // Converts seconds since 1970 UTC to local time.
  int64_t local_s(int64_t utc_s) const { return utc_s + offset_s(utc_s); }
  // Converts local time to seconds since 1970 UTC. When clocks are set back, a local time happens
  // twice: the first one counts. When clocks are set forward, a local time in the gap is later by
  // the length of the gap: 02:30 is 03:30 on that day.
  int64_t utc_s(int64_t local_s) const;

 private:
  TimeZone(std::string name, void* zone) : name_(std::move(name)), zone_(zone) {}
  int64_t offset_s(int64_t utc_s) const;

  std::string name_;
  void* zone_;  // icaltimezone of libical's own list, which lives as long as the process.
};

// A rule of repetition, such as "FREQ=WEEKLY;BYDAY=MO,TU". All times are local times of one zone.
class Recurrence {
 public:
  // The rule begins at start_s; UNTIL may be in UTC. kInvalidParams: damaged, without any time, or
  // of a kind that would take long to compute (manager/events/README.md).
  static Result<Recurrence> read(const std::string& rule, int64_t start_s, const TimeZone& zone);

  // Returns the first time of the rule at or after from_s; empty: there is none.
  std::optional<int64_t> at_or_after(int64_t from_s) const;

 private:
  Recurrence(std::string rule, int64_t start_s) : rule_(std::move(rule)), start_s_(start_s) {}

  std::string rule_;  // With UNTIL in local time.
  int64_t start_s_;
  bool counts_ = false;  // The rule has COUNT.
};

}  // namespace sail
