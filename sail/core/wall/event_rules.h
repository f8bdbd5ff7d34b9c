// Rules for events from outside, such as a door contact or an alarm: what the wall shows when such
// an event begins (manager/events/README.md). Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sail/core/base/result.h"
#include "sail/core/text/json.h"
#include "sail/core/wall/event_actions.h"

namespace sail {

// The field of an event's payload with this name, or else with this path, such as
// "alerts.0.labels.site" (fields of objects and positions in lists). Null: there is none.
const Json* event_field(const Json& payload, std::string_view name);

// A condition on one field of an event's payload.
struct EventCondition {
  enum class Test : uint8_t { kEquals, kAtLeast, kAtMost, kOneOf };

  std::string field;  // See event_field().
  Test test = Test::kEquals;
  Json value{};

  bool holds(const Json& payload) const;
  // "'level' must be at least 5".
  std::string sentence() const;
  bool operator==(const EventCondition&) const = default;
};

struct EventRule {
  std::string event;
  std::vector<EventCondition> when{};  // All must hold.
  std::string scene{};                 // Name of a saved session; empty: none.
  std::vector<EventAction> actions{};  // For windows of the scene, or else of the wall.
  std::string area{};                  // A tile or a partition; empty: the whole wall.
  int priority = 0;                    // The event of the highest priority is shown.
  int64_t min_ms = 0;                  // The event stays active at least for this time.
  int64_t max_ms = 0;                  // The event ends after this time; 0: no end.
  std::string clears{};                // The event that ends this one; empty: none.
  bool acknowledge = false;            // A person may end it.
  int fade_ms = 0;                     // duration of the fade to what it shows; 0: a cut
  std::string camera{};                // Source of a camera that moves; empty: none.
  std::string preset{};                // Where the camera moves to.
  bool power_on = false;               // All displays are turned on when the event begins.

  // Whether the wall looks or sounds different while the event is active.
  bool changes_wall() const { return !scene.empty() || !actions.empty(); }
  // The first condition that the payload does not meet; null: the rule matches.
  const EventCondition* unmet(const Json& payload) const;
  bool operator==(const EventRule&) const = default;
};

// Without `when`: a rule of an active event has matched already.
Json to_json(const EventRule& rule);
// Reports all mistakes, one per line. where: prefix of the messages.
Result<EventRule> read_event_rule(const Json& object, const std::string& where);

// Checks an event's payload. kInvalidParams: not an object, or too large.
Result<void> check_event_payload(const Json& payload);

class EventRules {
 public:
  // Reports all mistakes, one per line.
  static Result<EventRules> read(const Json& list);
  static Result<EventRules> load(const std::string& path);

  const std::vector<EventRule>& all() const { return rules_; }
  // The rules as they were read.
  const Json& json() const { return json_; }
  // Indexes of the rules for this event, in the order of the file.
  const std::vector<size_t>& of(const std::string& event) const;
  // The first rule that matches; null: none.
  const EventRule* match(const std::string& event, const Json& payload) const;
  // Says why no rule matches.
  std::string no_match(const std::string& event) const;

 private:
  std::vector<EventRule> rules_;
  std::unordered_map<std::string, std::vector<size_t>> by_event_;
  Json json_ = Json::array();
};

}  // namespace sail
