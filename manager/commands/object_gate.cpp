#include "manager/commands/object_gate.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "manager/commands/gate_scenes.h"
#include "manager/commands/gate_windows.h"
#include "manager/desk/desk.h"
#include "manager/events/event_scenes.h"
#include "manager/events/scheduler.h"
#include "manager/media/playlists.h"
#include "manager/peers/peers.h"
#include "manager/programs/players.h"
#include "manager/tours/tours.h"
#include "manager/wall/arrange.h"
#include "manager/wall/decoration.h"
#include "manager/wall/window_stack.h"
#include "sail/core/rpc/service_peer.h"
#include "sail/core/text/limits.h"

namespace manager {
namespace gate {
namespace {

using sail::Json;
using sail::Rect;

// --- verbs about media --------------------------------------------------------------------------

void sources(const Asked& asked) {
  for (const char* name : {"source", "fallback"}) {
    const std::string source = text_in(asked.params, name);
    if (!source.empty()) asked.touched.source(source);
  }
  for (const char* name : {"sources", "media"}) {
    for (const Json& item : list_in(asked.params, name)) {
      if (const auto* source = item.get_ptr<const std::string*>()) asked.touched.source(*source);
    }
  }
}

void camera(const Asked& asked) {
  windows<Act::kControl>(asked);
  const std::string source = text_in(asked.params, "source");
  if (!source.empty()) asked.touched.source(source, Act::kControl);
}

// Without a place, the window that opens is checked (opening/window_opener).
void play(const Asked& asked) {
  sources(asked);
  for (const char* name : {"place", "within"}) {
    if (const auto rect = rect_in(asked.params, name)) asked.touched.rect(Act::kDisplay, *rect);
  }
}

void replace(const Asked& asked) {
  windows<Act::kArrange>(asked);
  windows<Act::kDisplay>(asked);
  // The new content may fill more of the window's place than the former one.
  const Window* window = window_of(asked);
  if (window != nullptr) asked.touched.rect(Act::kDisplay, window->place);
  if (window != nullptr && window->before_maximised) {
    asked.touched.rect(Act::kDisplay, wall_rect(asked));
  }
  sources(asked);
}

void opening_close(const Asked& asked) {
  const auto number = window_in(asked.params, "opening");
  for (const Players::Opening& opening : asked.players.openings()) {
    if (number && opening.number == *number) asked.touched.rect(Act::kArrange, opening.rect);
  }
}

// --- verbs about areas --------------------------------------------------------------------------

void area_or_rect(const Asked& asked) {
  if (const auto rect = rect_in(asked.params, "rect"))
    return asked.touched.rect(Act::kDisplay, *rect);
  asked.touched.area(Act::kDisplay, text_in(asked.params, "area"));
}

void arrange(const Asked& asked) {
  windows<Act::kArrange>(asked);
  const std::string name = text_in(asked.params, "area");
  asked.touched.area(Act::kArrange, name);
  const sail::Tile* tile = asked.desk.wall().find_tile(name);
  const Partition* partition = asked.desk.arrangement().partitions().find(name);
  if (tile == nullptr && partition == nullptr) return;
  const Rect area = tile != nullptr ? tile->wall_rect : partition->rect;
  for (const Window& window : asked.desk.windows().bottom_to_top()) {
    if (!sail::intersect(window.wall_rect, area).empty()) {
      asked.touched.window(Act::kArrange, window.number);
    }
  }
}

void partition(const Asked& asked) {
  const std::string action = text_in(asked.params, "action");
  const std::string name = text_in(asked.params, "name");
  if (action == "set" || action == "remove") {
    asked.touched.partition(Act::kArrange, name);
    if (action == "set") windows_in_partition(asked, name);
    if (const auto rect = rect_in(asked.params, "rect")) asked.touched.rect(Act::kArrange, *rect);
    return;
  }
  asked.touched.wall(Act::kArrange);
  constexpr int kMost = static_cast<int>(kMostPartitions);
  const int columns = number_in(asked.params, "columns", kMost).value_or(0);
  const int rows = number_in(asked.params, "rows", kMost).value_or(0);
  const int count = std::min(columns * rows, kMost);
  for (int i = 1; i <= count; ++i) asked.touched.partition(Act::kArrange, std::to_string(i));
}

void tour_start(const Asked& asked) {
  sources(asked);
  area_or_rect(asked);
}

void tour(const Asked& asked) {
  const std::string name = text_in(asked.params, "name");
  for (const Json& one : asked.tours.json()) {
    if (text_in(one, "name") != name) continue;
    for (const Json& cell : list_in(one, "cells")) {
      if (const auto rect = rect_in(cell, "rect")) asked.touched.rect(Act::kDisplay, *rect);
    }
  }
}

void playlist_items(const Asked& asked) {
  for (const Json& item : list_in(asked.params, "items")) {
    if (const auto source = text_in(item, "source"); !source.empty()) asked.touched.source(source);
  }
}

// Without a place, a playlist that plays stays in its window; another one fills the wall.
void playlist_play(const Asked& asked) {
  const std::string name = text_in(asked.params, "name");
  if (const auto items = asked.playlists.find(name)) {
    for (const PlaylistItem& item : **items) asked.touched.source(item.medium);
  }
  tour(asked);
  if (const Window* window = window_of(asked)) {
    asked.touched.window(Act::kArrange, window->number);
    asked.touched.rect(Act::kDisplay, window->place);
    return;
  }
  const Json running = asked.tours.json();
  const bool stays =
      !asked.params.contains("area") && !asked.params.contains("rect") &&
      std::ranges::any_of(running, [&](const Json& one) { return text_in(one, "name") == name; });
  if (!stays) area_or_rect(asked);
}

// The new wallpaper or logo, and those that it replaces.
template <DecorationKind kKind>
void decoration(const Asked& asked) {
  sources(asked);
  const bool shows = asked.params.value("on", Json(true)) != Json(false);
  Decoration wanted{.kind = kKind, .area = text_in(asked.params, "area")};
  asked.touched.area(shows ? Act::kDisplay : Act::kArrange, wanted.area);
  const bool any_corner = !shows && !asked.params.contains("corner");
  wanted.corner = kCorners.find(text_in(asked.params, "corner")).value_or(wanted.corner);
  for (const Window& window : asked.desk.windows().bottom_to_top()) {
    if (!window.decorates() || window.hidden) continue;
    Decoration there = *window.content->decoration;
    if (any_corner) there.corner = wanted.corner;
    if (there.shares_place(wanted)) asked.touched.window(Act::kArrange, window.number);
  }
}

void blank(const Asked& asked) {
  sources(asked);
  const bool has_area = asked.params.contains("area");
  if (has_area) asked.touched.area(Act::kArrange, text_in(asked.params, "area"));
  if (has_area && !asked.params.contains("areas")) return windows<Act::kArrange>(asked);
  windows_or_wall(asked);
}

// --- verbs that act later -----------------------------------------------------------------------

// Event rules and the schedule act for the wall later, so the client that sets them needs the
// rights now.
void scene_of(const Asked& asked, const Json& item) {
  const std::string scene = text_in(item, "scene");
  if (!scene.empty()) asked.touched.shown_scene(scene, text_in(item, "area"));
}

// Checks the rules that are added and those that are dropped.
void event_rules(const Asked& asked) {
  const auto given = asked.params.find("rules");
  if (given == asked.params.end() || !given->is_array()) return;
  const auto check_others = [&](const Json& list, const Json& others) {
    for (const Json& rule : list) {
      const bool stays = std::find(others.begin(), others.end(), rule) != others.end();
      if (stays) continue;
      scene_of(asked, rule);
      // The windows that match later may be anywhere.
      if (!list_in(rule, "do").empty()) {
        for (const Act act : {Act::kDisplay, Act::kArrange, Act::kHear}) asked.touched.wall(act);
      }
      const std::string camera = text_in(rule, "camera");
      if (!camera.empty()) asked.touched.source(camera, Act::kControl);
    }
  };
  const Json& now = asked.events.rules().rules().json();
  check_others(*given, now);
  check_others(now, *given);
}

void touch(const Asked& asked, const std::string& verb);

// Checks the verbs of the entry as if the client called them now.
void schedule_entry(const Asked& asked, const Json& entry) {
  scene_of(asked, entry);
  for (const Json& item : list_in(entry, "do")) {
    const Json params = item.is_object() ? item.value("params", Json::object()) : Json();
    if (!params.is_object()) continue;
    touch({.params = params,
           .desk = asked.desk,
           .players = asked.players,
           .tours = asked.tours,
           .playlists = asked.playlists,
           .events = asked.events,
           .scheduler = asked.scheduler,
           .author = asked.author,
           .touched = asked.touched},
          text_in(item, "verb"));
  }
}

void dropped_entry(const Asked& asked, const std::string& name) {
  for (const Json& entry : asked.scheduler.entries()) {
    if (text_in(entry, "name") == name) schedule_entry(asked, entry);
  }
}

void schedule_add(const Asked& asked) {
  for (const Json& entry : list_in(asked.params, "entries")) {
    schedule_entry(asked, entry);
    dropped_entry(asked, text_in(entry, "name"));
  }
}

void schedule_remove(const Asked& asked) {
  dropped_entry(asked, text_in(asked.params, "name"));
}

// The client that locks an object may arrange it. The verb checks the client that unlocks it.
void rights_lock(const Asked& asked) {
  if (asked.params.value("on", Json(true)) == Json(false)) return;
  const std::string scene = text_in(asked.params, "scene");
  const std::string partition = text_in(asked.params, "partition");
  if (!scene.empty()) asked.touched.scene(Act::kArrange, scene);
  if (!partition.empty()) asked.touched.partition(Act::kArrange, partition);
}

template <bool kBack>
void step(const Asked& asked) {
  const HistoryEntry* next = asked.desk.arrangement().next_step(kBack, asked.author);
  if (next != nullptr) asked.touched.step(*next, kBack);
}

// A window that is to be heard alone mutes the others, apart from those that a presenter may not
// change.
void sound(const Asked& asked) {
  windows<Act::kHear>(asked);
  if (asked.params.value("solo", Json(false)) != Json(true)) return;
  for (const Window& other : asked.desk.windows().bottom_to_top()) {
    const bool is_left_alone = asked.author.only_own && other.opener != asked.author.key;
    if (!other.arranged() || other.sound.muted || is_left_alone) continue;
    asked.touched.window(Act::kHear, other.number);
  }
}

using Touch = void (*)(const Asked&);
const std::map<std::string_view, Touch>& touches() {
  static const std::map<std::string_view, Touch> kTouches = {
      {"annotate", annotate},
      {"annotate_clear", windows_or_wall},
      {"annotate_erase", annotate_erase},
      {"arrange", arrange},
      {"blank", blank},
      {"camera_move", camera},
      {"camera_presets", camera},
      {"close", windows<Act::kArrange>},
      {"control", control},
      {"drive", windows<Act::kControl>},
      {"event_rules", event_rules},
      {"fit", fit},
      {"freeze", windows_or_wall},
      {"group", windows<Act::kControl>},
      {"input", windows<Act::kControl>},
      {"label", windows<Act::kArrange>},
      {"layout_apply", layout},
      {"lock", windows<Act::kArrange>},
      {"logo", decoration<DecorationKind::kLogo>},
      {"look", windows<Act::kArrange>},
      {"lower", windows<Act::kArrange>},
      {"master_volume", whole_wall<Act::kHear>},
      {"maximise", maximise},
      {"move", move},
      {"opening_close", opening_close},
      {"partition", partition},
      {"place", place},
      {"play", play},
      {"raise", windows<Act::kArrange>},
      {"playlist_add", playlist_items},
      {"playlist_play", playlist_play},
      {"playlist_save", playlist_items},
      {"redo", step<false>},
      {"replace", replace},
      {"resize", resize},
      {"rights_lock", rights_lock},
      {"scene_show", scene_show},
      {"schedule_add", schedule_add},
      {"schedule_remove", schedule_remove},
      {"session_put", session_put},
      {"session_remove", saved_scene},
      {"session_restore", session_restore},
      {"session_save", session_save},
      {"sound", sound},
      {"speaker_notes", windows<Act::kControl>},
      {"swap", swap},
      {"tour_control", tour},
      {"tour_start", tour_start},
      {"tour_stop", tour},
      {"undo", step<true>},
      {"wallpaper", decoration<DecorationKind::kWallpaper>}};
  return kTouches;
}

void touch(const Asked& asked, const std::string& verb) {
  const auto found = touches().find(verb);
  if (found != touches().end()) found->second(asked);
}

}  // namespace
}  // namespace gate

Asker asker_of(const sail::ServicePeer& peer) {
  return {.key = peer.key_name(),
          .admin = peer.right() == sail::Right::kAdmin,
          .groups = peer.groups()};
}

bool ObjectGate::knows(std::string_view verb) {
  return gate::touches().contains(verb);
}

sail::Result<void> ObjectGate::admit(const sail::ServicePeer& peer, std::string_view verb,
                                     const sail::Json& params) const {
  if (parts_.rights.none()) return {};
  const auto touch = gate::touches().find(verb);
  if (touch == gate::touches().end() || !params.is_object()) return {};
  TouchedObjects touched(parts_, asker_of(peer));
  touch->second({.params = params,
                 .desk = parts_.desk,
                 .players = players_,
                 .tours = tours_,
                 .playlists = playlists_,
                 .events = events_,
                 .scheduler = scheduler_,
                 .author = author_of(peer),
                 .touched = touched});
  if (touched.refusal()) return *touched.refusal();
  return {};
}

}  // namespace manager
