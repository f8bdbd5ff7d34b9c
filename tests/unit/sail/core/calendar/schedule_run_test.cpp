#include "sail/core/calendar/schedule_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sail {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

int64_t at(const std::string& text) {
  return *parse_local_time("2026-11-30T" + text);
}

Json scene(const std::string& name, const std::string& from, const std::string& to,
           const Json& more = Json::object()) {
  Json entry = {{"name", name},
                {"zone", "UTC"},
                {"start", "2026-11-30T" + from},
                {"end", "2026-11-30T" + to},
                {"rule", "FREQ=DAILY"},
                {"scene", name}};
  entry.update(more);
  return entry;
}

Json verb(const std::string& name, const std::string& when, const Json& more = Json::object()) {
  Json entry = {{"name", name},
                {"zone", "UTC"},
                {"start", "2026-11-01T" + when},
                {"rule", "FREQ=DAILY"},
                {"do", Json::array({{{"verb", "blank"}}})}};
  entry.update(more);
  return entry;
}

class ScheduleRunTest : public testing::Test {
 protected:
  void set(const std::vector<Json>& entries, int64_t now_s) {
    auto schedule = Schedule::read(entries);
    ASSERT_TRUE(schedule) << schedule.error().message;
    run.set(std::move(*schedule), now_s);
  }
  // Names of the entries whose verbs are due.
  std::vector<std::string> due(int64_t now_s) {
    std::vector<std::string> names;
    for (const ScheduleEntry* entry : run.step(now_s)) names.push_back(entry->name);
    return names;
  }
  std::vector<std::string> on(int64_t now_s) {
    EXPECT_THAT(due(now_s), IsEmpty());
    std::vector<std::string> names;
    for (const auto& one : run.on(now_s)) names.push_back(one.entry->name);
    return names;
  }
  void restart(int64_t now_s) {
    auto saved = saved_schedule_from_json(to_json(run));
    ASSERT_TRUE(saved) << saved.error().message;
    run = ScheduleRun();
    run.resume(std::move(saved->schedule), saved->progress, now_s);
  }

  ScheduleRun run;
};

TEST_F(ScheduleRunTest, ScenesAreOnFromStartToEnd) {
  set({scene("a", "09:00", "10:00")}, at("08:00"));
  EXPECT_THAT(on(at("08:59:59")), IsEmpty());
  EXPECT_THAT(on(at("09:00")), ElementsAre("a"));
  EXPECT_THAT(on(at("09:59:59")), ElementsAre("a"));
  EXPECT_THAT(on(at("10:00")), IsEmpty());
  EXPECT_THAT(on(at("09:30") + kDayS), ElementsAre("a"));
}

TEST_F(ScheduleRunTest, OverlappingScenesHaveAnOrder) {
  set({scene("long", "08:00", "18:00"), scene("low", "09:00", "11:00", {{"priority", -1}}),
       scene("high", "09:00", "10:00", {{"priority", 1}}), scene("later", "09:30", "12:00")},
      at("07:00"));
  EXPECT_THAT(on(at("09:40")), ElementsAre("high", "later", "long", "low"));
  EXPECT_THAT(on(at("10:30")), ElementsAre("later", "long", "low"));
  EXPECT_THAT(on(at("13:00")), ElementsAre("long"));
}

TEST_F(ScheduleRunTest, AnEntryAddedInTheMiddle) {
  set({scene("show", "09:00", "10:00"), scene("wait", "09:00", "10:00", {{"missed", "skip"}}),
       verb("run", "09:00")},
      at("09:30"));
  EXPECT_THAT(on(at("09:30")), ElementsAre("show"));
  EXPECT_THAT(due(at("09:00") + kDayS), ElementsAre("run"));
  EXPECT_THAT(on(at("09:30") + kDayS), ElementsAre("show", "wait"));
}

TEST_F(ScheduleRunTest, OtherEntriesStayAsTheyAre) {
  set({scene("a", "09:00", "10:00", {{"missed", "skip"}}), verb("v", "09:00")}, at("08:00"));
  EXPECT_THAT(due(at("09:00")), ElementsAre("v"));
  set({verb("v", "09:00"), scene("b", "09:00", "09:15"),
       scene("a", "09:00", "10:00", {{"missed", "skip"}})},
      at("09:10"));
  EXPECT_THAT(on(at("09:10")), ElementsAre("b", "a"));
}

