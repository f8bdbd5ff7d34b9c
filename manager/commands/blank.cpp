// What people conceal: black areas and windows, with curtains, and frozen windows.
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "manager/commands/verbs.h"
#include "manager/desk/areas.h"
#include "manager/desk/curtains.h"
#include "manager/desk/desk.h"
#include "manager/media/play_request.h"
#include "manager/media/source_library.h"
#include "manager/peers/peers.h"
#include "manager/peers/state_json.h"
#include "manager/programs/players.h"
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

// An event conceals hidden windows again, and receivers have no pictures of them.
std::vector<uint32_t> shown_windows(const Desk& desk) {
  std::vector<uint32_t> numbers;
  for (const Window& window : desk.windows().bottom_to_top()) {
    if (!window.hidden) numbers.push_back(window.number);
  }
  return numbers;
}

// Each curtain is a program.
constexpr size_t kMostCurtains = 8;

struct Blanking {
  bool on = true;
  std::string text;
  std::string source;  // Picture of the curtains; empty: none.
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
  wanted.source = fields.string_or("source", kLongestMedium, "");
  const std::optional<std::string> area =
      fields.has("area") ? std::optional(fields.string("area", sail::kMaxNameLength))
                         : std::nullopt;
  for (const char* name : {"text", "source"}) {
    if (!wanted.on && fields.has(name)) fields.mistake(name, "needs 'on'");
  }
  if (auto error = fields.finish()) return *error;
  if (area) {
    const auto rect = area_named(desk.wall(), desk.arrangement().partitions(), *area);
    if (!rect) return rect.error();
    if (std::ranges::find(wanted.areas, *rect) == wanted.areas.end()) wanted.areas.push_back(*rect);
  }
  if (!wanted.source.empty() && wanted.windows.size() + wanted.areas.size() > kMostCurtains) {
    return sail::fail(
        sail::ErrorCode::kLimit,
        fmt::format("'source' can cover at most {} windows and areas at a time", kMostCurtains));
  }
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

// kLimit: too many areas and texts.
sail::Result<void> make_blank(const Blanking& wanted, Desk& desk) {
  WallSwitches switches = desk.arrangement().switches();
  blank_areas(wanted, switches.blank_areas);
  std::vector<uint32_t> windows = wanted.windows;
  if (wanted.of_wall()) {
    switches.blank = wanted.on;
    switches.blank_text = wanted.text;
  }
  if (wanted.of_wall() && !wanted.on) {
    switches.blank_areas.clear();
    windows = shown_windows(desk);
  }
  if (wanted.on && !fits_scene(wanted, switches.blank_areas, desk)) {
    return sail::fail(sail::ErrorCode::kLimit,
                      fmt::format("the wall can have at most {} blank areas and windows with a "
                                  "text: show some again first",
                                  sail::kMaxBlanks));
  }
  desk.change([&](Arrangement& arrangement) {
    arrangement.set(switches);
    blank_windows(wanted, windows, arrangement);
  });
  return {};
}

// A curtain that may be shown over what the request blanks.
struct Curtain {
  Decoration decoration;
  sail::Rect place;
};

std::vector<Curtain> curtains_of(const Blanking& wanted, const Desk& desk) {
  std::vector<Curtain> curtains;
  const auto add = [&](const sail::Rect& area, uint32_t window, const sail::Rect& place) {
    curtains.push_back(
        {{.kind = DecorationKind::kCurtain, .blank_area = area, .blank_window = window}, place});
  };
  const sail::Size wall = desk.wall().size;
  if (wanted.of_wall()) add({}, 0, {0, 0, wall.width, wall.height});
  for (const sail::Rect& area : wanted.areas) add(area, 0, area);
  for (const uint32_t number : wanted.windows)
    add({}, number, desk.windows().find(number)->wall_rect);
  return curtains;
}

bool is_replaced(const Decoration& former, const std::vector<Curtain>& curtains) {
  return std::ranges::any_of(
      curtains, [&](const Curtain& curtain) { return curtain.decoration.shares_place(former); });
}

// Replies once, when all curtains have opened or failed.
struct Opening {
  size_t left;
  sail::Result<void> result;
};

void show_curtains(const std::string& source, const std::vector<Curtain>& curtains,
                   const std::string& opener, Desk& desk, Players& players,
                   const SourceLibrary& library, const Reply& reply) {
  const auto opening = std::make_shared<Opening>(Opening{curtains.size(), {}});
  for (const Curtain& curtain : curtains) {
    const Decoration& decoration = curtain.decoration;
    const auto opened = [opening, decoration, &desk, reply](const sail::Result<uint32_t>& window) {
      if (window) {
        remove_curtains(desk, [&](const Decoration& other, uint32_t number) {
          return number != *window && other.shares_place(decoration);
        });
      } else if (opening->result) {
        opening->result = sail::fail(
            window.error().code, "cannot show the curtain's picture: " + window.error().message);
      }
      if (--opening->left > 0) return;
      reply(opening->result ? Answer(blanks_now(desk)) : Answer(opening->result.error()));
    };
    if (!desk.arrangement().is_blank(decoration)) {
      opened(sail::fail(sail::ErrorCode::kUnavailable, "it is shown again"));
      continue;
    }
    const auto request = decoration_request(library, source, decoration, curtain.place, opener);
    request ? players.play(*request, std::nullopt, opened) : opened(request.error());
  }
}

}  // namespace

void blank(const Call& call, Desk& desk, Players& players, SourceLibrary& library) {
  const auto wanted = read_blanking(call, desk);
  if (!wanted) return call.reply(wanted.error());
  if (auto done = make_blank(*wanted, desk); !done) return call.reply(done.error());
  const std::vector<Curtain> curtains = curtains_of(*wanted, desk);
  players.give_up(
      [&](const PlayRequest& request) {
        if (!is_curtain(request)) return false;
        return is_replaced(*request.decoration, curtains) ||
               !desk.arrangement().is_blank(*request.decoration);
      },
      "the curtain was removed before its window opened");
  if (wanted->source.empty()) {
    remove_curtains(desk, [&](const Decoration& curtain, uint32_t /*window*/) {
      return is_replaced(curtain, curtains);
    });
    return call.reply(blanks_now(desk));
  }
  // The file may be newer than the list of sources.
  library.refresh([source = wanted->source, curtains, opener = author_of(call.peer).key, &desk,
                   &players, &library, reply = call.reply] {
    show_curtains(source, curtains, opener, desk, players, library, reply);
  });
}

Answer freeze(const Call& call, Desk& desk) {
  sail::JsonFields fields = call.fields();
  const bool on = fields.boolean_or("on", true);
  const bool mute = fields.boolean_or("mute", false);
  std::vector<uint32_t> numbers = window_numbers(fields);
  if (!on && fields.has("mute")) fields.mistake("mute", "needs 'on'");
  if (auto error = fields.finish()) return *error;
  if (auto refused = refusal(call, desk, numbers)) return *refused;
  if (numbers.empty()) numbers = shown_windows(desk);
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
