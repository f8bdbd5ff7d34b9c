// What happens on a wall, derived from the state that clients follow.
#include "ui/hooks/wall_reports.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ui {
namespace {

using sail::Json;
using testing::ElementsAre;
using testing::IsEmpty;

// The words of the happenings.
std::vector<std::string> kinds_of(const std::vector<WallNews>& news) {
  std::vector<std::string> kinds;
  for (const WallNews& one : news) kinds.emplace_back(sail::kHappenings.word(one.happening));
  return kinds;
}

Json receiver_change(bool connected) {
  return {{"receivers", {{{"name", "node1"}, {"connected", connected}}}}};
}

Json wall_state() {
  Json state = receiver_change(true);
  state["windows"] = {{{"window", 1}, {"title", "film"}}};
  state["scene"] = {{"name", "talk"}, {"pending", false}};
  state["health"] = {{"state", "well"}, {"problems", Json::array()}};
  return state;
}

WallReports settled_reports() {
  WallReports reports;
  reports.reset(wall_state());
  EXPECT_THAT(reports.settle(), IsEmpty());
  return reports;
}

TEST(HookReports, ReceiversComeAndGo) {
  WallReports reports = settled_reports();
  const auto lost = reports.change(receiver_change(false));
  ASSERT_THAT(kinds_of(lost), ElementsAre("receiver_lost"));
  EXPECT_EQ(lost[0].facts, (Json{{"receiver", "node1"}}));
  EXPECT_EQ(lost[0].text, "receiver 'node1' is lost");
  EXPECT_THAT(reports.change(receiver_change(false)), IsEmpty());
  EXPECT_THAT(kinds_of(reports.change(receiver_change(true))), ElementsAre("receiver_back"));
}

TEST(HookReports, WindowsOpenLoseTheirStreamAndClose) {
  WallReports reports = settled_reports();
  Json window = {{"window", 2}, {"title", "camera"}};
  EXPECT_THAT(kinds_of(reports.change({{"windows", {window}}})), ElementsAre("window_opened"));
  window["lost"] = {{"why", "its program ended"}, {"since_s", 7}};
  const auto lost = reports.change({{"windows", {window}}});
  ASSERT_THAT(kinds_of(lost), ElementsAre("stream_lost"));
  EXPECT_EQ(lost[0].facts,
            (Json{{"window", 2}, {"title", "camera"}, {"why", "its program ended"}}));
  window.erase("lost");
  EXPECT_THAT(kinds_of(reports.change({{"windows", {window}}})), ElementsAre("stream_back"));
  window["playback"] = {{"silent_since_s", 9}};
  EXPECT_THAT(kinds_of(reports.change({{"windows", {window}}})), ElementsAre("stream_lost"));
  EXPECT_THAT(kinds_of(reports.change({{"removed", {2}}})), ElementsAre("window_closed"));
}

TEST(HookReports, ASceneIsReportedWhenItIsShown) {
  WallReports reports = settled_reports();
  EXPECT_THAT(reports.change({{"scene", {{"name", "night"}, {"pending", true}}}}), IsEmpty());
  const auto shown = reports.change({{"scene", {{"name", "night"}, {"pending", false}}}});
  ASSERT_THAT(kinds_of(shown), ElementsAre("scene"));
  EXPECT_EQ(shown[0].facts, (Json{{"scene", "night"}}));
  // The same scene again.
  EXPECT_THAT(reports.change({{"scene", {{"name", "night"}, {"pending", true}}}}), IsEmpty());
  EXPECT_THAT(kinds_of(reports.change({{"scene", {{"name", "night"}, {"pending", false}}}})),
              ElementsAre("scene"));
}

TEST(HookReports, EventsBeginAndEnd) {
  WallReports reports = settled_reports();
  const Json door = {{"event", "door"}, {"id", "north"}};
  const auto began = reports.change({{"events", {door}}});
  ASSERT_THAT(kinds_of(began), ElementsAre("event"));
  EXPECT_EQ(began[0].facts, (Json{{"event", "door"}, {"id", "north"}}));
  EXPECT_THAT(kinds_of(reports.change({{"events", {door, {{"event", "fire"}}}}})),
              ElementsAre("event"));
  EXPECT_THAT(kinds_of(reports.change({{"events", Json::array()}})),
              ElementsAre("event_over", "event_over"));
}

TEST(HookReports, OnlyBadProblemsAreAlarms) {
  WallReports reports = settled_reports();
  const Json slow = {{"state", "slow"}, {"cause", "link"}, {"sentence", "slow"}};
  const Json bad = {{"state", "bad"}, {"cause", "saving"}, {"sentence", "the disk is full"}};
  EXPECT_THAT(reports.change({{"health", {{"problems", {slow}}}}}), IsEmpty());
  const auto alarm = reports.change({{"health", {{"problems", {bad, slow}}}}});
  ASSERT_THAT(kinds_of(alarm), ElementsAre("alarm"));
  EXPECT_EQ(alarm[0].facts, (Json{{"cause", "saving"}, {"sentence", "the disk is full"}}));
  EXPECT_THAT(kinds_of(reports.change({{"health", {{"problems", Json::array()}}}})),
              ElementsAre("alarm_over"));
}

TEST(HookReports, TheFirstStateTellsOnlyWhatIsWrong) {
  WallReports reports;
  Json state = wall_state();
  state["receivers"] = {{{"name", "node1"}, {"connected", false}},
                        {{"name", "node2"}, {"connected", false}}};
  state["events"] = {{{"event", "door"}}};
  reports.reset(state);
  EXPECT_THAT(reports.change(receiver_change(true)), IsEmpty());
  const auto news = reports.settle();
  ASSERT_THAT(kinds_of(news), ElementsAre("receiver_lost"));
  EXPECT_EQ(news[0].facts, (Json{{"receiver", "node2"}}));
}

TEST(HookReports, ANewManagerReportsOnlyDifferences) {
  WallReports reports = settled_reports();
  EXPECT_THAT(kinds_of(reports.change({{"events", {{{"event", "door"}}}}})), ElementsAre("event"));
  // Peers return one by one, and windows get other numbers.
  Json state = wall_state();
  state["receivers"] = receiver_change(false)["receivers"];
  state["windows"] = {{{"window", 7}, {"title", "film"}}};
  reports.reset(state);
  EXPECT_THAT(reports.change(receiver_change(true)), IsEmpty());
  EXPECT_THAT(kinds_of(reports.settle()), ElementsAre("event_over"));
  EXPECT_THAT(kinds_of(reports.change({{"removed", {7}}})), ElementsAre("window_closed"));
}

TEST(HookReports, OddMessagesHarmNothing) {
  WallReports reports;
  reports.reset(Json::array());
  reports.settle();
  EXPECT_NO_THROW(reports.change({{"windows", 5},
                                  {"removed", "x"},
                                  {"receivers", {1, nullptr}},
                                  {"health", 7},
                                  {"events", 7}}));
}

}  // namespace
}  // namespace ui
