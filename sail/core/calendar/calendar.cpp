#include "sail/core/calendar/calendar.h"

#include <fmt/core.h>
#include <libical/ical.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <initializer_list>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "sail/core/text/text.h"

namespace sail {
namespace {

using std::chrono::day;
using std::chrono::month;
using std::chrono::sys_days;
using std::chrono::year;
using std::chrono::year_month_day;

constexpr size_t kMostZoneBytes = 64;
constexpr size_t kMostRuleBytes = 500;
constexpr int kMostCount = 500;  // A rule with COUNT is computed from its beginning.
constexpr int kMostInterval = 1000;
constexpr int kLastYear = 2199;

// Reads whole numbers between one-character separators: "2026-11-30" by "--".
template <size_t kCount>
std::optional<std::array<int, kCount>> numbers_of(std::string_view text, std::string_view between) {
  std::array<int, kCount> numbers{};
  constexpr size_t kYearDigits = 4;
  for (size_t i = 0; i < kCount; ++i) {
    const size_t digits = i == 0 ? kYearDigits : 2;
    if (text.size() < digits || text[0] < '0' || text[0] > '9') return std::nullopt;
    const auto read = std::from_chars(text.data(), text.data() + digits, numbers[i]);
    if (read.ec != std::errc() || read.ptr != text.data() + digits) return std::nullopt;
    text.remove_prefix(digits);
    if (i + 1 == kCount) break;
    if (text.empty() || text[0] != between[i]) return std::nullopt;
    text.remove_prefix(1);
  }
  return text.empty() ? std::optional(numbers) : std::nullopt;
}

std::optional<int64_t> day_s(int of_year, int of_month, int of_day) {
  const year_month_day date(year(of_year), month(static_cast<unsigned>(of_month)),
                            day(static_cast<unsigned>(of_day)));
  if (!date.ok() || of_year < 1970 || of_year > kLastYear) return std::nullopt;
  return sys_days(date).time_since_epoch().count() * kDayS;
}

icaltimetype to_ical(int64_t local_s) {
  const sys_days days{std::chrono::days(local_s / kDayS)};
  const year_month_day date(days);
  const auto of_day = static_cast<int>(local_s % kDayS);
  icaltimetype time = icaltime_null_time();
  time.year = static_cast<int>(date.year());
  time.month = static_cast<int>(static_cast<unsigned>(date.month()));
  time.day = static_cast<int>(static_cast<unsigned>(date.day()));
  time.hour = of_day / 3600;
  time.minute = of_day / 60 % 60;
  time.second = of_day % 60;
  return time;
}

// Empty: there is no time, or it is later than all that we compute.
std::optional<int64_t> from_ical(const icaltimetype& time) {
  if (icaltime_is_null_time(time) != 0) return std::nullopt;
  const auto date_s = day_s(time.year, time.month, time.day);
  if (!date_s) return std::nullopt;
  return *date_s + time.hour * 3600 + time.minute * 60 + time.second;
}

Error rule_mistake(const std::string& why) {
  return fail(ErrorCode::kInvalidParams, "'rule' " + why);
}

// Returns the value of "NAME=VALUE" in the rule; empty: there is none.
std::string part_of(const std::string& rule, std::string_view name) {
  const std::string text = ';' + rule;
  const size_t at = text.find(fmt::format(";{}=", name));
  if (at == std::string::npos) return "";
  const size_t begin = at + name.size() + 2;
  return text.substr(begin, text.find(';', begin) - begin);
}

// Whether some year has one of these months with one of these days.
bool has_possible_day(const icalrecurrencetype& rule) {
  constexpr int kDays[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (rule.by_month[0] == ICAL_RECURRENCE_ARRAY_MAX ||
      rule.by_month_day[0] == ICAL_RECURRENCE_ARRAY_MAX) {
    return true;
  }
  for (const short* of_month = rule.by_month; *of_month != ICAL_RECURRENCE_ARRAY_MAX; ++of_month) {
    if (*of_month < 1 || *of_month > 12) return false;
    for (const short* of_day = rule.by_month_day; *of_day != ICAL_RECURRENCE_ARRAY_MAX; ++of_day) {
      if (std::abs(*of_day) <= kDays[*of_month - 1]) return true;
    }
  }
  return false;
}

// Refuses combinations of parts that libical computes slowly or wrongly.
std::optional<Error> combination_refusal(const icalrecurrencetype& rule, const std::string& text) {
  const auto has = [&text](const char* part) { return !part_of(text, part).empty(); };
  const bool of_days = has("BYMONTHDAY");
  if (rule.freq == ICAL_DAILY_RECURRENCE) {
    if (of_days) return rule_mistake("must have FREQ=MONTHLY or YEARLY with BYMONTHDAY");
    if (rule.interval > 1 && (has("BYDAY") || has("BYMONTH"))) {
      return rule_mistake("must not have INTERVAL with FREQ=DAILY and BYDAY or BYMONTH");
    }
  }
  if (rule.freq == ICAL_YEARLY_RECURRENCE && of_days && (!has("BYMONTH") || has("BYDAY"))) {
    return rule_mistake("must have BYMONTH, and no BYDAY, with FREQ=YEARLY and BYMONTHDAY");
  }
  const std::string week = part_of(text, "WKST");
  if (!week.empty() && week != "MO" && week != "SU") {
    return rule_mistake("may have only MO or SU as WKST");
  }
  const std::string position = part_of(text, "BYSETPOS");
  if (!position.empty() && position != "1" && position != "-1") {
    return rule_mistake("may have only 1 or -1 as BYSETPOS");
  }
  if (!position.empty() && part_of(text, "BYHOUR").find(',') != std::string::npos) {
    return rule_mistake("must not have several hours with BYSETPOS");
  }
  return std::nullopt;
}

// Refuses what libical computes slowly or wrongly.
std::optional<Error> refusal_of(const icalrecurrencetype& rule, const std::string& text) {
  if (rule.freq == ICAL_NO_RECURRENCE) {
    return rule_mistake("must be a rule such as FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR");
  }
  if (rule.freq == ICAL_SECONDLY_RECURRENCE || rule.freq == ICAL_MINUTELY_RECURRENCE ||
      rule.freq == ICAL_HOURLY_RECURRENCE) {
    return rule_mistake("must have FREQ=DAILY, WEEKLY, MONTHLY or YEARLY (several hours: BYHOUR)");
  }
  for (const char* part : {"BYMINUTE", "BYSECOND", "BYWEEKNO", "BYYEARDAY", "RSCALE", "SKIP"}) {
    if (!part_of(text, part).empty()) return rule_mistake(fmt::format("must not have {}", part));
  }
  if (auto refusal = combination_refusal(rule, text)) return refusal;
  if (rule.count > kMostCount) {
    return rule_mistake(fmt::format("may have at most {} as COUNT: use UNTIL", kMostCount));
  }
  if (rule.interval > kMostInterval) {
    return rule_mistake(fmt::format("may have at most {} as INTERVAL", kMostInterval));
  }
  if (!has_possible_day(rule)) return rule_mistake("names a day that no month has");
  return std::nullopt;
}

// libical takes the wrong weeks if every nth week is wanted on Sundays only, weeks begin on
// Mondays, and the start is another day. Returns the first Sunday then, which means the same.
int64_t with_right_week(int64_t start_s, const icalrecurrencetype& rule, const std::string& text) {
  const bool is_wrong = rule.freq == ICAL_WEEKLY_RECURRENCE && rule.interval > 1 &&
                        part_of(text, "BYDAY") == "SU" && part_of(text, "WKST") != "SU";
  if (!is_wrong) return start_s;
  constexpr int64_t kWeek = 7, kEpochDay = 4;  // 1970 began on a Thursday.
  const int64_t weekday = (start_s / kDayS + kEpochDay) % kWeek;
  return start_s + (kWeek - weekday) % kWeek * kDayS;
}

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(), [](char letter) {
    return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
  });
  return text;
}

// Replaces an UNTIL in UTC by local time, because local times are compared with it.
std::string with_local_until(const std::string& rule, const TimeZone& zone) {
  const std::string until = part_of(rule, "UNTIL");
  if (!until.ends_with('Z')) return rule;
  const auto utc_s = from_ical(icaltime_from_string(until.c_str()));
  if (!utc_s) return rule;
  std::string local = rule;
  const std::string text = icaltime_as_ical_string(to_ical(zone.local_s(*utc_s)));
  return local.replace(local.find(until), until.size(), text);
}

}  // namespace