TEST_F(ScheduleRunTest, VerbsRunOnceWhenTheClockJumps) {
  set({verb("v", "09:00")}, at("08:00"));
  EXPECT_THAT(due(at("09:00")), ElementsAre("v"));
  EXPECT_THAT(due(at("08:30")), IsEmpty());
  EXPECT_THAT(due(at("09:00")), IsEmpty()) << "set back after the start";
  EXPECT_THAT(due(at("12:00") + 3 * kDayS), ElementsAre("v")) << "only the latest of three days";
  EXPECT_THAT(due(at("12:00") + 2 * kDayS), IsEmpty());
  EXPECT_THAT(due(at("09:00") + 3 * kDayS), IsEmpty());
  EXPECT_THAT(due(at("09:00") + 4 * kDayS), ElementsAre("v"));
}

TEST_F(ScheduleRunTest, AClockThatWasWrongByMoreThanADayDoesNotCount) {
  set({verb("v", "09:00")}, at("08:00"));
  EXPECT_THAT(due(at("10:00") + 365 * kDayS), ElementsAre("v"));
  EXPECT_THAT(due(at("08:00")), IsEmpty());
  EXPECT_THAT(due(at("09:00")), ElementsAre("v"));
}

TEST_F(ScheduleRunTest, ScenesFollowAClockThatJumps) {
  set({scene("a", "09:00", "10:00")}, at("08:00"));
  EXPECT_THAT(on(at("09:00")), ElementsAre("a"));
  EXPECT_THAT(on(at("08:30")), ElementsAre("a")) << "does not begin twice";
  EXPECT_THAT(on(at("09:00")), ElementsAre("a"));
  EXPECT_THAT(on(at("07:00")), IsEmpty());
  EXPECT_THAT(on(at("12:00")), IsEmpty());
  EXPECT_THAT(on(at("09:30")), ElementsAre("a"));
  EXPECT_THAT(on(at("12:00") + 100 * kDayS), IsEmpty());
  EXPECT_THAT(on(at("09:30") + 100 * kDayS), ElementsAre("a"));
}

TEST_F(ScheduleRunTest, MissedStartsAreCaughtUpOrSkipped) {
  set({scene("catch", "09:00", "12:00"), scene("skip", "09:00", "12:00", {{"missed", "skip"}}),
       verb("later", "09:30"), verb("first", "09:15"),
       verb("never", "09:15", {{"missed", "skip"}})},
      at("08:00"));
  restart(at("10:00"));
  EXPECT_THAT(due(at("10:00")), ElementsAre("first", "later"));
  EXPECT_THAT(on(at("10:00")), ElementsAre("catch"));
}

TEST_F(ScheduleRunTest, ARestartInTheMiddleContinues) {
  set({scene("a", "09:00", "12:00", {{"missed", "skip"}}), verb("v", "09:00")}, at("08:00"));
  EXPECT_THAT(due(at("09:00")), ElementsAre("v"));
  EXPECT_TRUE(run.take_changed());
  restart(at("10:00"));
  EXPECT_THAT(on(at("10:00")), ElementsAre("a"));
  EXPECT_FALSE(run.take_changed());
  restart(at("12:30"));
  EXPECT_THAT(on(at("12:30")), IsEmpty());
}

TEST_F(ScheduleRunTest, DamagedFilesAreRefused) {
  for (const char* text :
       {"[]", "{}", R"({"entries":[],"progress":[]})", R"({"entries":[5],"progress":{}})"}) {
    EXPECT_FALSE(saved_schedule_from_json(Json::parse(text))) << text;
  }
  set({verb("v", "09:00")}, at("08:00"));
  Json damaged = to_json(run);
  damaged["progress"]["v"]["until_s"] = -1;
  EXPECT_FALSE(saved_schedule_from_json(damaged));
}

TEST_F(ScheduleRunTest, ManyEntriesTakeBoundedTime) {
  std::vector<Json> entries;
  for (size_t i = 0; i < kMaxScheduleEntries; ++i) {
    entries.push_back(scene(std::to_string(i), "09:00", "10:00",
                            {{"start", "2000-01-01T09:00"}, {"end", "2000-01-01T10:00"}}));
  }
  set(entries, at("08:00"));
  EXPECT_EQ(on(at("09:00")).size(), kMaxScheduleEntries);
  EXPECT_THAT(on(at("12:00") + 20 * kDayS), IsEmpty());
}

}  // namespace
}  // namespace sail
