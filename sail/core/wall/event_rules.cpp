#include "sail/core/wall/event_rules.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

#include "sail/core/base/private_file.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"
#include "sail/core/wall/node_places.h"

namespace sail {
namespace {

constexpr int kMostPriority = 1000;
constexpr double kMostSeconds = 7 * 86400;
constexpr size_t kMostChoices = 64;
constexpr size_t kLongestCamera = 4096;  // bytes of an id

bool is_scalar(const Json& value) {
  const auto* text = value.get_ptr<const std::string*>();
  const bool good_text =
      text == nullptr || (text->size() <= kMaxTitleLength && is_plain_text(*text));
  return value.is_primitive() && !value.is_null() && good_text;
}

// The conditions of {"at_least": 5, "at_most": 9} or {"one_of": ["a", "b"]}.
Result<std::vector<EventCondition>> read_tests(const Json& object, const std::string& field,
                                               const std::string& where) {
  using Test = EventCondition::Test;
  constexpr double kMost = 1e15;
  JsonFields fields(object, where, JsonFields::Report::kAll);
  std::vector<EventCondition> tests;
  if (fields.has("at_least")) {
    tests.push_back({field, Test::kAtLeast, fields.number("at_least", -kMost, kMost)});
  }
  if (fields.has("at_most")) {
    tests.push_back({field, Test::kAtMost, fields.number("at_most", -kMost, kMost)});
  }
  if (fields.has("one_of")) {
    const Json& choices = fields.array("one_of", kMostChoices);
    if (choices.empty() || !std::ranges::all_of(choices, is_scalar)) {
      fields.mistake("one_of", "must be a list of texts, numbers, true or false");
    }
    tests.push_back({field, Test::kOneOf, choices});
  }
  if (tests.size() > 1 && tests[0].test == Test::kAtLeast && tests[1].test == Test::kAtMost &&
      tests[0].value > tests[1].value) {
    fields.mistake("at_most", "must not be less than 'at_least'");
  }
  if (auto error = fields.finish()) return *error;
  if (!tests.empty()) return tests;
  return fail(ErrorCode::kInvalidParams,
              fmt::format("{}: must contain 'at_least', 'at_most' or 'one_of'", where));
}

std::vector<EventCondition> read_conditions(const Json& when, const std::string& where,
                                            Mistakes& mistakes) {
  std::vector<EventCondition> conditions;
  if (when.size() > kMaxEventConditions) {
    mistakes.add(fmt::format("{}: 'when' has more than {} fields", where, kMaxEventConditions));
    return conditions;
  }
  for (const auto& [field, value] : when.items()) {
    const std::string place =
        fmt::format("{}: when: {}", where, make_plain_text(field, kMaxNameLength));
    if (field.empty() || field.size() > kMaxNameLength || name_mistake(field)) {
      mistakes.add(fmt::format("{}: must be a name of at most {} bytes", place, kMaxNameLength));
    } else if (is_scalar(value)) {
      conditions.push_back({field, EventCondition::Test::kEquals, value});
    } else if (!value.is_object()) {
      mistakes.add(
          fmt::format("{}: must be a text, a number, true, false or an object such as "
                      "{{\"at_least\": 5}}",
                      place));
    } else if (auto tests = mistakes.take(read_tests(value, field, place))) {
      std::ranges::move(*tests, std::back_inserter(conditions));
    }
  }
  return conditions;
}

std::vector<EventAction> read_actions(const Json& list, const std::string& where,
                                      Mistakes& mistakes) {
  std::vector<EventAction> actions;
  for (size_t i = 0; i < list.size(); ++i) {
    auto action = mistakes.take(read_event_action(list[i], fmt::format("{}: do[{}]", where, i)));
    if (action) actions.push_back(std::move(*action));
  }
  return actions;
}

int64_t read_ms(JsonFields& fields, const char* name) {
  return std::llround(fields.number_or(name, 0, kMostSeconds, 0) * 1000);
}

std::string read_filled(JsonFields& fields, const char* name) {
  std::string text = fields.string(name, kMaxNameLength);
  if (text.empty() && fields.has(name)) fields.mistake(name, "must not be empty");
  return text;
}

}  // namespace

const Json* event_field(const Json& payload, std::string_view name) {
  if (const auto whole = payload.find(name); whole != payload.end()) return &*whole;
  const Json* value = &payload;
  while (true) {
    const std::string_view step = name.substr(0, name.find('.'));
    if (value->is_object()) {
      const auto found = value->find(step);
      if (found == value->end()) return nullptr;
      value = &*found;
    } else if (value->is_array()) {
      size_t position = 0;
      const char* const end = step.data() + step.size();
      const auto read = std::from_chars(step.data(), end, position);
      if (read.ec != std::errc() || read.ptr != end || position >= value->size()) return nullptr;
      value = &(*value)[position];
    } else {
      return nullptr;
    }
    if (step.size() == name.size()) return value;
    name.remove_prefix(step.size() + 1);
  }
}

bool EventCondition::holds(const Json& payload) const {
  const Json* found = event_field(payload, field);
  if (found == nullptr) return false;
  switch (test) {
    case Test::kEquals:
      return *found == value;
    case Test::kAtLeast:
      return found->is_number() && found->get<double>() >= value.get<double>();
    case Test::kAtMost:
      return found->is_number() && found->get<double>() <= value.get<double>();
    case Test::kOneOf:
      return std::ranges::find(value, *found) != value.end();
  }
  return false;
}

std::string EventCondition::sentence() const {
  constexpr const char* kWords[] = {"", "at least ", "at most ", "one of "};
  return fmt::format("'{}' must be {}{}", field, kWords[static_cast<size_t>(test)], value.dump());
}

const EventCondition* EventRule::unmet(const Json& payload) const {
  const auto failed = std::ranges::find_if_not(
      when, [&](const EventCondition& condition) { return condition.holds(payload); });
  return failed == when.end() ? nullptr : &*failed;
}

Json to_json(const EventRule& rule) {
  Json json = {{"event", rule.event}, {"priority", rule.priority}};
  if (!rule.scene.empty()) json["scene"] = rule.scene;
  for (const EventAction& action : rule.actions) json["do"].push_back(to_json(action));
  if (!rule.area.empty()) json["area"] = rule.area;
  if (rule.min_ms > 0) json["min_s"] = static_cast<double>(rule.min_ms) / 1000;
  if (rule.max_ms > 0) json["max_s"] = static_cast<double>(rule.max_ms) / 1000;
  if (!rule.clears.empty()) json["clears"] = rule.clears;
  if (rule.acknowledge) json["acknowledge"] = true;
  if (rule.fade_ms > 0) json["fade"] = static_cast<double>(rule.fade_ms) / 1000;
  if (!rule.camera.empty()) json.update({{"camera", rule.camera}, {"preset", rule.preset}});
  if (rule.power_on) json["power"] = "on";
  return json;
}

Result<EventRule> read_event_rule(const Json& object, const std::string& where) {
  JsonFields fields(object, where, JsonFields::Report::kAll);
  static const Json kNoConditions = Json::object();
  EventRule rule;
  rule.event = read_filled(fields, "event");
  if (fields.has("scene")) rule.scene = read_filled(fields, "scene");
  static const Json kNoActions = Json::array();
  const Json& actions = fields.has("do") ? fields.array("do", kMaxEventActions) : kNoActions;
  const Json& when = fields.has("when") ? fields.object("when") : kNoConditions;
  if (fields.has("area")) rule.area = read_filled(fields, "area");
  rule.priority = static_cast<int>(fields.integer_or("priority", -kMostPriority, kMostPriority, 0));
  rule.min_ms = read_ms(fields, "min_s");
  rule.max_ms = read_ms(fields, "max_s");
  if (fields.has("clears")) rule.clears = read_filled(fields, "clears");
  rule.acknowledge = fields.boolean_or("acknowledge", false);
  rule.fade_ms =
      static_cast<int>(std::lround(fields.number_or("fade", 0, kMaxSceneFadeMs / 1e3, 0) * 1e3));
  if (fields.has("camera") || fields.has("preset")) {
    rule.camera = fields.string("camera", kLongestCamera);
    rule.preset = fields.string("preset", kMaxTitleLength);
    if (rule.camera.empty()) fields.mistake("camera", "must be a source that is a camera");
    if (rule.preset.empty()) fields.mistake("preset", "must be a preset of 'camera'");
  }
  rule.power_on = fields.string_or("power", kMaxNameLength, "") == "on";
  if (fields.has("power") && !rule.power_on) {
    fields.mistake("power", "must be \"on\": events turn no display off");
  }
  if (rule.max_ms > 0 && rule.max_ms < rule.min_ms) {
    fields.mistake("max_s", "must not be less than 'min_s'");
  }
  if (!rule.clears.empty() && rule.clears == rule.event) {
    fields.mistake("clears", "must be another event than 'event'");
  }
  if (!fields.has("scene") && !fields.has("do") && !fields.has("camera") && !fields.has("power")) {
    fields.mistake("scene", "is missing: a rule must contain 'scene', 'do', 'camera' or 'power'");
  }
  if (fields.has("do") && actions.empty()) fields.mistake("do", "must not be empty");
  if (fields.has("area") && !fields.has("scene")) fields.mistake("area", "needs 'scene'");
  Mistakes mistakes;
  if (auto error = fields.finish()) mistakes.add(*error);
  rule.when = read_conditions(when, where, mistakes);
  rule.actions = read_actions(actions, where, mistakes);
  if (mistakes.error()) return *mistakes.error();
  return rule;
}

Result<void> check_event_payload(const Json& payload) {
  if (!payload.is_object()) return fail(ErrorCode::kInvalidParams, "'payload' must be an object");
  const size_t bytes = payload.dump(-1, ' ', false, Json::error_handler_t::replace).size();
  if (bytes <= kMaxEventPayload) return {};
  // Not kLimit, which says over HTTP that a later attempt may succeed.
  return fail(
      ErrorCode::kInvalidParams,
      fmt::format("'payload' has {} bytes: at most {} are accepted", bytes, kMaxEventPayload));
}

Result<EventRules> EventRules::read(const Json& list) {
  if (!list.is_array() || list.size() > kMaxEventRules) {
    return fail(ErrorCode::kInvalidParams,
                fmt::format("rules: must be a list of at most {} rules", kMaxEventRules));
  }
  EventRules rules;
  Mistakes mistakes;
  for (size_t i = 0; i < list.size(); ++i) {
    auto rule = mistakes.take(read_event_rule(list[i], fmt::format("rules[{}]", i)));
    if (!rule) continue;
    rules.by_event_[rule->event].push_back(rules.rules_.size());
    rules.rules_.push_back(std::move(*rule));
  }
  if (mistakes.error()) return *mistakes.error();
  rules.json_ = list;
  return rules;
}

Result<EventRules> EventRules::load(const std::string& path) {
  const auto text = read_file(path, kMaxEventRulesBytes);
  if (!text) return text.error();
  auto rules = parse_json(*text, kMaxEventRulesBytes).and_then(read);
  if (!rules) return fail(rules.error().code, fmt::format("{}: {}", path, rules.error().message));
  return rules;
}

const std::vector<size_t>& EventRules::of(const std::string& event) const {
  static const std::vector<size_t> kNone;
  const auto found = by_event_.find(event);
  return found == by_event_.end() ? kNone : found->second;
}

const EventRule* EventRules::match(const std::string& event, const Json& payload) const {
  const std::vector<size_t>& indexes = of(event);
  const auto found = std::ranges::find_if(
      indexes, [&](size_t index) { return rules_[index].unmet(payload) == nullptr; });
  return found == indexes.end() ? nullptr : &rules_[*found];
}

std::string EventRules::no_match(const std::string& event) const {
  if (by_event_.contains(event)) {
    return fmt::format("the payload meets the conditions of no rule for '{}'", event);
  }
  std::vector<std::string_view> events;
  for (const auto& [name, indexes] : by_event_) events.push_back(name);
  const std::string_view meant = nearest_word(event, events);
  return fmt::format("there is no rule for '{}'{}", event,
                     meant.empty() ? "" : fmt::format(": did you mean '{}'?", meant));
}

}  // namespace sail
