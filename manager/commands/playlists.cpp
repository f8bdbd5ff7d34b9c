// Playlists: named lists of media, and playing them as tours of one window.
#include "manager/media/playlists.h"

#include <fmt/core.h>

#include <algorithm>
#include <random>
#include <utility>

#include "manager/commands/verbs.h"
#include "manager/desk/desk.h"
#include "manager/media/media_rights.h"
#include "manager/media/play_request.h"
#include "manager/media/source_library.h"
#include "manager/tours/tour_sources.h"
#include "manager/tours/tours.h"
#include "sail/core/rpc/rpc_service.h"
#include "sail/core/text/limits.h"

namespace manager::verbs {
namespace {

std::string playlist_name(sail::JsonFields& fields) {
  std::string name = fields.string("name", sail::kMaxNameLength);
  if (name.empty()) fields.mistake("name", "must not be empty");
  return name;
}

// People count items from 1.
size_t item_position(sail::JsonFields& fields, const char* name) {
  return static_cast<size_t>(fields.integer(name, 1, int64_t{kMostPlaylistItems}) - 1);
}

// --- items

// A name stands for one source or, as a pattern, for all sources that match.
struct AskedItem {
  std::string source;
  int64_t stay_ms = 0;
};

std::vector<AskedItem> asked_items(sail::JsonFields& fields) {
  std::vector<AskedItem> items;
  for (const sail::Json& item : fields.array("items", kMostPlaylistItems)) {
    sail::JsonFields one(item, fmt::format("items[{}]", items.size()));
    items.push_back({one.raw_string("source", kLongestMedium), read_stay_ms(one)});
    if (items.back().source.empty()) one.mistake("source", "must not be empty");
    if (auto error = one.finish()) {
      fields.mistake(*std::move(error));
      return items;
    }
  }
  if (items.empty()) fields.mistake("items", "must contain at least one item");
  return items;
}

sail::Result<PlaylistItems> items_for(const SourceLibrary& library,
                                      const std::vector<AskedItem>& asked) {
  PlaylistItems items;
  for (const AskedItem& one : asked) {
    auto found = sources_named(library, one.source);
    if (!found) return found.error();
    for (PlaylistItem& item : *found) {
      item.stay_ms = one.stay_ms;
      items.push_back(std::move(item));
    }
    if (items.size() <= kMostPlaylistItems) continue;
    return sail::fail(
        sail::ErrorCode::kLimit,
        fmt::format("the names stand for more than {} items, the maximum", kMostPlaylistItems));
  }
  return items;
}

Answer playlist_json(const Playlists& playlists, const std::string& name) {
  const auto items = playlists.find(name);
  if (!items) return items.error();
  sail::Json list = sail::Json::array();
  for (const PlaylistItem& item : **items) {
    list.push_back({{"title", item.text()}});
    if (item.stay_ms > 0) list.back()["seconds"] = static_cast<double>(item.stay_ms) / 1000;
  }
  return sail::Json{{"name", name}, {"items", std::move(list)}};
}

// Requests all items with the rights of the key that adds them: the key that plays the playlist
// later may have more rights.
PlayRequest request_for(const PlaylistItems& items, const std::string& opener) {
  PlayRequest request;
  for (const PlaylistItem& item : items) request.media.push_back(item.medium);
  request.opener = opener;
  return request;
}

// Reads the name and the items, and changes the playlist.
void change_items(const Call& call, SourceLibrary& library, MediaRights& rights,
                  Playlists& playlists, bool adds) {
  sail::JsonFields fields = call.fields();
  const std::string name = playlist_name(fields);
  std::vector<AskedItem> asked = asked_items(fields);
  if (auto error = fields.finish()) return call.reply(*error);
  // A file may be newer than the list of sources.
  library.refresh([&library, &rights, &playlists, adds, name, asked = std::move(asked),
                   opener = call.peer.key_name(), reply = call.reply] {
    const auto items = items_for(library, asked);
    if (!items) return reply(items.error());
    const auto change = [&playlists, adds, name, items = *items,
                         reply](const sail::Result<void>& may) {
      if (!may) return reply(may.error());
      const auto changed = adds ? playlists.add(name, items) : playlists.save(name, items);
      if (!changed) return reply(changed.error());
      reply(playlist_json(playlists, name));
    };
    rights.check(request_for(*items, opener), change);
  });
}

sail::Json playlists_answer(const Playlists& playlists, const Tours& tours) {
  const sail::Json running = tours.json();
  sail::Json list = playlists.summary();
  for (sail::Json& one : list) {
    for (const sail::Json& tour : running) {
      if (tour.contains("playlist") && tour["name"] == one["name"]) one["plays"] = tour;
    }
  }
  return {{"playlists", std::move(list)}};
}

// --- playing

struct AskedPlaying {
  TourPlan plan;
  Tours::Beginning beginning;
};

// Reads where the playlist plays: in place of a window, in an area, or where it plays already.
sail::Result<void> read_playing_place(const Call& call, const Desk& desk, sail::JsonFields& fields,
                                      AskedPlaying& asked) {
  constexpr int kSmallestArea = 16;  // Wall pixels.
  const bool has_area = fields.has("area") || fields.has("rect");
  asked.beginning.stays = !has_area;
  const auto area = area_asked(desk, fields);
  if (area) asked.plan.area = *area;
  if (area && std::min(area->width, area->height) < kSmallestArea) {
    fields.mistake("rect", fmt::format("must have at least {0}×{0} wall pixels", kSmallestArea));
  }
  if (fields.has("window")) {
    asked.beginning.window = window_number(fields);
    asked.beginning.stays = false;
    if (has_area) fields.mistake("window", "excludes 'area' and 'rect'");
  }
  if (auto error = fields.finish()) return *error;
  if (!area) return area.error();
  if (asked.beginning.window == 0) return {};
  const auto window = find_placeable(call, desk, asked.beginning.window);
  if (!window) return window.error();
  asked.plan.area = (*window)->place;
  return {};
}

sail::Result<AskedPlaying> read_playing(const Call& call, const Desk& desk) {
  sail::JsonFields fields = call.fields();
  AskedPlaying asked;
  TourPlan& plan = asked.plan;
  plan.playlist = true;
  plan.opener = call.peer.key_name();
  plan.name = playlist_name(fields);
  plan.course.loop = fields.boolean_or("loop", false);
  if (fields.boolean_or("shuffle", false)) {
    std::uniform_int_distribution<uint64_t> seeds(1, sail::kMaxCounter);
    std::random_device device;
    plan.course.shuffle = seeds(device);
  }
  if (fields.has("start_at")) {
    asked.beginning.first = item_position(fields, "start_at");
    if (plan.course.shuffle != 0) fields.mistake("start_at", "and 'shuffle' cannot both be given");
  }
  if (const int64_t stay_ms = read_stay_ms(fields); stay_ms > 0) plan.every_ms = stay_ms;
  if (auto place = read_playing_place(call, desk, fields, asked); !place) return place.error();
  return asked;
}

}  // namespace

void playlist_save(const Call& call, SourceLibrary& library, MediaRights& rights,
                   Playlists& playlists) {
  change_items(call, library, rights, playlists, false);
}

void playlist_add(const Call& call, SourceLibrary& library, MediaRights& rights,
                  Playlists& playlists) {
  change_items(call, library, rights, playlists, true);
}

Answer playlist_move(const Call& call, Playlists& playlists) {
  sail::JsonFields fields = call.fields();
  const std::string name = playlist_name(fields);
  const size_t item = item_position(fields, "item");
  const size_t to = item_position(fields, "to");
  if (auto error = fields.finish()) return *error;
  if (auto moved = playlists.move(name, item, to); !moved) return moved.error();
  return playlist_json(playlists, name);
}

Answer playlist_remove(const Call& call, Playlists& playlists) {
  sail::JsonFields fields = call.fields();
  const std::string name = playlist_name(fields);
  const size_t item = item_position(fields, "item");
  if (auto error = fields.finish()) return *error;
  if (auto removed = playlists.remove(name, item); !removed) return removed.error();
  return playlist_json(playlists, name);
}

Answer playlist_delete(const Call& call, Playlists& playlists, const Tours& tours) {
  const auto name = only_name(call);
  if (!name) return name.error();
  if (auto erased = playlists.erase(*name); !erased) return erased.error();
  return playlists_answer(playlists, tours);
}

Answer playlist_get(const Call& call, const Playlists& playlists) {
  const auto name = only_name(call);
  if (!name) return name.error();
  return playlist_json(playlists, *name);
}

Answer playlist_list(const Call& /*call*/, const Playlists& playlists, const Tours& tours) {
  return playlists_answer(playlists, tours);
}

void playlist_play(const Call& call, const Desk& desk, const Playlists& playlists, Tours& tours) {
  auto asked = read_playing(call, desk);
  if (!asked) return call.reply(asked.error());
  const auto items = playlists.find(asked->plan.name);
  if (!items) return call.reply(items.error());
  asked->plan.sources = **items;
  if (asked->plan.sources.size() <= asked->beginning.first) {
    return call.reply(sail::fail(
        sail::ErrorCode::kConflict,
        fmt::format("the playlist '{}' has {} items: it cannot start at item {}", asked->plan.name,
                    asked->plan.sources.size(), asked->beginning.first + 1)));
  }
  tours.start(std::move(asked->plan), asked->beginning, call.reply);
}

}  // namespace manager::verbs
