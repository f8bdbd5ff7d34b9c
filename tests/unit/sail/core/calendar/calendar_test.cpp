#include "sail/core/calendar/calendar.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sail {
namespace {

int64_t local(const std::string& text) {
  return parse_local_time(text).value();
}

TimeZone berlin() {
  return *TimeZone::named("Europe/Berlin");
}

// Local times of the rule from this time on.
std::vector<std::string> times(const std::string& rule, const std::string& start,
                               const std::string& from, size_t count) {
  const auto recurrence = Recurrence::read(rule, local(start), berlin());
  EXPECT_TRUE(recurrence) << rule;
  std::vector<std::string> times;
  auto next = recurrence ? recurrence->at_or_after(local(from)) : std::nullopt;
  while (next && times.size() < count) {
    times.push_back(local_time_text(*next));
    next = recurrence->at_or_after(*next + 1);
  }
  return times;
}

TEST(Calendar, LocalTimesAreReadAndWritten) {
  EXPECT_EQ(local("1970-01-02T00:00"), kDayS);
  EXPECT_EQ(local_time_text(local("2028-02-29T23:59:58")), "2028-02-29T23:59:58");
  EXPECT_EQ(local_time_text(local("2026-11-30T09:05")), "2026-11-30T09:05");
  EXPECT_EQ(parse_day("2026-11-30"), local("2026-11-30T00:00"));
  for (const char* wrong : {"", "2026-11-30", "2026-11-30T24:00", "2026-13-01T00:00",
                            "2026-02-29T00:00", "2026-11-30T09:00Z", "2026-11-30 09:00",
                            "1969-12-31T00:00", "2200-01-01T00:00", "+026-11-30T09:00"}) {
    EXPECT_FALSE(parse_local_time(wrong)) << wrong;
  }
}

TEST(Calendar, UnknownZonesAreRefused) {
  for (const char* wrong : {"", "Mars/Base", "../../etc/passwd", "/etc/localtime", "Europe"}) {
    EXPECT_FALSE(TimeZone::named(wrong)) << wrong;
  }
  EXPECT_EQ(TimeZone::named("UTC")->utc_s(local("2026-07-01T12:00")), local("2026-07-01T12:00"));
  EXPECT_EQ(TimeZone::named("America/New_York")->utc_s(local("2026-07-01T12:00")),
            local("2026-07-01T16:00"));
}

TEST(Calendar, TimesInAGapAreLaterByItsLength) {
  const TimeZone zone = berlin();
  EXPECT_EQ(zone.utc_s(local("2026-03-29T01:59")), local("2026-03-29T00:59"));
  EXPECT_EQ(zone.utc_s(local("2026-03-29T02:00")), local("2026-03-29T01:00"));
  EXPECT_EQ(zone.utc_s(local("2026-03-29T02:30")), local("2026-03-29T01:30"));
  EXPECT_EQ(zone.utc_s(local("2026-03-29T03:00")), local("2026-03-29T01:00"));
  EXPECT_EQ(local_time_text(zone.local_s(local("2026-03-29T01:30"))), "2026-03-29T03:30");
  const TimeZone lord_howe = *TimeZone::named("Australia/Lord_Howe");  // The gap has 30 minutes.
  EXPECT_EQ(lord_howe.utc_s(local("2026-10-04T02:10")), local("2026-10-03T15:40"));
}

TEST(Calendar, OfARepeatedHourTheFirstCounts) {
  const TimeZone zone = berlin();
  EXPECT_EQ(zone.utc_s(local("2026-10-25T01:59")), local("2026-10-24T23:59"));
  EXPECT_EQ(zone.utc_s(local("2026-10-25T02:30")), local("2026-10-25T00:30"));
  EXPECT_EQ(zone.utc_s(local("2026-10-25T03:00")), local("2026-10-25T02:00"));
}

TEST(Calendar, RulesRepeat) {
  using testing::ElementsAre;
  EXPECT_THAT(times("FREQ=WEEKLY;BYDAY=MO,FR", "2026-11-01T09:00", "2026-11-27T09:00", 3),
              ElementsAre("2026-11-27T09:00", "2026-11-30T09:00", "2026-12-04T09:00"));
  EXPECT_THAT(times("freq=daily;interval=3", "2020-01-01T09:00", "2026-11-27T09:01", 2),
              ElementsAre("2026-11-28T09:00", "2026-12-01T09:00"));
  EXPECT_THAT(times("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "2026-01-01T09:00",
                    "2026-01-01T00:00", 2),
              ElementsAre("2026-01-30T09:00", "2026-02-27T09:00"));
  EXPECT_THAT(
      times("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", "2026-01-01T09:00", "2026-01-01T00:00", 2),
      ElementsAre("2028-02-29T09:00", "2032-02-29T09:00"));
  EXPECT_THAT(times("FREQ=DAILY;COUNT=3", "2026-11-30T09:00", "2026-12-01T10:00", 9),
              ElementsAre("2026-12-02T09:00"));
  EXPECT_THAT(times("FREQ=DAILY", "2026-03-28T02:30", "2026-03-28T00:00", 3),
              ElementsAre("2026-03-28T02:30", "2026-03-29T02:30", "2026-03-30T02:30"));
}

TEST(Calendar, UntilIsInUtcOrLocal) {
  using testing::ElementsAre;
  // 08:30 UTC is 09:30 in Berlin.
  EXPECT_THAT(times("FREQ=DAILY;UNTIL=20261201T083000Z", "2026-11-30T09:30", "2026-11-30T00:00", 9),
              ElementsAre("2026-11-30T09:30", "2026-12-01T09:30"));
  EXPECT_THAT(times("FREQ=DAILY;UNTIL=20261201T082959Z", "2026-11-30T09:30", "2026-11-30T00:00", 9),
              ElementsAre("2026-11-30T09:30"));
  EXPECT_THAT(times("FREQ=DAILY;UNTIL=20261201T093000", "2026-11-30T09:30", "2026-11-30T00:00", 9),
              ElementsAre("2026-11-30T09:30", "2026-12-01T09:30"));
}

TEST(Calendar, EverySecondSundayIsInTheWeekOfTheStart) {
  using testing::ElementsAre;
  EXPECT_THAT(times("FREQ=WEEKLY;INTERVAL=2;BYDAY=SU", "2026-11-03T09:00", "2026-11-30T00:00", 2),
              ElementsAre("2026-12-06T09:00", "2026-12-20T09:00"));
  EXPECT_THAT(
      times("FREQ=WEEKLY;INTERVAL=2;BYDAY=SU;COUNT=2", "2026-11-03T09:00", "2026-11-01T00:00", 9),
      ElementsAre("2026-11-08T09:00", "2026-11-22T09:00"));
}

TEST(Calendar, WrongAndSlowRulesAreRefused) {
  for (const char* wrong : {"",
                            "FOO=1",
                            "FREQ=DAILY;BYDAY=XX",
                            "FREQ=DAILY;COUNT=2;UNTIL=20270101",
                            "FREQ=DAILY;INTERVAL=0",
                            "FREQ=DAILY;INTERVAL=1001",
                            "FREQ=SECONDLY",
                            "FREQ=MINUTELY",
                            "FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30",
                            "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
                            "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=-30",
                            "FREQ=DAILY;COUNT=501",
                            "FREQ=DAILY;BYMINUTE=1,2",
                            "FREQ=MONTHLY;BYDAY=5FR;BYSETPOS=2",
                            "FREQ=YEARLY;BYWEEKNO=53",
                            "FREQ=DAILY;UNTIL=20200101T000000Z",
                            "FREQ=YEARLY;BYMONTHDAY=1,15",
                            "FREQ=DAILY;BYMONTHDAY=1,-1",
                            "FREQ=DAILY;INTERVAL=7;BYDAY=MO,TU",
                            "FREQ=YEARLY;INTERVAL=4;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO",
                            "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO;WKST=TU",
                            "FREQ=MONTHLY;BYDAY=MO,TU;BYHOUR=8,9;BYSETPOS=1"}) {
    const auto rule = Recurrence::read(wrong, local("2026-11-30T09:00"), berlin());
    EXPECT_FALSE(rule) << wrong;
    EXPECT_TRUE(rule || rule.error().code == ErrorCode::kInvalidParams) << wrong;
  }
  EXPECT_FALSE(Recurrence::read("FREQ=DAILY;" + std::string(500, 'A'), 0, berlin()));
}

}  // namespace
}  // namespace sail