std::optional<int64_t> parse_day(const std::string& text) {
  const auto date = numbers_of<3>(text, "--");
  return date ? day_s((*date)[0], (*date)[1], (*date)[2]) : std::nullopt;
}

std::optional<int64_t> parse_local_time(const std::string& text) {
  constexpr size_t kMinuteBytes = std::string_view("2026-11-30T09:00").size();
  const auto time = numbers_of<6>(text.size() == kMinuteBytes ? text + ":00" : text, "--T::");
  if (!time) return std::nullopt;
  const auto [of_year, of_month, of_day, hour, minute, second] = *time;
  const auto date_s = day_s(of_year, of_month, of_day);
  if (!date_s || hour > 23 || minute > 59 || second > 59) return std::nullopt;
  return *date_s + hour * 3600 + minute * 60 + second;
}

std::string local_time_text(int64_t local_s) {
  const icaltimetype time = to_ical(local_s);
  std::string text = fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}", time.year, time.month, time.day,
                                 time.hour, time.minute);
  if (time.second != 0) text += fmt::format(":{:02}", time.second);
  return text;
}

Result<TimeZone> TimeZone::named(const std::string& name) {
  const bool is_name = !name.empty() && name.size() <= kMostZoneBytes && !name_mistake(name) &&
                       name.find("..") == std::string::npos && name[0] != '/';
  icaltimezone* zone = is_name ? icaltimezone_get_builtin_timezone(name.c_str()) : nullptr;
  if (zone != nullptr) return TimeZone(name, zone);
  return fail(ErrorCode::kInvalidParams,
              fmt::format("the time zone '{}' is unknown: give a name such as Europe/Berlin",
                          make_plain_text(name, kMostZoneBytes)));
}

