// The command event: events from outside that change the wall, and their rules.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ctime>

#include "sail/core/text/limits.h"
#include "sail/core/wall/event_rules.h"
#include "ui/client/answers.h"
#include "ui/client/commands.h"
#include "ui/client/value_texts.h"

namespace ui {
namespace {

struct EventArguments {
  std::string name;
  std::string id;
  std::string file;
  std::vector<std::string> fields;  // KEY=VALUE
};

// The payload of words KEY=VALUE. A value that is a number, true or false is one; else it is text.
sail::Result<sail::Json> payload_of(const std::vector<std::string>& words) {
  sail::Json payload = sail::Json::object();
  for (const std::string& word : words) {
    const size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0) {
      return sail::fail(sail::ErrorCode::kInvalidParams,
                        fmt::format("'{}': must be KEY=VALUE", word));
    }
    const std::string value = word.substr(equals + 1);
    const auto json = sail::parse_json(value, sail::kMaxEventPayload);
    const bool is_scalar = json && (json->is_number() || json->is_boolean());
    payload[word.substr(0, equals)] = is_scalar ? *json : sail::Json(value);
  }
  return payload;
}

std::string state_text(const sail::Json& event) {
  std::string text = event.contains("shown") ? "shown" : "";
  if (!event.contains("cleared")) return text;
  const int64_t ends_s =
      number_member(event, "since_s") + static_cast<int64_t>(event.value("min_s", 0.0));
  return text + fmt::format("{}cleared, ends in {} s", text.empty() ? "" : ", ",
                            std::max<int64_t>(ends_s - std::time(nullptr), 0));
}

std::string failure_text(const sail::Json& failure) {
  return fmt::format("'{}': {}", text_member(failure, "title"), text_member(failure, "why"));
}

std::string events_text(const sail::Json& result) {
  std::vector<std::vector<std::string>> rows = {
      {"EVENT", "ID", "SESSION", "AREA", "PRIORITY", "BEGAN", "STATE"}};
  for (const sail::Json& event : member(result, "events")) {
    rows.push_back({text_of(event, "event"), text_of(event, "id"), text_of(event, "scene"),
                    text_of(event, "area"), text_of(event, "priority"),
                    age_text(number_member(event, "since_s"), std::time(nullptr)),
                    state_text(event)});
  }
  std::string text = rows.size() > 1 ? table(rows) : "no event is active";
  if (const std::string why = text_member(result, "waits"); !why.empty()) {
    text += fmt::format("\nthe scene waits: {}", why);
  }
  bool shown = false;
  for (const sail::Json& event : member(result, "events")) {
    shown = shown || event.contains("shown");
    for (const sail::Json& failure : member(event, "failed")) {
      text += fmt::format("\nevent '{}' failed: {}", text_member(event, "event"),
                          failure_text(failure));
    }
  }
  if (shown) return text;  // The topmost event has the windows that are missing.
  for (const sail::Json& window : member(result, "failed")) {
    text += fmt::format("\nnot shown: {}", failure_text(window));
  }
  return text;
}

std::string started_text(const sail::Json& result) {
  std::string outcome = text_member(result, "outcome");
  if (outcome != "ignored") return outcome;
  const auto cleared = static_cast<int>(number_member(result, "cleared"));
  if (cleared > 0) return fmt::format("cleared {} event{}", cleared, cleared == 1 ? "" : "s");
  return fmt::format("ignored: {}", text_member(result, "why"));
}

std::string rules_text(const sail::Json& result) {
  const sail::Json rules = member(result, "rules");
  return rules.empty() ? "no event rules: `vitrail event rules FILE` sets them" : rules.dump(2);
}

int start_event(Context& context, const EventArguments& arguments) {
  const auto payload = payload_of(arguments.fields);
  if (!payload) return context.usage_error(payload.error().message);
  sail::Json params = {{"name", arguments.name}, {"payload", *payload}};
  if (!arguments.id.empty()) params["id"] = arguments.id;
  return context.perform("event_start", params, started_text);
}

int end_event(Context& context, const char* verb, const EventArguments& arguments) {
  sail::Json params = {{"name", arguments.name}};
  if (!arguments.id.empty()) params["id"] = arguments.id;
  return context.perform(verb, params, events_text);
}

int set_rules(Context& context, const EventArguments& arguments) {
  if (arguments.file.empty())
    return context.perform("event_rules", sail::Json::object(), rules_text);
  const auto rules = sail::EventRules::load(arguments.file);
  if (!rules) return context.report(rules.error());
  return context.perform("event_rules", {{"rules", rules->json()}}, [](const auto& result) {
    const size_t count = member(result, "rules").size();
    return fmt::format("{} rule{}", count, count == 1 ? "" : "s");
  });
}

// Says what the rule would do.
std::string effect_text(const sail::EventRule& rule) {
  std::vector<std::string> effects;
  if (!rule.scene.empty()) {
    effects.push_back(fmt::format("shows the session '{}'{}", rule.scene,
                                  rule.area.empty() ? "" : fmt::format(" in '{}'", rule.area)));
  }
  for (const sail::EventAction& action : rule.actions) effects.push_back(action_text(action));
  if (!rule.camera.empty()) {
    effects.push_back(fmt::format("moves the camera '{}' to '{}'", rule.camera, rule.preset));
  }
  if (rule.power_on) effects.emplace_back("turns the displays on");
  std::string text = fmt::format("{}, priority {}", fmt::join(effects, "; "), rule.priority);
  const auto seconds = [](int64_t ms) { return static_cast<double>(ms) / 1000; };
  if (rule.min_ms > 0) text += fmt::format(", for at least {} s", seconds(rule.min_ms));
  if (rule.max_ms > 0) text += fmt::format(", for at most {} s", seconds(rule.max_ms));
  if (!rule.clears.empty()) text += fmt::format(", until '{}'", rule.clears);
  if (rule.acknowledge) text += ", until a person acknowledges it";
  return text;
}

int test_rules(Context& context, const EventArguments& arguments) {
  const auto rules = sail::EventRules::load(arguments.file);
  if (!rules) return context.report(rules.error());
  const auto payload = payload_of(arguments.fields);
  if (!payload) return context.usage_error(payload.error().message);
  const sail::EventRule* match = rules->match(arguments.name, *payload);
  std::string text;
  sail::Json result = {{"matches", nullptr}};
  for (const size_t index : rules->of(arguments.name)) {
    const sail::EventRule& rule = rules->all()[index];
    const sail::EventCondition* unmet = rule.unmet(*payload);
    const bool matches = &rule == match;
    if (matches) result["matches"] = index;
    text += fmt::format("rules[{}]: {}\n", index,
                        matches            ? "matches: " + effect_text(rule)
                        : unmet == nullptr ? "would match, but an earlier rule does"
                                           : unmet->sentence());
  }
  for (const sail::EventRule& rule : rules->all()) {
    if (rule.clears == arguments.name) text += fmt::format("ends the event '{}'\n", rule.event);
  }
  const bool found = !text.empty();
  if (match == nullptr && !found) text = rules->no_match(arguments.name) + "\n";
  text.pop_back();
  context.done(result, text);
  return match != nullptr ? kDone : kFailed;
}

}  // namespace

