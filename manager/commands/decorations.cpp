// Wallpapers and logos, of the wall, a tile or a partition.
#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "manager/commands/verbs.h"
#include "manager/desk/areas.h"
#include "manager/desk/desk.h"
#include "manager/media/play_request.h"
#include "manager/media/source_library.h"
#include "manager/peers/peers.h"
#include "manager/programs/players.h"
#include "manager/sessions/undo_steps.h"
#include "manager/tours/tour_sources.h"
#include "manager/wall/decoration.h"

namespace manager::verbs {

namespace {

struct WantedDecoration {
  Decoration decoration;
  bool any_corner = false;  // remove the logos in all corners
  bool on = true;
  std::string source{};
  sail::Rect place{};  // Area of a wallpaper, box of a logo.
  Author author{};
};

void read_logo(sail::JsonFields& fields, WantedDecoration& wanted, double& size) {
  constexpr double kUsualSize = 0.15;
  constexpr double kSmallest = 0.01;
  wanted.any_corner = !wanted.on && !fields.has("corner");
  if (fields.has("corner")) kCorners.read(fields, "corner", wanted.decoration.corner);
  size = fields.number_or("size", kSmallest, 1, kUsualSize);
}

sail::Result<WantedDecoration> read_decoration(const Call& call, const Desk& desk, bool logo) {
  sail::JsonFields fields = call.fields();
  WantedDecoration wanted{
      .decoration = {.kind = logo ? DecorationKind::kLogo : DecorationKind::kWallpaper},
      .author = author_of(call.peer)};
  Decoration& decoration = wanted.decoration;
  wanted.on = fields.boolean_or("on", true);
  wanted.source = fields.string_or("source", kLongestMedium, "");
  if (wanted.on && wanted.source.empty()) {
    fields.mistake("source", "must name a picture, unless 'on' is false");
  }
  if (!wanted.on && fields.has("source")) fields.mistake("source", "needs 'on'");
  decoration.area = fields.string_or("area", sail::kMaxNameLength, "");
  double size = 0;
  if (logo) {
    read_logo(fields, wanted, size);
  } else if (fields.has("fit")) {
    kWallpaperFits.read(fields, "fit", decoration.fit);
  }
  if (auto error = fields.finish()) return *error;
  // A wallpaper can be removed even if its partition is gone.
  if (!wanted.on) return wanted;
  const auto area = area_named(desk.wall(), desk.arrangement().partitions(), decoration.area);
  if (!area) return area.error();
  wanted.place = logo ? logo_box(*area, decoration.corner, size) : *area;
  return wanted;
}

// Whether the wanted decoration replaces this one.
bool is_there(Decoration decoration, const WantedDecoration& wanted) {
  if (wanted.any_corner) decoration.corner = wanted.decoration.corner;
  return decoration.shares_place(wanted.decoration);
}

// The open windows, bottom to top, that the wanted decoration replaces.
std::vector<uint32_t> windows_there(const Desk& desk, const WantedDecoration& wanted) {
  std::vector<uint32_t> numbers;
  for (const Window& window : desk.windows().bottom_to_top()) {
    if (!window.decorates() || window.hidden || desk.closes(window.number)) continue;
    if (is_there(*window.content->decoration, wanted)) numbers.push_back(window.number);
  }
  return numbers;
}

void show_decoration(const WantedDecoration& wanted, Desk& desk, Players& players,
                     const SourceLibrary& library, UndoSteps& steps,
                     const sail::RpcPeer::Reply& reply) {
  const auto request = decoration_request(library, wanted.source, wanted.decoration, wanted.place,
                                          wanted.author.key);
  if (!request) return reply(request.error());
  const std::vector<uint32_t> former = windows_there(desk, wanted);
  const auto shown = [&desk, &steps, wanted, reply](const sail::Result<uint32_t>& window) {
    if (!window) return reply(window.error());
    // Another request may have shown one at the same time.
    for (const uint32_t other : windows_there(desk, wanted)) {
      if (other != *window) steps.replace(other, *window, wanted.author);
    }
    reply(sail::Json{{"window", *window}});
  };
  players.play(*request, wanted.author, shown, {.window = former.empty() ? 0 : former.back()});
}

// Closes the windows, and ends the players whose window would be there.
void remove_decorations(const WantedDecoration& wanted, const Desk& desk, Players& players,
                        UndoSteps& steps, const sail::RpcPeer::Reply& reply) {
  const size_t openings = players.give_up(
      [&](const PlayRequest& request) {
        return request.decoration && is_there(*request.decoration, wanted);
      },
      fmt::format("the {} was removed before its window opened",
                  kDecorationKinds.word(wanted.decoration.kind)));
  const std::vector<uint32_t> numbers = windows_there(desk, wanted);
  steps.close(numbers, wanted.author, [numbers, openings, reply](const auto& /*forced*/) {
    sail::Json result = {{"windows", numbers}};
    if (openings > 0) result["openings"] = openings;
    reply(std::move(result));
  });
}

void decorate(const Call& call, bool logo, Desk& desk, Players& players, SourceLibrary& library,
              UndoSteps& steps) {
  auto wanted = read_decoration(call, desk, logo);
  if (!wanted) return call.reply(wanted.error());
  if (!wanted->on) return remove_decorations(*wanted, desk, players, steps, call.reply);
  // The file may be newer than the list of sources.
  library.refresh(
      [wanted = *std::move(wanted), &desk, &players, &library, &steps, reply = call.reply] {
        show_decoration(wanted, desk, players, library, steps, reply);
      });
}

}  // namespace

sail::Result<PlayRequest> decoration_request(const SourceLibrary& library,
                                             const std::string& source,
                                             const Decoration& decoration, const sail::Rect& place,
                                             const std::string& opener) {
  const auto found = sources_named(library, source);
  if (!found) return found.error();
  if (found->size() > 1) {
    return sail::fail(sail::ErrorCode::kInvalidParams,
                      fmt::format("the name stands for {} sources: name one", found->size()));
  }
  PlayRequest request;
  request.media = {found->front().medium};
  request.place = place;
  request.at_end = AtEnd::kLoop;
  request.opener = opener;
  request.decoration = decoration;
  return request;
}

void wallpaper(const Call& call, Desk& desk, Players& players, SourceLibrary& library,
               UndoSteps& steps) {
  decorate(call, false, desk, players, library, steps);
}

void logo(const Call& call, Desk& desk, Players& players, SourceLibrary& library,
          UndoSteps& steps) {
  decorate(call, true, desk, players, library, steps);
}

}  // namespace manager::verbs
