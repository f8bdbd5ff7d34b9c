// Events from outside, which switch scenes.
#include "manager/events/event_scenes.h"

#include <optional>

#include "manager/commands/verbs.h"
#include "sail/core/text/limits.h"

namespace manager::verbs {
namespace {

std::string event_name(sail::JsonFields& fields) {
  std::string name = fields.string("name", sail::kMaxNameLength);
  if (name.empty()) fields.mistake("name", "must not be empty");
  return name;
}

Answer events_now(const EventScenes& events) {
  sail::Json now = {{"events", events.json()}, {"failed", failures_json(events.failed())}};
  if (!events.waits().empty()) now["waits"] = events.waits();
  return now;
}

// Runs `end` for the events that the call names.
template <typename End>
Answer end_events(const Call& call, EventScenes& events, const End& end) {
  sail::JsonFields fields = call.fields();
  const std::string name = event_name(fields);
  std::optional<std::string> id;
  if (fields.has("id")) id = fields.string("id", sail::kMaxNameLength);
  if (auto error = fields.finish()) return *error;
  const sail::Result<void> ended = end(name, id);
  if (!ended) return ended.error();
  return events_now(events);
}

}  // namespace

Answer event_start(const Call& call, EventScenes& events) {
  static const sail::Json kNoPayload = sail::Json::object();
  sail::JsonFields fields = call.fields();
  const std::string name = event_name(fields);
  const std::string id = fields.string_or("id", sail::kMaxNameLength, "");
  const sail::Json& payload = fields.has("payload") ? fields.object("payload") : kNoPayload;
  if (auto error = fields.finish()) return *error;
  const auto started = events.start(name, id, payload);
  if (!started) return started.error();
  constexpr const char* kWords[] = {"began", "prolonged", "ignored"};
  Answer answer = events_now(events);
  (*answer)["outcome"] = kWords[static_cast<size_t>(started->outcome)];
  (*answer)["cleared"] = started->cleared;
  if (!started->why.empty()) (*answer)["why"] = started->why;
  return answer;
}

Answer event_clear(const Call& call, EventScenes& events) {
  return end_events(call, events,
                    [&](const auto& name, const auto& id) { return events.clear(name, id); });
}

Answer event_acknowledge(const Call& call, EventScenes& events) {
  return end_events(call, events,
                    [&](const auto& name, const auto& id) { return events.acknowledge(name, id); });
}

Answer event_list(const Call& /*call*/, const EventScenes& events) {
  return events_now(events);
}

Answer event_rules(const Call& call, EventScenes& events) {
  sail::JsonFields fields = call.fields();
  if (fields.has("rules")) {
    const sail::Json& rules = fields.array("rules", sail::kMaxEventRules);
    if (auto error = fields.finish()) return *error;
    if (auto set = events.rules().set(rules); !set) return set.error();
  } else if (auto error = fields.finish()) {
    return *error;
  }
  return sail::Json{{"rules", events.rules().rules().json()}};
}

}  // namespace manager::verbs
