#include "manager/sessions/saved_wall.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "manager/media/play_request.h"
#include "manager/peers/state_json.h"
#include "manager/wall/arrange.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"

namespace manager {
namespace {

using sail::Json;
using sail::JsonFields;

constexpr int kVersion = 1;

sail::Rect read_rect(JsonFields& fields, const char* name) {
  return fields.rect(name, sail::kMaxWindowOffset, sail::kMaxWindowSide);
}

sail::Size read_size(JsonFields& fields, const char* name, int most) {
  const auto [width, height] = fields.pair(name, 1, most);
  return {width, height};
}

Json playback_json(const sail::Playback& playback) {
  Json json = {{"position_s", playback.position_s},
               {"paused", playback.paused},
               {"rate", playback.rate},
               {"loop", playback.loop}};
  if (playback.volume) json["volume"] = *playback.volume;
  if (playback.page > 0) json["page"] = playback.page;
  if (!playback.tracks) return json;
  if (playback.tracks->subtitle) json["subtitle"] = *playback.tracks->subtitle;
  const int sound = playback.tracks->sound;
  if (sound != sail::kUsualSoundTrack) json["sound_track"] = sound;
  return json;
}

sail::Playback read_playback(JsonFields& of_window) {
  JsonFields fields(of_window.object("playback"), "playback");
  sail::Playback playback;
  playback.position_s = fields.number("position_s", 0, sail::kMaxPlaybackValue);
  playback.paused = fields.boolean_or("paused", false);
  // Applications may report any speed, but players accept only this range.
  playback.rate =
      std::clamp(fields.number("rate", 0, sail::kMaxPlaybackValue), sail::kMinRate, sail::kMaxRate);
  playback.loop = fields.boolean_or("loop", false);
  if (fields.has("volume")) playback.volume = fields.number("volume", 0, 1);
  playback.page = static_cast<int>(fields.integer_or("page", 0, sail::kMaxPages, 0));
  sail::FilmTracks tracks;  // only the choice is saved
  if (fields.has("subtitle")) {
    tracks.subtitle = static_cast<int>(
        fields.integer("subtitle", sail::kForcedSubtitleTrack, sail::kMaxSubtitleTrack));
  }
  tracks.sound = static_cast<int>(fields.integer_or(
      "sound_track", sail::kAllSoundTracks, sail::kMostSoundTracks, sail::kUsualSoundTrack));
  if (tracks != sail::FilmTracks()) playback.tracks = tracks;
  if (auto error = fields.finish_open()) of_window.mistake(std::move(*error));
  return playback;
}

WindowCover read_cover(JsonFields& of_window) {
  WindowCover cover;
  if (of_window.has("blank")) {
    JsonFields blank(of_window.object("blank"), "blank");
    cover.blank = blank.string_or("text", sail::kMaxBlankText, "");
    if (auto error = blank.finish_open()) of_window.mistake(std::move(*error));
  }
  if (of_window.has("frozen")) {
    JsonFields frozen(of_window.object("frozen"), "frozen");
    cover.frozen = true;
    cover.mute = frozen.boolean_or("mute", false);
    if (auto error = frozen.finish_open()) of_window.mistake(std::move(*error));
  }
  return cover;
}

WindowLabel read_label(JsonFields& of_window) {
  if (!of_window.has("label")) return {};
  JsonFields fields(of_window.object("label"), "label");
  WindowLabel label{.text = fields.string("text", sail::kMaxLabelLine)};
  if (fields.has("place")) kLabelPlaces.read(fields, "place", label.top);
  if (auto error = fields.finish_open()) of_window.mistake(std::move(*error));
  return label;
}

Json switches_json(const WallSwitches& switches) {
  Json json = {{"blank", switches.blank},
               {"volume", switches.sound.volume},
               {"muted", switches.sound.muted}};
  if (!switches.blank_text.empty()) json["blank_text"] = switches.blank_text;
  for (const BlankArea& area : switches.blank_areas) {
    json["blank_areas"].push_back({{"rect", sail::rect_json(area.wall_rect)}, {"text", area.text}});
  }
  return json;
}

WallSwitches read_switches(JsonFields& of_wall) {
  JsonFields fields(of_wall.object("switches"), "switches");
  WallSwitches switches{.blank = fields.boolean_or("blank", false),
                        .blank_text = fields.string_or("blank_text", sail::kMaxBlankText, ""),
                        .sound = {.volume = fields.number_or("volume", 0, 1, 1),
                                  .muted = fields.boolean_or("muted", false)}};
  if (fields.has("blank_areas")) {
    for (const Json& item : fields.array("blank_areas", sail::kMaxBlanks)) {
      JsonFields area(item, "blank_areas");
      switches.blank_areas.push_back(
          {read_rect(area, "rect"), area.string_or("text", sail::kMaxBlankText, "")});
      if (auto error = area.finish_open()) fields.mistake(std::move(*error));
    }
  }
  if (auto error = fields.finish_open()) of_wall.mistake(std::move(*error));
  return switches;
}

sail::Size shape_of(const SavedWindow& window) {
  return sail::shown_size(window.placement.look.value_or(sail::ViewTransform()), window.frame_size);
}

}  // namespace

Drawing read_drawing(JsonFields& of_object) {
  if (!of_object.has("drawing")) return {};
  std::vector<DrawnStroke> strokes;
  sail::objects(sail::kMaxStrokes).read(of_object, "drawing", strokes);
  return Drawing(std::move(strokes));
}

void add_drawing(Json& object, const Drawing& drawing) {
  for (const DrawnStroke& stroke : drawing.strokes()) {
    object["drawing"].push_back(sail::to_json(stroke));
  }
}

Json to_json(const WindowPlacement& placement) {
  Json json = {{"rect", sail::rect_json(placement.wall_rect)}, {"locked", placement.locked}};
  if (placement.before_maximised) {
    json["before_maximised"] = sail::rect_json(*placement.before_maximised);
  }
  const sail::Rect stood = placement.before_maximised.value_or(placement.wall_rect);
  if (placement.place && *placement.place != stood)
    json["place"] = sail::rect_json(*placement.place);
  if (placement.shape != sail::Size()) json["shape"] = sail::size_json(placement.shape);
  if (placement.look && *placement.look != sail::ViewTransform())
    json["look"] = to_json(*placement.look);
  if (placement.sound) {
    json["volume"] = placement.sound->volume;
    json["muted"] = placement.sound->muted;
  }
  if (placement.label) add_label(json, *placement.label);
  if (placement.hidden.value_or(false)) json["hidden"] = true;
  if (placement.drawing) add_drawing(json, *placement.drawing);
  return json;
}

WindowPlacement read_placement(JsonFields& fields) {
  WindowPlacement placement;
  placement.wall_rect = read_rect(fields, "rect");
  placement.locked = fields.boolean_or("locked", false);
  if (fields.boolean_or("hidden", false)) placement.hidden = true;
  if (fields.has("before_maximised")) {
    placement.before_maximised = read_rect(fields, "before_maximised");
  }
  if (fields.has("place")) placement.place = read_rect(fields, "place");
  if (fields.has("shape")) placement.shape = read_size(fields, "shape", sail::kMaxWindowSide);
  placement.look.emplace();
  if (fields.has("look")) sail::Object::read(fields, "look", *placement.look);
  if (fields.has("volume")) {
    placement.sound = {fields.number("volume", 0, 1), fields.boolean_or("muted", false)};
  }
  placement.label = read_label(fields);
  placement.drawing = read_drawing(fields);
  return placement;
}

Json to_json(const SavedWindow& window, SavedKind kind) {
  Json json = to_json(window.placement);
  json["number"] = window.number;
  json["title"] = window.title;
  json["owner"] = window.owner;
  json["frame_size"] = sail::size_json(window.frame_size);
  if (window.placement.shape == shape_of(window)) json.erase("shape");
  if (kind == SavedKind::kLayout) return json;
  add_cover(json, window.cover);
  if (window.content) json["content"] = to_json(*window.content);
  if (window.playback) json["playback"] = playback_json(*window.playback);
  if (window.group) json["group"] = *window.group;
  if (!window.mark.empty()) json["mark"] = window.mark;
  if (!window.thumbnail.is_null()) json["thumbnail"] = window.thumbnail;
  return json;
}

sail::Result<SavedWindow> saved_window_from_json(const Json& value, std::string where) {
  JsonFields fields(value, std::move(where));
  SavedWindow window;
  window.number =
      static_cast<uint32_t>(fields.integer("number", 1, std::numeric_limits<uint32_t>::max()));
  window.title = sail::make_plain_text(fields.raw_string("title", sail::kMaxTitleLength),
                                       sail::kMaxTitleLength);
  window.owner = fields.string_or("owner", sail::kMaxNameLength, "");
  window.frame_size = read_size(fields, "frame_size", sail::kMaxFrameSide);
  window.placement = read_placement(fields);
  if (window.placement.shape == sail::Size()) window.placement.shape = shape_of(window);
  if (fields.has("content")) {
    auto content = play_request_from_json(fields.object("content"), "content");
    if (content) {
      window.content = std::move(*content);
    } else {
      fields.mistake(content.error());
    }
  }
  if (fields.has("playback")) window.playback = read_playback(fields);
  if (fields.has("group")) {
    window.group = fields.string_or("group", sail::kMaxNameLength, "");
  } else if (window.content && !window.content->group.empty()) {
    window.group = window.content->group;  // The format of older versions.
  }
  window.cover = read_cover(fields);
  window.mark = fields.string_or("mark", sail::kMaxKeyName, "");
  if (fields.has("thumbnail")) window.thumbnail = fields.object("thumbnail");
  if (auto error = fields.finish_open()) return *error;
  return window;
}

Json to_json(const Partitions& partitions) {
  Json list = Json::array();
  for (const Partition& partition : partitions.all()) {
    list.push_back({{"name", partition.name}, {"rect", sail::rect_json(partition.rect)}});
  }
  return list;
}

sail::Result<Partitions> read_partitions(JsonFields& fields, sail::Size wall_size) {
  Partitions partitions;
  for (const Json& item : fields.array("partitions", kMostPartitions)) {
    JsonFields partition(item, "partitions");
    const std::string name = partition.string("name", sail::kMaxNameLength);
    const sail::Rect rect = read_rect(partition, "rect");
    if (auto error = partition.finish_open()) return *error;
    if (auto set = partitions.set({name, rect}, wall_size); !set) {
      return set.error();
    }
  }
  return partitions;
}

namespace {

std::deque<uint64_t> read_refused(JsonFields& of_wall) {
  std::deque<uint64_t> secrets;
  for (const Json& item : of_wall.array("refused", kMostRefusedStreams)) {
    JsonFields stream(item, "refused");
    secrets.push_back(stream.hex64("secret"));
    if (auto error = stream.finish_open()) of_wall.mistake(std::move(*error));
  }
  return secrets;
}

sail::Result<SavedWall> read_wall(const Json& document, SavedKind kind) {
  JsonFields fields(document, saved_kind_name(kind));
  if (fields.string("vitrail", sail::kMaxNameLength) != saved_kind_name(kind)) {
    fields.mistake("vitrail", fmt::format("must be \"{}\"", saved_kind_name(kind)));
  }
  fields.integer("version", 1, kVersion);
  SavedWall wall;
  wall.saved_at_s = fields.integer("saved_at", 0, int64_t{1} << 40);
  wall.wall_size = read_size(fields, "wall_size", sail::kMaxWallSide);
  wall.ended = fields.boolean_or("ended", false);
  std::set<uint32_t> numbers;
  const Json& windows = fields.array("windows", sail::kMaxWindows);
  for (size_t i = 0; i < windows.size(); ++i) {
    auto window = saved_window_from_json(windows[i], fmt::format("windows[{}]", i));
    if (!window) return window.error();
    if (!numbers.insert(window->number).second) {
      fields.mistake("windows", fmt::format("must not contain window {} twice", window->number));
    }
    wall.windows.push_back(std::move(*window));
  }
  auto partitions = read_partitions(fields, wall.wall_size);
  if (!partitions) return partitions.error();
  wall.partitions = std::move(*partitions);
  wall.drawing = read_drawing(fields);
  if (fields.has("switches")) wall.switches = read_switches(fields);
  if (fields.has("history")) wall.history = fields.object("history");
  if (fields.has("events")) wall.events = fields.object("events");
  if (fields.has("tours")) wall.tours = fields.array("tours", kMostTours);
  if (fields.has("refused")) wall.refused = read_refused(fields);
  if (auto error = fields.finish_open()) return *error;
  return wall;
}

}  // namespace

const char* saved_kind_name(SavedKind kind) {
  return kind == SavedKind::kLayout ? "layout" : "session";
}

Json to_json(const SavedWall& wall, SavedKind kind) {
  Json windows = Json::array();
  for (const SavedWindow& window : wall.windows) windows.push_back(to_json(window, kind));
  Json json = {{"vitrail", saved_kind_name(kind)}, {"version", kVersion},
               {"saved_at", wall.saved_at_s},      {"wall_size", sail::size_json(wall.wall_size)},
               {"windows", std::move(windows)},    {"partitions", to_json(wall.partitions)}};
  if (wall.ended) json["ended"] = true;
  add_drawing(json, wall.drawing);
  if (wall.switches) json["switches"] = switches_json(*wall.switches);
  if (!wall.history.is_null()) json["history"] = wall.history;
  if (!wall.events.is_null()) json["events"] = wall.events;
  if (!wall.tours.is_null()) json["tours"] = wall.tours;
  for (const uint64_t secret : wall.refused) {
    json["refused"].push_back({{"secret", sail::hex64_text(secret)}});
  }
  return json;
}

sail::Result<SavedWall> saved_wall_from_json(const Json& document, SavedKind kind) {
  auto wall = read_wall(document, kind);
  if (wall) return wall;
  return sail::fail(
      sail::ErrorCode::kBadData,
      fmt::format("not a {} of this version: {}", saved_kind_name(kind), wall.error().message));
}

bool is_newer(const Json& document) {
  const auto version = document.is_object() ? document.find("version") : document.end();
  return version != document.end() && version->is_number_integer() &&
         version->get<int64_t>() > kVersion;
}

SavedWall on_wall_of(SavedWall wall, sail::Size wall_size) {
  if (wall.wall_size == wall_size) return wall;
  const sail::Rect from{0, 0, wall.wall_size.width, wall.wall_size.height};
  const sail::Rect to{0, 0, wall_size.width, wall_size.height};
  const auto scaled = [&](const sail::Rect& rect, sail::Size content) {
    const sail::Rect on_wall = intersect(rect, from);
    // A window completely off the wall has no relative position.
    return on_wall.empty() ? fit_into(content, to) : follow_partition(on_wall, content, from, to);
  };
  for (SavedWindow& window : wall.windows) {
    const sail::Size content =
        window.placement.shape == sail::Size() ? shape_of(window) : window.placement.shape;
    window.placement.wall_rect = scaled(window.placement.wall_rect, content);
    if (window.placement.before_maximised) {
      window.placement.before_maximised = scaled(*window.placement.before_maximised, content);
    }
    if (std::optional<sail::Rect>& place = window.placement.place) {
      place = scaled(*place, {place->width, place->height});
    }
  }
  Partitions partitions;
  for (const Partition& partition : wall.partitions.all()) {
    const sail::Size size{partition.rect.width, partition.rect.height};
    // Cannot fail: there are no more than before, and all are within the wall.
    (void)partitions.set({partition.name, follow_partition(partition.rect, size, from, to)},
                         wall_size);
  }
  wall.partitions = std::move(partitions);
  wall.wall_size = wall_size;
  return wall;
}

}  // namespace manager
