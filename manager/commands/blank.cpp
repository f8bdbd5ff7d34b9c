// What people conceal: black areas and windows, and frozen windows.
#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "manager/commands/verbs.h"
#include "manager/desk/desk.h"
#include "manager/peers/state_json.h"
#include "sail/core/text/limits.h"

namespace manager::verbs {

namespace {

std::vector<sail::Rect> wall_areas(sail::JsonFields& fields, sail::Size wall) {
  std::vector<sail::Rect> areas;
  if (!fields.has("areas")) return areas;
  for (const sail::Json& item : fields.array("areas", sail::kMaxBlanks)) {
    const sail::Json object = {{"rect", item}};
    sail::JsonFields area(object, "areas");
    areas.push_back(area.rect("rect", sail::kMaxWindowOffset, sail::kMaxWindowSide));
    if (auto error = area.finish()) {
      fields.mistake(*std::move(error));
    } else if (sail::intersect(areas.back(), {0, 0, wall.width, wall.height}).empty()) {
      fields.mistake("areas", "must lie on the wall");
    }
  }
  if (areas.empty()) fields.mistake("areas", "must contain at least one rectangle");
  return areas;
}

// Checks that the caller may change all of these windows.
std::optional<sail::Error> refusal(const Call& call, const Desk& desk,
                                   const std::vector<uint32_t>& numbers) {
  for (const uint32_t number : numbers) {
    if (auto window = window_to_change(call, desk, number); !window) return window.error();
  }
  return std::nullopt;
}

struct Blanking {
  bool on = true;
  std::string text;
  std::vector<uint32_t> windows;
  std::vector<sail::Rect> areas;

  bool of_wall() const { return windows.empty() && areas.empty(); }
};

sail::Result<Blanking> read_blanking(const Call& call, const Desk& desk) {
  sail::JsonFields fields = call.fields();
  Blanking wanted;
  wanted.on = fields.boolean_or("on", true);
  wanted.text = fields.string_or("text", sail::kMaxBlankText, "");
  wanted.windows = window_numbers(fields);
  wanted.areas = wall_areas(fields, desk.wall().size);
  if (!wanted.on && fields.has("text")) fields.mistake("text", "needs 'on'");
  if (auto error = fields.finish()) return *error;
  if (auto refused = refusal(call, desk, wanted.windows)) return *refused;
  return wanted;
}

void blank_areas(const Blanking& wanted, std::vector<BlankArea>& areas) {
  for (const sail::Rect& rect : wanted.areas) {
    std::erase_if(areas, [&](const BlankArea& area) { return area.wall_rect == rect; });
    if (wanted.on) areas.push_back({rect, wanted.text});
  }
}

void blank_windows(const Blanking& wanted, const std::vector<uint32_t>& numbers,
                   Arrangement& arrangement) {
  for (const uint32_t number : numbers) {
    const WindowCover before = arrangement.windows().find(number)->cover;
    arrangement.set_cover(number, {.blank = wanted.on ? std::optional(wanted.text) : std::nullopt,
                                   .frozen = before.frozen,
                                   .mute = before.mute});
  }
}

// Receivers draw at most kMaxBlanks areas and texts of windows.
bool fits_scene(const Blanking& wanted, const std::vector<BlankArea>& areas, const Desk& desk) {
  size_t count = areas.size();
  if (!wanted.text.empty()) count += wanted.windows.size();
  for (const Window& window : desk.windows().bottom_to_top()) {
    const bool named = std::ranges::find(wanted.windows, window.number) != wanted.windows.end();
    if (!named && window.cover.blank && !window.cover.blank->empty()) ++count;
  }
  return count <= sail::kMaxBlanks;
}

sail::Json blanks_now(const Desk& desk) {
  sail::Json now = sail::Json::object();
  add_blanks(now, desk.arrangement().switches());
  sail::Json& windows = now["windows"] = sail::Json::array();
  for (const Window& window : desk.windows().bottom_to_top()) {
    if (window.cover.blank) windows.push_back(window.number);
  }
  return now;
}

}  // namespace

Answer blank(const Call& call, Desk& desk) {
  const auto wanted = read_blanking(call, desk);
  if (!wanted) return wanted.error();
  WallSwitches switches = desk.arrangement().switches();
  blank_areas(*wanted, switches.blank_areas);
  std::vector<uint32_t> windows = wanted->windows;
  if (wanted->of_wall()) {
    switches.blank = wanted->on;
    switches.blank_text = wanted->text;
  }
  if (wanted->of_wall() && !wanted->on) {
    switches.blank_areas.clear();
    windows = desk.windows().order();
  }
  if (wanted->on && !fits_scene(*wanted, switches.blank_areas, desk)) {
    return sail::fail(sail::ErrorCode::kLimit,
                      fmt::format("the wall can have at most {} blank areas and windows with a "
                                  "text: show some again first",
                                  sail::kMaxBlanks));
  }
  desk.change([&](Arrangement& arrangement) {
    arrangement.set(switches);
    blank_windows(*wanted, windows, arrangement);
  });
  return blanks_now(desk);
}

Answer freeze(const Call& call, Desk& desk) {
  sail::JsonFields fields = call.fields();
  const bool on = fields.boolean_or("on", true);
  const bool mute = fields.boolean_or("mute", false);
  std::vector<uint32_t> numbers = window_numbers(fields);
  if (!on && fields.has("mute")) fields.mistake("mute", "needs 'on'");
  if (auto error = fields.finish()) return *error;
  if (auto refused = refusal(call, desk, numbers)) return *refused;
  if (numbers.empty()) numbers = desk.windows().order();
  desk.change([&](Arrangement& arrangement) {
    for (const uint32_t number : numbers) {
      WindowCover cover = arrangement.windows().find(number)->cover;
      cover.frozen = on;
      cover.mute = mute;
      arrangement.set_cover(number, cover);
    }
  });
  sail::Json frozen = sail::Json::array();
  for (const Window& window : desk.windows().bottom_to_top()) {
    if (window.cover.frozen) frozen.push_back(window.number);
  }
  return sail::Json{{"frozen", std::move(frozen)}};
}

}  // namespace manager::verbs
