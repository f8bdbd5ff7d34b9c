#include "manager/events/active_events.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sail/core/text/limits.h"

namespace manager {
namespace {

using ::testing::ElementsAre;

ActiveEvent event_of(const std::string& name, int priority, int64_t began_ms,
                     const std::string& id = "") {
  ActiveEvent event;
  event.rule = {.event = name, .scene = "scene of " + name, .priority = priority};
  event.id = id;
  event.began_ms = began_ms;
  return event;
}

std::string shown(const ActiveEvents& events) {
  return events.shown().empty() ? "the wall" : events.shown().back()->name();
}

std::vector<std::string> names(const ActiveEvents& events) {
  std::vector<std::string> names;
  for (const ActiveEvent& event : events.all()) names.push_back(event.name());
  return names;
}

TEST(ActiveEvents, TheHighestPriorityIsShownThenTheNewest) {
  ActiveEvents events;
  EXPECT_EQ(shown(events), "the wall");
  EXPECT_TRUE(*events.start(event_of("low", 1, 0)));
  EXPECT_TRUE(*events.start(event_of("high", 5, 1)));
  EXPECT_TRUE(*events.start(event_of("low too", 1, 2)));
  EXPECT_EQ(shown(events), "high");
  EXPECT_TRUE(events.clear("high", {}, 3));
  EXPECT_EQ(shown(events), "low too");
}

TEST(ActiveEvents, EventsWithoutASceneAreShownAboveTheScene) {
  const auto labels = [](const std::string& name, int priority, int64_t began_ms) {
    ActiveEvent event = event_of(name, priority, began_ms);
    event.rule.scene.clear();
    event.rule.actions = {{.window = "Gate", .label = "Open"}};
    return event;
  };
  ActiveEvents events;
  EXPECT_TRUE(*events.start(labels("below", 0, 0)));
  EXPECT_TRUE(*events.start(labels("above", 3, 1)));
  EXPECT_TRUE(*events.start(event_of("low", 1, 2)));
  EXPECT_TRUE(*events.start(event_of("scene", 2, 3)));
  EXPECT_TRUE(*events.start(labels("same", 2, 4)));
  ActiveEvent camera = event_of("camera", 9, 5);
  camera.rule.scene.clear();
  EXPECT_TRUE(*events.start(camera));
  const auto shown_names = [&] {
    std::vector<std::string> names;
    for (const ActiveEvent* event : events.shown()) names.push_back(event->name());
    return names;
  };
  EXPECT_THAT(shown_names(), ElementsAre("scene", "same", "above"));
  EXPECT_TRUE(events.clear("scene", {}, 6));
  EXPECT_THAT(shown_names(), ElementsAre("low", "same", "above"));
  EXPECT_TRUE(events.clear("low", {}, 6));
  EXPECT_THAT(shown_names(), ElementsAre("below", "same", "above"));
}

// Whatever the order in which three events begin and end, the best of those that are active is
// shown, and in the end the wall.
TEST(ActiveEvents, OverlapInAllOrders) {
  const std::vector<ActiveEvent> kinds = {event_of("a", 1, 0), event_of("b", 2, 0),
                                          event_of("c", 2, 0)};
  std::vector<size_t> begin_order = {0, 1, 2};
  do {
    std::vector<size_t> end_order = {0, 1, 2};
    do {
      ActiveEvents events;
      std::vector<size_t> active;
      const auto best = [&]() -> std::string {
        const auto found = std::ranges::max_element(active, [&](size_t one, size_t other) {
          const auto place = [&](size_t kind) { return std::ranges::find(active, kind); };
          return std::pair(kinds[one].rule.priority, place(one)) <
                 std::pair(kinds[other].rule.priority, place(other));
        });
        return found == active.end() ? "the wall" : kinds[*found].name();
      };
      for (const size_t kind : begin_order) {
        ASSERT_TRUE(events.start(kinds[kind]));
        active.push_back(kind);
        EXPECT_EQ(shown(events), best());
      }
      for (const size_t kind : end_order) {
        ASSERT_TRUE(events.clear(kinds[kind].name(), {}, 0));
        std::erase(active, kind);
        EXPECT_EQ(shown(events), best());
      }
      EXPECT_EQ(shown(events), "the wall");
    } while (std::ranges::next_permutation(end_order).found);
  } while (std::ranges::next_permutation(begin_order).found);
}

TEST(ActiveEvents, AnEventThatIsActiveIsProlonged) {
  ActiveEvents events;
  ActiveEvent door = event_of("door", 0, 0);
  door.rule.max_ms = 100;
  EXPECT_TRUE(*events.start(door));
  EXPECT_TRUE(*events.start(event_of("newer", 0, 10)));
  door.began_ms = 60;
  EXPECT_FALSE(*events.start(door));
  EXPECT_EQ(shown(events), "newer") << "prolonging does not make an event newer";
  EXPECT_FALSE(events.tick(159));
  EXPECT_TRUE(events.tick(160));
  EXPECT_THAT(names(events), ElementsAre("newer"));

  EXPECT_TRUE(*events.start(event_of("newer", 0, 200, "other id")));
  EXPECT_EQ(events.all().size(), 2u);
  ActiveEvent severe = event_of("newer", 9, 300);
  EXPECT_TRUE(*events.start(severe)) << "another rule replaces the event";
  EXPECT_EQ(events.all().size(), 2u);
  EXPECT_EQ(events.shown().back()->rule.priority, 9);
}

TEST(ActiveEvents, MinimumTimeHoldsAgainstClearingButNotAgainstPeople) {
  ActiveEvents events;
  ActiveEvent door = event_of("door", 0, 1000);
  door.rule.min_ms = 500;
  door.rule.acknowledge = true;
  ASSERT_TRUE(events.start(door));
  ASSERT_TRUE(events.clear("door", {}, 1100));
  EXPECT_TRUE(events.all().front().cleared);
  EXPECT_FALSE(events.tick(1499));
  door.began_ms = 1499;
  EXPECT_FALSE(*events.start(door)) << "it began again before it was over";
  EXPECT_FALSE(events.tick(1500));
  ASSERT_TRUE(events.clear("door", {}, 1500));
  EXPECT_TRUE(events.all().empty());

  door.began_ms = 2000;
  ASSERT_TRUE(events.start(door));
  ASSERT_TRUE(events.acknowledge("door", {}));
  EXPECT_TRUE(events.all().empty());
}

TEST(ActiveEvents, ClearingEventsEndThoseOfTheirId) {
  ActiveEvents events;
  for (const char* id : {"north", "south", ""}) {
    ActiveEvent door = event_of("door", 0, 0, id);
    door.rule.clears = "door_closed";
    ASSERT_TRUE(events.start(door));
  }
  EXPECT_EQ(events.clear_by("door", "", 1), 0u);
  EXPECT_EQ(events.clear_by("door_closed", "north", 1), 1u);
  EXPECT_EQ(events.all().size(), 2u);
  EXPECT_EQ(events.clear_by("door_closed", "", 1), 2u);
  EXPECT_TRUE(events.all().empty());
}

TEST(ActiveEvents, RefusalsHaveCodes) {
  ActiveEvents events;
  ASSERT_TRUE(events.start(event_of("door", 0, 0, "1")));
  EXPECT_EQ(events.acknowledge("door", {}).error().code, sail::ErrorCode::kConflict);
  EXPECT_EQ(events.acknowledge("bell", {}).error().code, sail::ErrorCode::kNotFound);
  EXPECT_EQ(events.clear("door", "2", 0).error().code, sail::ErrorCode::kNotFound);
  for (size_t i = 1; i < sail::kMaxActiveEvents; ++i) {
    ASSERT_TRUE(events.start(event_of("bell", 0, 0, std::to_string(i))));
  }
  EXPECT_EQ(events.start(event_of("fire", 0, 0)).error().code, sail::ErrorCode::kLimit);
  EXPECT_FALSE(*events.start(event_of("door", 0, 1, "1"))) << "active events are prolonged";
}

TEST(ActiveEvents, AFloodDoesNotKeepOutAHigherPriority) {
  ActiveEvents events;
  for (size_t i = 0; i < sail::kMaxActiveEvents; ++i) {
    ASSERT_TRUE(events.start(event_of("bell", i == 0 ? -1 : 0, 0, std::to_string(i))));
  }
  EXPECT_TRUE(*events.start(event_of("fire", 1, 1)));
  EXPECT_EQ(events.all().size(), sail::kMaxActiveEvents);
  EXPECT_EQ(shown(events), "fire");
  EXPECT_EQ(events.clear("bell", "0", 1).error().code, sail::ErrorCode::kNotFound)
      << "the lowest one has made room";
}

// Events from a sensor that chatters: the number of events is bounded, and nothing grows.
TEST(ActiveEvents, AFloodOfEventsIsBounded) {
  ActiveEvents events;
  for (int64_t i = 0; i < 10'000; ++i) {
    ActiveEvent event = event_of("door", static_cast<int>(i % 3), i, std::to_string(i % 100));
    event.rule.max_ms = 60'000;
    (void)events.start(event);
    ASSERT_LE(events.all().size(), sail::kMaxActiveEvents);
  }
  EXPECT_EQ(events.all().size(), sail::kMaxActiveEvents);
  EXPECT_TRUE(events.tick(70'000));
  EXPECT_EQ(shown(events), "the wall");
}

TEST(ActiveEvents, FailuresAreThoseOfOneEventAndBounded) {
  ActiveEvents events;
  ASSERT_TRUE(events.start(event_of("door", 0, 5, "north")));
  ASSERT_TRUE(events.start(event_of("door", 0, 6, "south")));
  events.fail("door", "north", 4, {.title = "Gate", .why = "of an event that is over"});
  EXPECT_TRUE(events.all().front().failed.empty());
  const std::string long_text(10'000, 'a');
  for (int i = 0; i < 5; ++i) {
    events.fail("door", "north", 5, {.title = long_text, .why = long_text});
  }
  EXPECT_EQ(events.all().front().failed.size(), kMostFailures);
  EXPECT_TRUE(events.all().back().failed.empty());
  // The next manager accepts what this one has written.
  const EventClock now{};
  const sail::Json list = sail::Json::array({to_json(events.all().front(), now)});
  const auto next = active_events_from_json(list, now);
  ASSERT_TRUE(next.has_value()) << next.error().message;
  EXPECT_EQ(next->all().front().failed, events.all().front().failed);
  sail::Json wrong = list;
  wrong[0]["failed"].push_back({{"title", "a third"}, {"why", "there is none"}});
  EXPECT_EQ(active_events_from_json(wrong, now).error().code, sail::ErrorCode::kBadData);
}

TEST(ActiveEvents, ContinueAfterARestart) {
  ActiveEvents events;
  ActiveEvent door = event_of("door", 3, 5000, "north");
  door.rule.max_ms = 10'000;
  door.rule.min_ms = 9000;
  door.area = sail::Rect{0, 0, 640, 360};
  ASSERT_TRUE(events.start(door));
  door.began_ms = 7000;
  ASSERT_FALSE(*events.start(door));
  ASSERT_TRUE(events.clear("door", "north", 7000));
  events.fail("door", "north", 5000, {.title = "Gate", .why = "the camera does not answer"});
  sail::Json list = sail::Json::array();
  for (const ActiveEvent& event : events.all()) {
    list.push_back(to_json(event, {.steady_ms = 8000, .since_1970_ms = 1'000'008'000}));
  }
  // The next manager starts 2 s later, on a machine that has just booted.
  auto next = active_events_from_json(list, {.steady_ms = 100, .since_1970_ms = 1'000'010'000});
  ASSERT_TRUE(next.has_value()) << next.error().message;
  ActiveEvent expected = events.all().front();
  expected.began_ms = 100 - 5000;
  expected.prolonged_ms = 100 - 3000;
  EXPECT_THAT(next->all(), ElementsAre(expected));
  EXPECT_FALSE(next->tick(100 + 3999));
  EXPECT_TRUE(next->tick(100 + 4000));

  const EventClock back = {.steady_ms = 100, .since_1970_ms = 0};
  EXPECT_EQ(active_events_from_json(list, back)->all().front().began_ms, 100);
  list.push_back(list.front());
  EXPECT_EQ(active_events_from_json(list, back).error().code, sail::ErrorCode::kBadData);
  EXPECT_FALSE(active_events_from_json({{"event", "door"}}, back));
  EXPECT_FALSE(active_events_from_json(sail::Json::array({{{"event", "door"}}}), back));
}

}  // namespace
}  // namespace manager
