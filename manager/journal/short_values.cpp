#include "manager/journal/short_values.h"

#include <fmt/format.h>

#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include "manager/peers/state_json.h"
#include "manager/wall/arrangement.h"
#include "sail/core/text/text.h"
#include "sail/core/wire/rpc.h"

namespace manager {
namespace {

// ---- one value as JSON text

void append(std::string& json, bool value) {
  json += value ? "true" : "false";
}
void append(std::string& json, size_t value) {
  fmt::format_to(std::back_inserter(json), "{}", value);
}
void append(std::string& json, int value) {
  fmt::format_to(std::back_inserter(json), "{}", value);
}
void append(std::string& json, double value) {
  fmt::format_to(std::back_inserter(json), "{:.4g}", value);
}
void append(std::string& json, const sail::Rect& rect) {
  fmt::format_to(std::back_inserter(json), "[{},{},{},{}]", rect.x, rect.y, rect.width,
                 rect.height);
}
void append(std::string& json, const std::string& text) {
  std::string shown = sail::without_passwords(text);
  if (shown.size() > kMostValueBytes) shown = sail::make_plain_text(shown, kMostValueBytes) + "…";
  json += sail::quoted_text(shown);
}
void append(std::string& json, const char* word) {
  json += sail::quoted_text(word);
}
void append(std::string& json, const std::optional<std::string>& text) {
  if (text) {
    append(json, *text);
  } else {
    json += "null";
  }
}

void append_name(std::string& json, std::string_view name) {
  json += json.back() == '{' ? "\"" : ",\"";
  json += name;
  json += "\":";
}

// Appends the value of one side. Null: there is none.
template <typename Owner, typename Get>
void append_side(std::string& json, const Owner* owner, const Get& get) {
  if (owner == nullptr) {
    json += "null";
  } else {
    append(json, get(*owner));
  }
}

// Appends the value if it differs. A side that is null counts as the default.
template <typename Owner, typename Get>
void append_field(std::string& json, const char* name, const Owner* before, const Owner* after,
                  const Get& get) {
  static const Owner kDefault{};
  if (get(before == nullptr ? kDefault : *before) == get(after == nullptr ? kDefault : *after)) {
    return;
  }
  append_name(json, name);
  json += '[';
  append_side(json, before, get);
  json += ',';
  append_side(json, after, get);
  json += ']';
}

// Appends what differs between lists of named values, such as partitions.
template <typename Item, typename Name, typename Value>
void append_list(std::string& json, const char* list, const std::vector<Item>& before,
                 const std::vector<Item>& after, const Name& name, const Value& value) {
  std::map<std::string, std::pair<const Item*, const Item*>> sides;
  for (const Item& item : before) sides[name(item)].first = &item;
  for (const Item& item : after) sides[name(item)].second = &item;
  std::erase_if(sides, [&](const auto& one) {
    const auto& [former, now] = one.second;
    return former != nullptr && now != nullptr && value(*former) == value(*now);
  });
  if (sides.empty()) return;
  append_name(json, list);
  if (sides.size() > kMostChangedObjects) return append(json, sides.size());
  json += '{';
  for (const auto& [key, side] : sides) {
    const std::string quoted = sail::quoted_text(key);
    append_name(json, std::string_view(quoted).substr(1, quoted.size() - 2));
    json += '[';
    append_side(json, side.first, value);
    json += ',';
    append_side(json, side.second, value);
    json += ']';
  }
  json += '}';
}

// Ends the object that begins at this place, or removes it if it is empty.
bool end_object(std::string& json, size_t begin) {
  if (json.size() == begin + 1) {
    json.resize(begin);
    return false;
  }
  json += '}';
  return true;
}

void append_look(std::string& json, const WindowValues* before, const WindowValues* after) {
  const auto field = [&](const char* name, const auto& get) {
    append_field(json, name, before, after,
                 [&get](const WindowValues& of) { return get(of.look); });
  };
  using Look = sail::ViewTransform;
  field("opacity", [](const Look& look) { return look.opacity; });
  field("crop", [](const Look& look) { return look.crop; });
  field("rotate", [](const Look& look) { return look.rotate; });
  field("flip", [](const Look& look) { return look.flip; });
  field("stereo", [](const Look& look) { return sail::kStereoWords.word(look.stereo); });
  field("halves", [](const Look& look) { return sail::kHalvesWords.word(look.halves); });
}

}  // namespace

WindowValues values_of(const Window& window) {
  WindowValues values{.title = window.title,
                      .rect = window.wall_rect,
                      .look = window.look,
                      .sound = window.sound,
                      .label = window.label,
                      .cover = window.cover,
                      .group = window.group,
                      .locked = window.locked,
                      .hidden = window.hidden,
                      .strokes = window.drawing.strokes().size()};
  if (!window.media.empty()) {
    values.source = window.media.front();
  } else if (window.content) {
    values.source = window.content->command;
  }
  return values;
}

WallValues values_of(const Arrangement& wall) {
  return {wall.switches(), wall.partitions().all(), wall.drawing().strokes().size()};
}

bool append_change(std::string& json, const ShortChange& change) {
  const auto& [before, after, order_before, order_after] = change;
  const size_t begin = json.size();
  json += '{';
  const auto field = [&json, before = before, after = after](const char* name, const auto& get) {
    append_field(json, name, before, after, get);
  };
  using Values = WindowValues;
  field("title", [](const Values& of) -> const std::string& { return of.title; });
  field("source", [](const Values& of) -> const std::string& { return of.source; });
  field("rect", [](const Values& of) { return of.rect; });
  if (before != nullptr && order_before != 0 && order_after != 0 && order_before != order_after) {
    append_name(json, "order");
    fmt::format_to(std::back_inserter(json), "[{},{}]", order_before, order_after);
  }
  field("locked", [](const Values& of) { return of.locked; });
  field("volume", [](const Values& of) { return of.sound.volume; });
  field("muted", [](const Values& of) { return of.sound.muted; });
  field("label", [](const Values& of) -> const std::string& { return of.label.text; });
  field("label_place", [](const Values& of) { return kLabelPlaces.word(of.label.top); });
  const bool same_look = before != nullptr && after != nullptr && before->look == after->look;
  if (!same_look) append_look(json, before, after);
  field(
      "blank", [](const Values& of) -> const auto& { return of.cover.blank; });
  field("frozen", [](const Values& of) { return of.cover.frozen; });
  field("hidden", [](const Values& of) { return of.hidden; });
  field("group", [](const Values& of) -> const std::string& { return of.group; });
  field("strokes", [](const Values& of) { return of.strokes; });
  return end_object(json, begin);
}

bool append_change(std::string& json, const WallValues& before, const WallValues& after) {
  const size_t begin = json.size();
  json += '{';
  const auto field = [&](const char* name, const auto& get) {
    append_field(json, name, &before, &after, get);
  };
  using Values = WallValues;
  field("blank", [](const Values& of) {
    return of.switches.blank ? std::optional(of.switches.blank_text) : std::nullopt;
  });
  append_list(
      json, "blank_areas", before.switches.blank_areas, after.switches.blank_areas,
      [](const BlankArea& area) {
        const sail::Rect& rect = area.wall_rect;
        return fmt::format("{},{} {}×{}", rect.x, rect.y, rect.width, rect.height);
      },
      [](const BlankArea& area) -> const std::string& { return area.text; });
  field("volume", [](const Values& of) { return of.switches.sound.volume; });
  field("muted", [](const Values& of) { return of.switches.sound.muted; });
  append_list(
      json, "partitions", before.partitions, after.partitions,
      [](const Partition& partition) -> const std::string& { return partition.name; },
      [](const Partition& partition) { return partition.rect; });
  field("strokes", [](const Values& of) { return of.strokes; });
  return end_object(json, begin);
}

}  // namespace manager
