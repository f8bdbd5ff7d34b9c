// Files about a wall: the wall itself, and event rules; messages that begin events. A wall written
// out in full must read back as the same wall.
#include <algorithm>
#include <string_view>

#include "sail/core/text/limits.h"
#include "sail/core/wall/event_request.h"
#include "sail/core/wall/event_rules.h"
#include "sail/core/wall/wall.h"
#include "tests/fuzz/fuzz.h"

FUZZ_TARGET(wall_file) {
  using namespace sail;
  const auto wall = parse_wall({reinterpret_cast<const char*>(data), size});
  if (!wall) {
    fuzz::require(!wall.error().message.empty(), "a refusal says why");
    return 0;
  }
  fuzz::require(!wall->tiles.empty() && wall->tiles.size() <= kMaxTiles, "a wall has tiles");
  for (const Tile& tile : wall->tiles) {
    fuzz::require(tile.wall_rect.x >= 0 && tile.wall_rect.y >= 0 &&
                      tile.wall_rect.right() <= wall->size.width &&
                      tile.wall_rect.bottom() <= wall->size.height,
                  "tiles lie on the wall");
    fuzz::require(std::any_of(wall->receivers.begin(), wall->receivers.end(),
                              [&](const auto& one) { return one.name == tile.receiver; }),
                  "each tile has a receiver");
  }
  const Json full = wall_json(*wall);
  const auto again = parse_wall(full.dump());
  fuzz::require(again.has_value(), "a wall written out in full is a wall file");
  fuzz::require(wall_json(*again) == full, "a wall reads back as what it was");
  return 0;
}

// A file of event rules.
FUZZ_TARGET(event_rules) {
  using namespace sail;
  const auto json = parse_json({reinterpret_cast<const char*>(data), size}, kMaxEventRulesBytes);
  if (!json) return 0;
  const auto rules = EventRules::read(*json);
  if (!rules) {
    fuzz::require(!rules.error().message.empty(), "a refusal says why");
    return 0;
  }
  fuzz::require(rules->all().size() <= kMaxEventRules, "rules have a bound");
  for (EventRule rule : rules->all()) {
    fuzz::require(!rule.event.empty(), "a rule has an event");
    fuzz::require(rule.actions.size() <= kMaxEventActions, "actions have a bound");
    fuzz::require(!rule.unmet(Json::object()) == rule.when.empty(), "no field meets no condition");
    for (const Json& item : *json) (void)rule.unmet(item.value("when", Json::object()));
    rule.when.clear();
    const auto again = read_event_rule(to_json(rule), "rule");
    fuzz::require(again && *again == rule, "a rule reads back as what it was");
  }
  return 0;
}

// What to take from a message, and below it the message.
FUZZ_TARGET(event_request) {
  using namespace sail;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const size_t line = std::min(text.find('\n'), text.size());
  const auto request = read_event_request(text.substr(0, line));
  const auto payload = parse_json(text.substr(std::min(line + 1, size)), kMaxControlLine);
  if (!request || !payload) return 0;
  const auto event = event_verb(*request, *payload);
  if (!event) {
    fuzz::require(!event.error().message.empty(), "a refusal says why");
    return 0;
  }
  fuzz::require(event->parameters["name"] == request->name, "an event has its name");
  fuzz::require(event->parameters.contains("id") == request->id.has_value(), "an id is a field");
  return 0;
}
