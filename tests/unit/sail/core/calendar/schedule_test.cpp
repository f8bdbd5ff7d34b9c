#include "sail/core/calendar/schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sail {
namespace {

using testing::HasSubstr;

const Json kOffice = {{"name", "office"},
                      {"zone", "Europe/Berlin"},
                      {"start", "2026-11-30T08:00"},
                      {"end", "2026-11-30T18:00"},
                      {"rule", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"},
                      {"scene", "day"}};

Json with(Json entry, const Json& changes) {
  entry.merge_patch(changes);
  return entry;
}

ScheduleEntry entry_of(const Json& json) {
  auto entry = read_schedule_entry(json, "entry");
  EXPECT_TRUE(entry) << (entry ? "" : entry.error().message);
  return *entry;
}

int64_t berlin_s(const std::string& text) {
  return TimeZone::named("Europe/Berlin")->utc_s(*parse_local_time(text));
}

// "START END" of the next times after this one, in Berlin.
std::vector<std::string> times_after(const ScheduleEntry& entry, const std::string& after,
                                     size_t count) {
  const TimeZone zone = *TimeZone::named("Europe/Berlin");
  std::vector<std::string> times;
  auto next = entry.next(berlin_s(after));
  while (next && times.size() < count) {
    times.push_back(local_time_text(zone.local_s(next->start_s)) + ' ' +
                    local_time_text(zone.local_s(next->end_s)));
    next = entry.next(next->start_s);
  }
  return times;
}

std::string mistake_of(const Json& json) {
  const auto entry = read_schedule_entry(json, "entry");
  return entry ? "" : entry.error().message;
}

TEST(ScheduleEntry, RepeatsExceptOnSomeDays) {
  const ScheduleEntry entry =
      entry_of(with(kOffice, {{"except", {"2026-12-02", "2026-12-04T08:00", "2026-12-07T09:00"}}}));
  EXPECT_THAT(
      times_after(entry, "2026-11-30T08:00", 3),
      testing::ElementsAre("2026-12-01T08:00 2026-12-01T18:00", "2026-12-03T08:00 2026-12-03T18:00",
                           "2026-12-07T08:00 2026-12-07T18:00"));
}

TEST(ScheduleEntry, BeginsOnceWithoutARule) {
  const ScheduleEntry entry = entry_of(with(kOffice, {{"rule", nullptr}}));
  EXPECT_THAT(times_after(entry, "2026-01-01T00:00", 9),
              testing::ElementsAre("2026-11-30T08:00 2026-11-30T18:00"));
}

// 02:30 does not exist on 29 March, and happens twice on 25 October.
TEST(ScheduleEntry, RunsOnceADayWhenClocksChange) {
  const ScheduleEntry entry = entry_of({{"name", "night"},
                                        {"zone", "Europe/Berlin"},
                                        {"start", "2026-01-01T02:30"},
                                        {"end", "2026-01-01T06:00"},
                                        {"rule", "FREQ=DAILY"},
                                        {"scene", "night"}});
  EXPECT_THAT(
      times_after(entry, "2026-03-28T00:00", 3),
      testing::ElementsAre("2026-03-28T02:30 2026-03-28T06:00", "2026-03-29T03:30 2026-03-29T06:00",
                           "2026-03-30T02:30 2026-03-30T06:00"));
  EXPECT_THAT(times_after(entry, "2026-10-24T12:00", 2),
              testing::ElementsAre("2026-10-25T02:30 2026-10-25T06:00",
                                   "2026-10-26T02:30 2026-10-26T06:00"));
  EXPECT_EQ(entry.next(berlin_s("2026-10-24T12:00"))->start_s,
            *parse_local_time("2026-10-25T00:30"))
      << "the first 02:30 counts";
}

TEST(ScheduleEntry, TimesInAGapKeepTheirOrder) {
  const ScheduleEntry entry = entry_of({{"name", "hours"},
                                        {"zone", "Europe/Berlin"},
                                        {"start", "2026-01-01T02:30"},
                                        {"rule", "FREQ=DAILY;BYHOUR=2,3"},
                                        {"do", Json::array({{{"verb", "blank"}}})}});
  EXPECT_THAT(times_after(entry, "2026-03-29T00:00", 2),
              testing::ElementsAre("2026-03-29T03:30 2026-03-29T03:30",
                                   "2026-03-30T02:30 2026-03-30T02:30"))
      << "02:30 and 03:30 are one time";
}

TEST(ScheduleEntry, DurationsAreElapsedTime) {
  const ScheduleEntry entry = entry_of(with(kOffice, {{"start", "2026-03-28T20:00"},
                                                      {"end", nullptr},
                                                      {"duration_s", 36000},
                                                      {"rule", "FREQ=DAILY"}}));
  EXPECT_THAT(times_after(entry, "2026-03-28T00:00", 2),
              testing::ElementsAre("2026-03-28T20:00 2026-03-29T07:00",
                                   "2026-03-29T20:00 2026-03-30T06:00"));
}

TEST(ScheduleEntry, TheLastTimeIsFound) {
  const ScheduleEntry entry = entry_of(kOffice);
  const auto last = [&](const char* after, const char* now) {
    const auto found = entry.last(berlin_s(after), berlin_s(now));
    return found ? local_time_text(entry.zone.local_s(found->start_s)) : "";
  };
  EXPECT_EQ(last("2026-12-01T09:00", "2026-12-10T07:00"), "2026-12-09T08:00");
  EXPECT_EQ(last("2026-12-01T09:00", "2026-12-07T07:00"), "2026-12-04T08:00");
  EXPECT_EQ(last("2026-12-04T09:00", "2026-12-07T07:00"), "");
}

TEST(ScheduleEntry, MistakesAreNamed) {
  EXPECT_THAT(
      mistake_of(with(kOffice, {{"zone", "Mars/Base"}, {"prority", 3}})),
      testing::AllOf(HasSubstr("'Mars/Base' is unknown"), HasSubstr("did you mean 'priority'?")));
  EXPECT_THAT(mistake_of(with(kOffice, {{"zone", nullptr}})), HasSubstr("'zone' is missing"));
  EXPECT_THAT(mistake_of(with(kOffice, {{"start", "8:00"}})), HasSubstr("'start' must be a local"));
  EXPECT_THAT(mistake_of(with(kOffice, {{"end", "2026-11-30T08:00"}})), HasSubstr("later than"));
  EXPECT_THAT(mistake_of(with(kOffice, {{"end", "2027-11-30T08:00"}})), HasSubstr("31 days"));
  EXPECT_THAT(mistake_of(with(kOffice, {{"end", nullptr}})), HasSubstr("'duration_s' is required"));
  EXPECT_THAT(mistake_of(with(kOffice, {{"scene", nullptr}})), HasSubstr("'do' is required"));
  EXPECT_THAT(mistake_of(with(kOffice, {{"rule", "FREQ=HOURLY"}})), HasSubstr("BYHOUR"));
  EXPECT_THAT(mistake_of(with(kOffice, {{"missed", "later"}})), HasSubstr("catch_up or skip"));
  EXPECT_THAT(mistake_of(with(kOffice, {{"except", {"Christmas"}}})), HasSubstr("'except' must"));
  EXPECT_THAT(mistake_of(with(kOffice, {{"do", Json::array({{{"verb", 5}}})}, {"scene", nullptr}})),
              HasSubstr("do[0]"));
}

TEST(Schedule, IsAListOfEntries) {
  EXPECT_FALSE(Schedule::read(Json::object()));
  EXPECT_FALSE(Schedule::read(Json::array({kOffice, kOffice}))) << "one name twice";
  EXPECT_FALSE(Schedule::read(Json(kMaxScheduleEntries + 1, kOffice)));
  const Json list = Json::array({kOffice, with(kOffice, {{"name", "late"}, {"priority", 2}})});
  EXPECT_EQ(Schedule::read(list)->json(), list);
}

TEST(Schedule, EntriesAreReplacedByName) {
  const Json office = with(kOffice, {{"priority", 2}});
  const Json lunch = with(kOffice, {{"name", "lunch"}});
  const auto schedule =
      Schedule::read(Json::array({kOffice, lunch}))->with(*Schedule::read(Json::array({office})));
  ASSERT_TRUE(schedule);
  EXPECT_EQ(schedule->json(), Json::array({lunch, office}));
  EXPECT_EQ(schedule->all().back().priority, 2);
  EXPECT_EQ(schedule->without({"lunch", "none"}).json(), Json::array({office}));
}

TEST(Schedule, HasAtMostSoManyEntries) {
  Json full = Json::array();
  for (size_t i = 0; i < kMaxScheduleEntries; ++i) {
    full.push_back(Json{{"name", std::to_string(i)},
                        {"zone", "UTC"},
                        {"start", "2026-11-30T09:00"},
                        {"do", {{{"verb", "blank"}}}}});
  }
  const auto schedule = Schedule::read(full);
  ASSERT_TRUE(schedule);
  EXPECT_EQ(schedule->with(*Schedule::read(Json::array({kOffice}))).error().code,
            ErrorCode::kLimit);
  EXPECT_TRUE(schedule->with(*Schedule::read(Json::array({full[0]}))));
}

TEST(Schedule, ComingTimesAreInOrder) {
  const auto schedule =
      Schedule::read(Json::array({kOffice, with(kOffice, {{"name", "lunch"},
                                                          {"start", "2026-11-30T12:00"},
                                                          {"end", "2026-11-30T13:00"},
                                                          {"rule", "FREQ=DAILY;COUNT=2"}})}));
  ASSERT_TRUE(schedule);
  std::vector<std::string> names;
  for (const auto& coming : schedule->coming(berlin_s("2026-11-30T09:00"), 4)) {
    names.push_back(coming.entry->name);
  }
  EXPECT_THAT(names, testing::ElementsAre("lunch", "office", "lunch", "office"));
}

}  // namespace
}  // namespace sail
