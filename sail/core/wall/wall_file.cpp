// Reads wall files. All checks are here, so a Wall returned by parse_wall needs no further checks.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "sail/core/base/private_file.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"
#include "sail/core/wall/node_places.h"
#include "sail/core/wall/tile_grid.h"
#include "sail/core/wall/wall.h"

namespace sail {
namespace {

Error refuse(std::string sentence) {
  return {ErrorCode::kInvalidParams, std::move(sentence)};
}

// Reads an object of `outer`, without unknown keys.
template <typename Message>
Message read_part(JsonFields& outer, const char* key, const std::string& where) {
  JsonFields fields(outer.object(key), where, JsonFields::Report::kAll);
  auto part = read_fields<Message>(fields);
  if (auto error = fields.finish()) outer.mistake(*std::move(error));
  return part;
}

Size read_size(JsonFields& fields, const char* key, int max_side) {
  const auto [width, height] = fields.pair(key, 1, max_side);
  return {width, height};
}

Result<WallAudio> read_audio(const Json& object, const std::string& where) {
  JsonFields fields(object, where, JsonFields::Report::kAll);
  WallAudio audio;
  audio.receiver = fields.string("receiver", kMaxNameLength);
  check_name(fields, "receiver", audio.receiver);
  audio.device = fields.string_or("device", kMaxTitleLength, "");
  audio.channels = static_cast<int>(fields.integer_or("channels", 1, kMaxSoundChannels, 2));
  audio.latency_ms = static_cast<int>(fields.integer_or("latency_ms", 0, kSoundLatencyMs.max, 0));
  audio.pan = fields.boolean_or("pan", false);
  if (auto error = fields.finish()) return *error;
  return audio;
}

Result<Tile> read_tile(const Json& object, size_t index) {
  JsonFields fields(object, fmt::format("tiles[{}]", index), JsonFields::Report::kAll);
  Tile tile;
  tile.name = fields.string_or("name", kMaxNameLength, fmt::format("tile{}", index + 1));
  check_name(fields, "name", tile.name);
  tile.receiver = fields.string("receiver", kMaxNameLength);
  check_name(fields, "receiver", tile.receiver);
  const auto [x, y] = fields.pair("at", -kMaxWallSide, kMaxWallSide);
  tile.resolution = read_size(fields, "resolution", kMaxTileSide);
  tile.rotation = static_cast<int>(fields.integer_or("rotation", 0, 270, 0));
  if (tile.rotation % 90 != 0) fields.mistake("rotation", "must be 0, 90, 180 or 270");
  const Size size = fields.has("size") ? read_size(fields, "size", kMaxWallSide) : tile.upright();
  tile.wall_rect = {x, y, size.width, size.height};
  if (fields.has("window_at")) {
    tile.has_window_at = true;
    std::tie(tile.window_x, tile.window_y) =
        fields.pair("window_at", -kMaxWindowOffset, kMaxWindowOffset);
  }
  if (fields.has("output")) {
    tile.output = fields.string("output", kMaxNameLength);
    check_name(fields, "output", tile.output);
    if (tile.has_window_at) fields.mistake("output", "cannot be combined with 'window_at'");
  }
  if (fields.has("correction")) {
    tile.correction = read_part<Correction>(fields, "correction", fields.where() + ": correction");
  }
  if (fields.has("power")) tile.power = read_own_power(fields);
  if (auto error = fields.finish()) return *error;
  return tile;
}

Result<std::vector<Tile>> read_tiles(const Json& list) {
  if (list.empty()) return refuse("tiles: a wall needs at least one tile");
  std::vector<Tile> tiles;
  Mistakes mistakes;
  for (size_t i = 0; i < list.size(); ++i) {
    if (auto tile = mistakes.take(read_tile(list[i], i))) tiles.push_back(std::move(*tile));
  }
  if (mistakes.error()) return *mistakes.error();
  return tiles;
}

// Checks that every tile has a receiver of the list and every receiver a tile. Without a list, the
// receivers are those that the tiles name, in that order.
void match_receivers(Wall& wall, bool listed, Mistakes& mistakes) {
  std::unordered_set<std::string_view> known;
  for (const ReceiverPlace& receiver : wall.receivers) known.insert(receiver.name);
  std::unordered_set<std::string_view> used;
  for (const Tile& tile : wall.tiles) {
    if (listed && !known.contains(tile.receiver)) {
      mistakes.add(
          fmt::format("tiles: \"{}\" uses the receiver \"{}\", which \"receivers\" does not list",
                      tile.name, tile.receiver));
    }
    if (used.insert(tile.receiver).second && !listed) wall.receivers.push_back({tile.receiver, ""});
  }
  for (const ReceiverPlace& receiver : wall.receivers) {
    if (used.contains(receiver.name)) continue;
    mistakes.add(fmt::format("receivers: \"{}\" has no tile; add one or remove the receiver",
                             receiver.name));
  }
}

// Checks that each output of a receiver shows at most one tile.
void check_outputs(const std::vector<Tile>& tiles, Mistakes& mistakes) {
  for (size_t i = 0; i < tiles.size(); ++i) {
    const auto same = [&](const Tile& other) {
      return other.receiver == tiles[i].receiver && other.output == tiles[i].output;
    };
    const auto until = tiles.begin() + static_cast<ptrdiff_t>(i);
    const auto other = std::find_if(tiles.begin(), until, same);
    if (tiles[i].output.empty() || other == until) continue;
    mistakes.add(fmt::format("tiles: \"{}\" and \"{}\" use the same output of the receiver \"{}\"",
                             other->name, tiles[i].name, tiles[i].receiver));
  }
}

void fill_standby(const Json& object, Wall& wall, Mistakes& mistakes) {
  wall.standby = mistakes.take(read_standby(object));
  const auto is_taken = [](const auto& places) {
    return std::ranges::any_of(places,
                               [](const auto& one) { return one.name == StandbyPlace::kName; });
  };
  if (!is_taken(wall.receivers) && !is_taken(wall.apps)) return;
  mistakes.add(
      fmt::format("{0}: a receiver or an app is named \"{0}\", too: rename the receiver or app",
                  StandbyPlace::kName));
}

// Reads "audio": one object for one receiver, or a list. Names are not compared if there are no
// receivers, because their section is wrong then.
void fill_audio(const Json& given, Wall& wall, Mistakes& mistakes) {
  const Json list = given.is_array() ? given : Json::array({given});
  for (size_t i = 0; i < list.size(); ++i) {
    const std::string where = given.is_array() ? fmt::format("audio[{}]", i) : "audio";
    auto audio = mistakes.take(read_audio(list[i], where));
    if (!audio) continue;
    const auto has_name = [&](const auto& name) { return name == audio->receiver; };
    if (!wall.receivers.empty() &&
        std::ranges::none_of(wall.receivers, has_name, &ReceiverPlace::name)) {
      mistakes.add(
          fmt::format("{}: \"{}\" is not a receiver of this wall", where, audio->receiver));
    }
    if (std::ranges::any_of(wall.audio, has_name, &WallAudio::receiver)) {
      mistakes.add(fmt::format("{}: \"{}\" is listed twice", where, audio->receiver));
    }
    wall.audio.push_back(std::move(*audio));
  }
}

// Checks the tiles' names and positions. Moves the tiles so that their bounding box is at (0, 0).
void settle_tiles(Wall& wall, Mistakes& mistakes) {
  if (const auto name = repeated_name(wall.tiles)) {
    mistakes.add(
        fmt::format("tiles: the name \"{}\" is used twice; every tile needs its own", *name));
  }
  Rect box = wall.tiles.front().wall_rect;
  for (size_t i = 0; i < wall.tiles.size(); ++i) {
    const Rect& rect = wall.tiles[i].wall_rect;
    for (size_t k = 0; k < i; ++k) {
      if (intersect(rect, wall.tiles[k].wall_rect).empty()) continue;
      mistakes.add(
          fmt::format("tiles: \"{}\" and \"{}\" overlap; change \"at\" or \"size\" of one of them",
                      wall.tiles[k].name, wall.tiles[i].name));
      break;
    }
    box = Rect::from_edges(std::min(box.x, rect.x), std::min(box.y, rect.y),
                           std::max(box.right(), rect.right()),
                           std::max(box.bottom(), rect.bottom()));
  }
  if (box.width > kMaxWallSide || box.height > kMaxWallSide) {
    mistakes.add(fmt::format("the wall is {} × {} pixels; at most {} × {} are allowed", box.width,
                             box.height, kMaxWallSide, kMaxWallSide));
  }
  for (Tile& tile : wall.tiles) {
    tile.wall_rect.x -= box.x;
    tile.wall_rect.y -= box.y;
  }
  wall.size = {box.width, box.height};
}

// Fills in receivers and tiles. `listed`: wall.receivers holds the file's own list.
void fill_from_grid(const Json& object, bool listed, Wall& wall, Mistakes& mistakes) {
  const auto grid = mistakes.take(read_grid(object));
  if (!grid) return;
  auto receivers = mistakes.take(grid_receivers(*grid, std::move(wall.receivers), listed));
  if (!receivers) return;
  wall.receivers = std::move(*receivers);
  if (grid->pixel_pitch_mm > 0) wall.pixel_pitch_mm = grid->pixel_pitch_mm;
  wall.tiles = grid_tiles(*grid, wall.receivers);
}

void fill_from_tiles(const Json& list, bool listed, Wall& wall, Mistakes& mistakes) {
  auto tiles = mistakes.take(read_tiles(list));
  if (!tiles) return;
  wall.tiles = std::move(*tiles);
  match_receivers(wall, listed, mistakes);
  check_outputs(wall.tiles, mistakes);
}

// Reads the members that are single values.
void read_values(JsonFields& fields, Wall& wall) {
  wall.name = fields.string_or("name", kMaxNameLength, "wall");
  check_name(fields, "name", wall.name);
  if (fields.has("transport")) kTransports.read(fields, "transport", wall.transport);
  if (fields.has("lost")) kLostWindows.read(fields, "lost", wall.lost);
  wall.mtu = static_cast<int>(fields.integer_or("mtu", kMinMtu, kMaxMtu, kDefaultMtu));
  if (fields.has("multicast")) wall.multicast = read_multicast(fields, "multicast");
  wall.multicast_hops = static_cast<int>(fields.integer_or("multicast_hops", 1, kMaxHops, 1));
  if (fields.has("power_idle_min")) {
    wall.power_idle_min = fields.number("power_idle_min", 0.01, 1440);
  }
  if (fields.has("witness")) wall.witness = read_witness(fields, "witness");
  if (fields.has("pixel_pitch_mm")) wall.pixel_pitch_mm = read_pitch_mm(fields);
  if (fields.has("display")) {
    wall.display = read_part<codecs::DisplayColor>(fields, "display", "display");
  }
}

void check_layout(JsonFields& fields) {
  const bool is_grid = fields.has("grid");
  const bool is_tiles = fields.has("tiles");
  if (is_grid && is_tiles) fields.mistake("tiles", "cannot be combined with 'grid'");
  if (!is_grid && !is_tiles) {
    fields.mistake("grid", "is missing, and so is 'tiles': give one of them");
    fields.object("grid");  // known, so it can be suggested for a mistyped key
  }
}

}  // namespace

Result<Wall> parse_wall(std::string_view text) {
  const Result<Json> json = parse_json(text, kMaxWallFileBytes);
  if (!json) return json.error();

  JsonFields fields(*json, "wall", JsonFields::Report::kAll);
  Wall wall;
  read_values(fields, wall);
  const std::string launch = read_launch(fields);
  const bool listed = fields.has("receivers");
  const bool is_grid = fields.has("grid");
  const bool is_tiles = fields.has("tiles");
  check_layout(fields);
  static const Json kNone = Json::array();
  static const Json kNoKeys = Json::object();
  const Json& receivers = listed ? fields.array("receivers", kMaxTiles) : kNone;
  const Json& grid = is_grid ? fields.object("grid") : kNoKeys;
  const Json& tiles = is_tiles ? fields.array("tiles", kMaxTiles) : kNone;
  const Json& apps = fields.has("apps") ? fields.array("apps", kMaxTiles) : kNone;
  const bool has_standby = fields.has(StandbyPlace::kName);
  const Json& standby = has_standby ? fields.object(StandbyPlace::kName) : kNoKeys;
  const Json& manager = fields.has("manager") ? fields.object("manager") : kNoKeys;
  const bool has_proxy = fields.has("proxy");
  const Json& proxy = has_proxy ? fields.object("proxy") : kNoKeys;
  if (fields.has("power")) wall.power = read_own_power(fields);
  const Json& webhooks = fields.has("webhooks") ? fields.array("webhooks", kMaxWebhooks) : kNone;
  const bool audible = fields.has("audio");
  const Json& audio = !audible                      ? kNone
                      : (*json)["audio"].is_array() ? fields.array("audio", kMaxTiles)
                                                    : fields.object("audio");

  // Members of the wrong type were reported already; their parts are not checked.
  const auto is_good = [&](const char* name, const Json& part) {
    return fields.has(name) && &json->at(name) == &part;
  };
  Mistakes mistakes;
  if (auto error = fields.finish()) mistakes.add(*error);
  auto places = mistakes.take(read_receivers(receivers, launch));
  if (places) wall.receivers = std::move(*places);
  const bool settled = places && (!listed || is_good("receivers", receivers));
  if (is_good("grid", grid)) fill_from_grid(grid, listed && settled, wall, mistakes);
  if (is_good("tiles", tiles)) fill_from_tiles(tiles, listed && settled, wall, mistakes);
  if (!settled) wall.receivers.clear();  // nothing is compared with a wrong list
  if (auto read = mistakes.take(read_apps(apps, wall.receivers, launch))) {
    wall.apps = std::move(*read);
  }
  if (auto words = mistakes.take(read_manager(manager))) {
    wall.manager_arguments = std::move(*words);
  }
  if (is_good("proxy", proxy)) wall.proxy = mistakes.take(read_proxy(proxy));
  if (auto read = mistakes.take(read_webhooks(webhooks, "webhooks"))) {
    wall.webhooks = std::move(*read);
  }
  if (is_good(StandbyPlace::kName, standby)) fill_standby(standby, wall, mistakes);
  if (!wall.tiles.empty()) settle_tiles(wall, mistakes);
  if (is_good("audio", audio)) fill_audio(audio, wall, mistakes);
  if (mistakes.error()) return *mistakes.error();
  return wall;
}

Result<Wall> load_wall(const std::string& path) {
  const auto text = read_file(path, kMaxWallFileBytes);
  if (!text) return text.error();
  Result<Wall> wall = parse_wall(*text);
  if (!wall) return fail(wall.error().code, fmt::format("{}: {}", path, wall.error().message));
  return wall;
}

}  // namespace sail