void add_event_command(const Command& app, Context& context) {
  const auto arguments = std::make_shared<EventArguments>();
  const Command events =
      app.command("event", "Begin and end events that change the wall, and set their rules")
          .group("Arranging")
          .notes("Input to windows is sent by `vitrail input`.")
          .needs_command();
  const auto with_name = [&](const char* word, const char* help) {
    const Command command = events.command(word, help);
    add_name_option(command, "event", arguments->name);
    return command;
  };
  const auto with_id = [&](const Command& command, const char* help) {
    command.option("--id", arguments->id, help).form("ID");
  };
  const auto with_fields = [&](const Command& command) {
    command.option("field", arguments->fields, "Fields of the event's payload, as KEY=VALUE");
  };
  const Command start = with_name("start", "Begin an event; the first rule that matches decides");
  with_fields(start);
  with_id(start, "Id that distinguishes active events of the same name");
  start.runs([&context, arguments] { return start_event(context, *arguments); });
  const Command clear = with_name("clear", "The event is over");
  with_id(clear, "Only the event with this id");
  clear.runs([&context, arguments] { return end_event(context, "event_clear", *arguments); });
  const Command acknowledge =
      with_name("acknowledge", "End an event as a person, if its rule allows that");
  with_id(acknowledge, "Only the event with this id");
  acknowledge.runs(
      [&context, arguments] { return end_event(context, "event_acknowledge", *arguments); });
  events.command("ls", "List the active events").alias("list").runs([&context] {
    return context.perform("event_list", sail::Json::object(), events_text);
  });
  const Command rules =
      events.command("rules", "Replace the rules by those of a file; without a file: print them");
  rules.option("file", arguments->file, "JSON file of rules").form("FILE").existing_file();
  rules.runs([&context, arguments] { return set_rules(context, *arguments); });
  const Command test = events.command(
      "test",
      "Check a file of rules without a wall, and say what an event would do; exit 1 if no "
      "rule matches");
  test.option("file", arguments->file, "JSON file of rules")
      .form("FILE")
      .required()
      .existing_file();
  add_name_option(test, "event", arguments->name);
  with_fields(test);
  test.runs([&context, arguments] { return test_rules(context, *arguments); });
}

}  // namespace ui
