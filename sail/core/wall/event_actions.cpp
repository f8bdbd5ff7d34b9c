#include "sail/core/wall/event_actions.h"

#include <fmt/core.h>

#include <string>
#include <vector>

#include "sail/core/text/limits.h"
#include "sail/core/wall/label_text.h"

namespace sail {
namespace {

constexpr size_t kLongestWindow = 4096;  // bytes of a title or a source

// Reads the fields that say where the window goes. At most one of them may be there.
void read_destination(JsonFields& fields, EventAction& action) {
  if (fields.has("place")) action.place = fields.rect("place", kMaxWindowOffset, kMaxWindowSide);
  action.area = fields.string_or("area", kMaxNameLength, "");
  if (fields.has("area") && action.area.empty()) fields.mistake("area", "must not be empty");
  action.enlarge = fields.boolean_or("enlarge", false);
  const int destinations = static_cast<int>(fields.has("place")) +
                           static_cast<int>(fields.has("area")) + static_cast<int>(action.enlarge);
  if (destinations > 1) {
    fields.mistake(action.enlarge ? "enlarge" : "area",
                   "must not be combined with another one of 'place', 'area' and 'enlarge'");
  }
}

void read_sound(JsonFields& fields, EventAction& action) {
  const double volume = fields.number_or("volume", 0, 1, 1);
  if (fields.has("volume")) action.volume = volume;
  const bool muted = fields.boolean_or("muted", false);
  if (fields.has("muted")) action.muted = muted;
  action.solo = fields.boolean_or("solo", false);
  if (action.solo && muted) fields.mistake("solo", "must not be combined with 'muted'");
}

}  // namespace

Json to_json(const EventAction& action) {
  Json json = {{"window", action.window}};
  if (action.place) json["place"] = rect_json(*action.place);
  if (!action.area.empty()) json["area"] = action.area;
  if (action.enlarge) json["enlarge"] = true;
  if (!action.label.empty()) json["label"] = action.label;
  if (action.volume) json["volume"] = *action.volume;
  if (action.muted) json["muted"] = *action.muted;
  if (action.solo) json["solo"] = true;
  return json;
}

Result<EventAction> read_event_action(const Json& object, const std::string& where) {
  JsonFields fields(object, where, JsonFields::Report::kAll);
  EventAction action;
  action.window = fields.raw_string("window", kLongestWindow);
  if (fields.has("window") && action.window.empty()) fields.mistake("window", "must not be empty");
  read_destination(fields, action);
  action.label = fields.string_or("label", kMaxLabelLine, "");
  if (fields.has("label") && action.label.empty()) fields.mistake("label", "must not be empty");
  if (const std::string mistake = label_mistake(action.label); !mistake.empty()) {
    fields.mistake("label", mistake);
  }
  read_sound(fields, action);
  if (auto error = fields.finish()) return *error;
  if (action == EventAction{.window = action.window}) {
    return fail(ErrorCode::kInvalidParams,
                fmt::format("{}: must contain 'place', 'area', 'enlarge', 'label', 'volume', "
                            "'muted' or 'solo'",
                            where));
  }
  return action;
}

std::string action_text(const EventAction& action) {
  std::vector<std::string> parts;
  if (action.place) {
    parts.push_back(fmt::format("places it at {},{} {}×{}", action.place->x, action.place->y,
                                action.place->width, action.place->height));
  }
  if (!action.area.empty()) parts.push_back(fmt::format("places it in '{}'", action.area));
  if (action.enlarge) parts.emplace_back("enlarges it");
  if (!action.label.empty()) parts.push_back(fmt::format("labels it '{}'", action.label));
  if (action.volume) parts.push_back(fmt::format("sets its volume to {}", *action.volume));
  if (action.muted) parts.emplace_back(*action.muted ? "mutes it" : "unmutes it");
  if (action.solo) parts.emplace_back("mutes all others");
  std::string text = fmt::format("window '{}':", action.window);
  for (const std::string& part : parts) {
    text += (&part == &parts.front() ? " " : ", ") + part;
  }
  return text;
}

}  // namespace sail