int64_t TimeZone::offset_s(int64_t utc_s) const {
  icaltimetype time = to_ical(std::max<int64_t>(utc_s, 0));
  int is_daylight = 0;
  return icaltimezone_get_utc_offset_of_utc_time(static_cast<icaltimezone*>(zone_), &time,
                                                 &is_daylight);
}

int64_t TimeZone::utc_s(int64_t local_s) const {
  const int64_t before = offset_s(local_s - kDayS);
  const int64_t after = offset_s(local_s + kDayS);
  if (offset_s(local_s - before) == before) return local_s - before;
  if (offset_s(local_s - after) == after) return local_s - after;
  return local_s - before;  // The local time is in the gap.
}

Result<Recurrence> Recurrence::read(const std::string& rule, int64_t start_s,
                                    const TimeZone& zone) {
  if (rule.size() > kMostRuleBytes || !is_plain_text(rule)) {
    return rule_mistake(fmt::format("must have at most {} bytes", kMostRuleBytes));
  }
  Recurrence recurrence(with_local_until(upper(rule), zone), start_s);
  const icalrecurrencetype parsed = icalrecurrencetype_from_string(recurrence.rule_.c_str());
  if (auto refusal = refusal_of(parsed, recurrence.rule_)) return *refusal;
  recurrence.start_s_ = with_right_week(start_s, parsed, recurrence.rule_);
  recurrence.counts_ = parsed.count > 0;
  if (!recurrence.at_or_after(start_s)) {
    return rule_mistake("has no time at or after 'start'");
  }
  return recurrence;
}

std::optional<int64_t> Recurrence::at_or_after(int64_t from_s) const {
  const std::unique_ptr<icalrecur_iterator, void (*)(icalrecur_iterator*)> iterator(
      icalrecur_iterator_new(icalrecurrencetype_from_string(rule_.c_str()), to_ical(start_s_)),
      icalrecur_iterator_free);
  if (!iterator) return std::nullopt;
  if (!counts_ && from_s > start_s_) {
    icalrecur_iterator_set_start(iterator.get(), to_ical(from_s));
  }
  for (;;) {
    const auto time_s = from_ical(icalrecur_iterator_next(iterator.get()));
    if (!time_s || *time_s >= from_s) return time_s;
  }
}

}  // namespace sail
