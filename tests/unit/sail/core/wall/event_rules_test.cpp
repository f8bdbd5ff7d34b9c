#include "sail/core/wall/event_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "sail/core/text/limits.h"

namespace sail {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

EventRules rules_of(const Json& list) {
  auto rules = EventRules::read(list);
  EXPECT_TRUE(rules.has_value()) << rules.error().message;
  return rules.value_or(EventRules{});
}

std::string mistakes_of(const Json& list) {
  const auto rules = EventRules::read(list);
  EXPECT_FALSE(rules.has_value()) << list;
  if (rules) return "";
  EXPECT_EQ(rules.error().code, ErrorCode::kInvalidParams);
  return rules.error().message;
}

TEST(EventRules, ReadAllFieldsAndHaveDefaults) {
  const EventRules rules = rules_of({{{"event", "door"},
                                      {"when", {{"zone", 3}}},
                                      {"scene", "Alarm"},
                                      {"area", "left"},
                                      {"priority", 10},
                                      {"min_s", 1.5},
                                      {"max_s", 600},
                                      {"clears", "door_closed"},
                                      {"acknowledge", true},
                                      {"fade", 1.5},
                                      {"camera", "Gate"},
                                      {"preset", "Door"},
                                      {"power", "on"},
                                      {"do",
                                       {{{"window", "Gate"}, {"place", {0, 0, 640, 360}}},
                                        {{"window", "Yard"}, {"area", "left"}, {"volume", 0.5}},
                                        {{"window", "/a.mp4"},
                                         {"enlarge", true},
                                         {"label", "Fire {clock}"},
                                         {"muted", false},
                                         {"solo", true}}}}},
                                     {{"event", "bell"}, {"scene", "Visitors"}}});
  ASSERT_EQ(rules.all().size(), 2u);
  EventRule full = rules.all()[0];
  EXPECT_EQ(full.min_ms, 1500);
  EXPECT_EQ(full.max_ms, 600'000);
  EXPECT_EQ(full.fade_ms, 1500);
  EXPECT_EQ(full.camera, "Gate");
  EXPECT_EQ(full.preset, "Door");
  EXPECT_TRUE(full.power_on);
  EXPECT_EQ(full.actions,
            (std::vector<EventAction>{{.window = "Gate", .place = Rect{0, 0, 640, 360}},
                                      {.window = "Yard", .area = "left", .volume = 0.5},
                                      {.window = "/a.mp4",
                                       .enlarge = true,
                                       .label = "Fire {clock}",
                                       .muted = false,
                                       .solo = true}}));
  full.when.clear();
  EXPECT_EQ(*read_event_rule(to_json(full), "rule"), full);
  EXPECT_EQ(rules.all()[1], (EventRule{.event = "bell", .scene = "Visitors"}));
  EXPECT_EQ(*read_event_rule(to_json(rules.all()[1]), "rule"), rules.all()[1]);
}

TEST(EventRules, NeedSomethingToDo) {
  const Json camera = {{"event", "door"}, {"camera", "Gate"}, {"preset", "Door"}};
  EXPECT_FALSE(rules_of(Json::array({camera})).all()[0].changes_wall());
  const Json power = {{"event", "door"}, {"power", "on"}};
  EXPECT_FALSE(rules_of(Json::array({power})).all()[0].changes_wall());
  EXPECT_THAT(mistakes_of(Json::array({Json{{"event", "door"}, {"power", "off"}}})),
              HasSubstr("rules[0]: 'power' must be"));
  const Json label = {{"event", "door"}, {"do", {{{"window", "Gate"}, {"label", "Open"}}}}};
  const EventRule rule = rules_of(Json::array({label})).all()[0];
  EXPECT_TRUE(rule.changes_wall());
  EXPECT_EQ(*read_event_rule(to_json(rule), "rule"), rule);
  EXPECT_THAT(mistakes_of({{{"event", "door"}}}), HasSubstr("rules[0]: 'scene' is missing"));
}

TEST(EventRules, MistakesOfActionsNameTheirPlace) {
  const auto mistakes = [](const Json& action) {
    return mistakes_of({{{"event", "door"}, {"do", {action}}}});
  };
  const std::vector<std::pair<Json, std::string>> wrong = {
      {{{"label", "Open"}}, "'window' is missing"},
      {{{"window", ""}, {"label", "Open"}}, "'window' must"},
      {{{"window", "Gate"}}, "must contain 'place'"},
      {{{"window", "Gate"}, {"enlarge", false}}, "must contain 'place'"},
      {{{"window", "Gate"}, {"place", {0, 0, 0, 9}}}, "'place' must"},
      {{{"window", "Gate"}, {"place", {0, 0, 9, 9}}, {"enlarge", true}}, "'enlarge' must not"},
      {{{"window", "Gate"}, {"place", {0, 0, 9, 9}}, {"area", "left"}}, "'area' must not"},
      {{{"window", "Gate"}, {"label", "{titel}"}}, "'label' has"},
      {{{"window", "Gate"}, {"label", ""}}, "'label' must"},
      {{{"window", "Gate"}, {"volume", 1.5}}, "'volume' must"},
      {{{"window", "Gate"}, {"muted", true}, {"solo", true}}, "'solo' must not"},
      {{{"window", "Gate"}, {"lable", "Open"}}, "'lable' is not a known field"},
      {"Gate", "must be an object"}};
  for (const auto& [action, mistake] : wrong) {
    EXPECT_THAT(mistakes(action), HasSubstr("rules[0]: do[0]: ")) << action;
    EXPECT_THAT(mistakes(action), HasSubstr(mistake)) << action;
  }
  EXPECT_THAT(mistakes_of({{{"event", "door"}, {"do", Json::array()}}}), HasSubstr("'do' must"));
  EXPECT_THAT(mistakes_of({{{"event", "door"},
                            {"area", "left"},
                            {"do", {{{"window", "Gate"}, {"label", "Open"}}}}}}),
              HasSubstr("'area' needs"));
  const Json action = {{"window", "Gate"}, {"enlarge", true}};
  mistakes_of({{{"event", "door"}, {"do", Json::array_t(kMaxEventActions + 1, action)}}});
}

TEST(EventRules, TheFirstRuleWhoseConditionsAllHoldMatches) {
  const EventRules rules =
      rules_of({{{"event", "heat"}, {"when", {{"level", {{"at_least", 90}}}}}, {"scene", "Fire"}},
                {{"event", "heat"},
                 {"when", {{"level", {{"at_least", 50}, {"at_most", 89.5}}}, {"zone", 3}}},
                 {"scene", "Warm"}},
                {{"event", "heat"},
                 {"when", {{"site", {{"one_of", {"north", "south", 7}}}}}},
                 {"scene", "Site"}}});
  const auto scene = [&](const Json& payload) {
    const EventRule* rule = rules.match("heat", payload);
    return rule == nullptr ? "" : rule->scene;
  };
  EXPECT_EQ(scene({{"level", 90}, {"zone", 3}}), "Fire");
  EXPECT_EQ(scene({{"level", 90.5}}), "Fire");
  EXPECT_EQ(scene({{"level", 89.5}, {"zone", 3.0}}), "Warm");
  EXPECT_EQ(scene({{"level", 89.6}, {"zone", 3}}), "");
  EXPECT_EQ(scene({{"level", 60}, {"zone", 4}}), "");
  EXPECT_EQ(scene({{"level", 60}}), "") << "a missing field meets no condition";
  EXPECT_EQ(scene({{"level", "90"}}), "") << "a text is not a number";
  EXPECT_EQ(scene({{"site", "south"}}), "Site");
  EXPECT_EQ(scene({{"site", 7}}), "Site");
  EXPECT_EQ(scene({{"site", "East"}}), "");
  EXPECT_EQ(rules.match("door", {{"level", 90}}), nullptr);
  EXPECT_THAT(rules.of("heat"), ElementsAre(0, 1, 2));
  EXPECT_EQ(rules.all()[1].unmet({{"level", 60}, {"zone", 4}})->sentence(), "'zone' must be 3");
}

TEST(EventRules, ConditionsReachIntoPayloadsOfOtherSystems) {
  const Json payload = {{"commonLabels", {{"severity", "critical"}}},
                        {"alerts", {{{"value", 7}}, {{"value", 9}}}},
                        {"a.b", "whole"},
                        {"a", {{"b", "inner"}}}};
  EXPECT_EQ(*event_field(payload, "commonLabels.severity"), "critical");
  EXPECT_EQ(*event_field(payload, "alerts.1.value"), 9);
  EXPECT_EQ(*event_field(payload, "a.b"), "whole") << "a field's whole name comes first";
  EXPECT_EQ(*event_field(payload, "alerts"), payload["alerts"]);
  for (const char* none :
       {"", ".", "alerts.2.value", "alerts.-1", "alerts.1x", "alerts.",
        "commonLabels.severity.more", "a.c", "commonLabels.", "alerts.99999999999999999999"}) {
    EXPECT_EQ(event_field(payload, none), nullptr) << none;
  }
  const EventRules rules = rules_of({{{"event", "alert"},
                                      {"when", {{"alerts.0.value", {{"at_least", 7}}}}},
                                      {"scene", "Alarm"}}});
  EXPECT_NE(rules.match("alert", payload), nullptr);
  EXPECT_EQ(rules.match("alert", {{"alerts", Json::array()}}), nullptr);
}

TEST(EventRules, ARangeThatNothingMeetsIsAMistake) {
  const auto range = [](double least, double most) {
    return Json::array({{{"event", "heat"},
                         {"when", {{"level", {{"at_least", least}, {"at_most", most}}}}},
                         {"scene", "Fire"}}});
  };
  EXPECT_THAT(mistakes_of(range(9, 5)), HasSubstr("'at_most' must not be less than 'at_least'"));
  EXPECT_EQ(rules_of(range(5, 5)).all().size(), 1u);
}

TEST(EventRules, AllMistakesAreReportedWithTheirPlace) {
  const std::string mistakes = mistakes_of(
      {{{"event", ""}, {"scene", "Alarm"}},
       {{"event", "door"}, {"scene", "Alarm"}, {"max_s", 5}, {"min_s", 6}},
       {{"event", "door"}, {"scene", "Alarm"}, {"clears", "door"}},
       {{"event", "door"}, {"scene", "Alarm"}, {"priorty", 5}, {"when", {{"a", {{"at_lest", 5}}}}}},
       {{"event", "door"}, {"scene", "Alarm"}, {"when", {{"a", nullptr}, {"b", Json::object()}}}},
       {{"event", "door"}, {"scene", "Alarm"}, {"when", {{"a", {{"one_of", Json::array()}}}}}},
       "door",
       {{"event", "door"}, {"scene", "Alarm"}, {"fade", 2.1}},
       {{"event", "door"}, {"scene", "Alarm"}, {"camera", "Gate"}}});
  EXPECT_THAT(mistakes, HasSubstr("rules[8]: 'preset' is missing"));
  EXPECT_THAT(mistakes, HasSubstr("rules[7]: 'fade' must be"));
  EXPECT_THAT(mistakes, HasSubstr("rules[0]: 'event' must not be empty"));
  EXPECT_THAT(mistakes, HasSubstr("rules[1]: 'max_s' must not be less"));
  EXPECT_THAT(mistakes, HasSubstr("rules[2]: 'clears' must be another event"));
  EXPECT_THAT(mistakes, HasSubstr("rules[3]: 'priorty' is not a known field: did you mean "
                                  "'priority'?"));
  EXPECT_THAT(mistakes, HasSubstr("rules[3]: when: a: 'at_lest' is not a known field: did you mean "
                                  "'at_least'?"));
  EXPECT_THAT(mistakes, HasSubstr("rules[4]: when: a: must be"));
  EXPECT_THAT(mistakes, HasSubstr("rules[4]: when: b: must contain"));
  EXPECT_THAT(mistakes, HasSubstr("rules[5]: when: a: 'one_of' must be a list"));
  EXPECT_THAT(mistakes, HasSubstr("rules[6]: must be an object"));
}

TEST(EventRules, AreLimited) {
  const Json rule = {{"event", "door"}, {"scene", "Alarm"}};
  EXPECT_TRUE(EventRules::read(Json::array_t(kMaxEventRules, rule)));
  mistakes_of(Json::array_t(kMaxEventRules + 1, rule));
  mistakes_of(Json::object());
  Json when = Json::object();
  for (size_t i = 0; i <= kMaxEventConditions; ++i) when[std::to_string(i)] = i;
  mistakes_of({{{"event", "door"}, {"scene", "Alarm"}, {"when", when}}});

  EXPECT_TRUE(check_event_payload({{"text", std::string(kMaxEventPayload - 100, 'a')}}));
  EXPECT_EQ(check_event_payload({{"text", std::string(kMaxEventPayload, 'a')}}).error().code,
            ErrorCode::kInvalidParams);
  EXPECT_EQ(check_event_payload(Json::array()).error().code, ErrorCode::kInvalidParams);
}

TEST(EventRules, SayWhyNoneMatches) {
  const EventRules rules = rules_of({{{"event", "door"}, {"scene", "Alarm"}}});
  EXPECT_THAT(rules.no_match("dor"), HasSubstr("did you mean 'door'?"));
  EXPECT_THAT(rules.no_match("door"), Not(HasSubstr("there is no rule for")));
}

}  // namespace
}  // namespace sail
