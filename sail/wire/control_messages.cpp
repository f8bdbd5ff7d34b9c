#include "sail/wire/control_messages.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>
#include <type_traits>
#include <utility>

#include "sail/wire/text.h"

namespace sail {
namespace {

constexpr std::pair<Role, const char*> kRoleNames[] = {
    {Role::kUi, "ui"}, {Role::kApplication, "application"}, {Role::kReceiver, "receiver"}};
constexpr const char* kEventTypes[] = {"close", "pause", "resume", "seek", "rate"};
constexpr size_t kMaxTypeLength = 32;
constexpr size_t kMaxHostLength = 64;
constexpr double kMaxMeasure = 1e12;    // of measured values, whatever their unit
constexpr double kMaxEventValue = 1e9;  // seconds, times

// The value, or the first mistake in its fields.
template <typename T>
Result<T> checked(const JsonFields& fields, T value) {
  if (auto error = fields.finish_open()) return tl::make_unexpected(*std::move(error));
  return value;
}

uint64_t counter(JsonFields& fields, const char* name, int64_t min = 0) {
  return static_cast<uint64_t>(fields.integer(name, min, static_cast<int64_t>(kMaxCounter)));
}

uint32_t stream_number(JsonFields& fields, const char* name) {
  return static_cast<uint32_t>(fields.integer(name, 1, std::numeric_limits<uint32_t>::max()));
}

int64_t time_ns(JsonFields& fields, const char* name) {
  return fields.integer(name, 0, kMaxTimeNs);
}

double measure(JsonFields& fields, const char* name) {
  return fields.number(name, 0, kMaxMeasure);
}

Size size(JsonFields& fields, const char* name, int max_side) {
  const auto [width, height] = fields.pair(name, 1, max_side);
  return {width, height};
}

Size block_size(JsonFields& fields) {
  const auto [width, height] = fields.pair("block_size", kMinBlockSide, kMaxBlockSide);
  if (!is_block_side(width) || !is_block_side(height)) {
    fields.mistake("block_size", "must be two multiples of 4");
  }
  return {width, height};
}

Rect window_rect(JsonFields& fields, const char* name) {
  return fields.rect(name, kMaxWindowOffset, kMaxWindowSide);
}

std::string name(JsonFields& fields, const char* field, size_t max_bytes) {
  std::string text = fields.string(field, max_bytes);
  if (text.empty()) fields.mistake(field, "must not be empty");
  return text;
}

// Reads each item of a list with read(item, where), which gives a Result.
template <typename Read>
auto list(JsonFields& fields, const char* name, size_t max_items, const char* where,
          const Read& read) {
  using Item = typename std::invoke_result_t<Read, const Json&, std::string>::value_type;
  std::vector<Item> items;
  const Json& values = fields.array(name, max_items);
  items.reserve(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    auto item = read(values[i], fmt::format("{}: {}[{}]", where, name, i));
    if (!item) {
      fields.mistake(std::move(item).error());
      break;
    }
    items.push_back(*std::move(item));
  }
  return items;
}

// Refuses a list in which two items share the key.
template <typename Items, typename Key>
void check_distinct(JsonFields& fields, const char* name, const Items& items, const Key& key) {
  std::set<std::decay_t<decltype(key(items[0]))>> seen;
  for (const auto& item : items) {
    if (seen.insert(key(item)).second) continue;
    fields.mistake(name, fmt::format("names {} twice", key(item)));
    return;
  }
}

template <typename Item>
Json list_json(const std::vector<Item>& items, Json (*item_json)(const Item&)) {
  Json list = Json::array();
  for (const Item& item : items) list.push_back(item_json(item));
  return list;
}

Result<TileInfo> read_tile(const Json& value, std::string where) {
  JsonFields fields(value, std::move(where));
  TileInfo tile;
  tile.name = name(fields, "name", kMaxNameLength);
  tile.wall_rect = fields.rect("wall_rect", kMaxWallSide, kMaxWallSide);
  tile.resolution = size(fields, "resolution", kMaxTileSide);
  tile.rotation = static_cast<int>(fields.integer("rotation", 0, 270));
  if (tile.rotation % 90 != 0) fields.mistake("rotation", "must be 0, 90, 180 or 270");
  tile.has_window_at = fields.has("window_at");
  if (tile.has_window_at) {
    std::tie(tile.window_x, tile.window_y) =
        fields.pair("window_at", -kMaxWindowOffset, kMaxWindowOffset);
  }
  return checked(fields, std::move(tile));
}

Json scene_window_json(const SceneWindow& window) {
  return {{"window", window.window},
          {"secret", hex64_text(window.secret)},
          {"wall_rect", rect_json(window.wall_rect)},
          {"frame_size", size_json(window.frame_size)},
          {"block_size", size_json(window.block_size)}};
}

Result<SceneWindow> read_scene_window(const Json& value, std::string where) {
  JsonFields fields(value, std::move(where));
  SceneWindow window;
  window.window = stream_number(fields, "window");
  window.secret = fields.hex64("secret");
  window.wall_rect = window_rect(fields, "wall_rect");
  window.frame_size = size(fields, "frame_size", kMaxFrameSide);
  window.block_size = block_size(fields);
  return checked(fields, window);
}

Json go_frame_json(const Go::Frame& frame) {
  return {{"stream", frame.stream}, {"frame", frame.frame}, {"epoch", frame.epoch}};
}

Result<Go::Frame> read_go_frame(const Json& value, std::string where) {
  JsonFields fields(value, std::move(where));
  Go::Frame frame;
  frame.stream = stream_number(fields, "stream");
  frame.frame = counter(fields, "frame", 1);
  frame.epoch = counter(fields, "epoch");
  return checked(fields, frame);
}

Json block_rect_json(const BlockRect& blocks) {
  return Json::array({blocks.column, blocks.row, blocks.columns, blocks.rows});
}

Result<BlockRect> read_block_rect(const Json& value, const std::string& where) {
  const auto is_number = [](const Json& number) {
    return number.is_number_unsigned() && number.get<uint64_t>() <= kMaxBlocksPerSide;
  };
  if (value.is_array() && value.size() == 4 && std::all_of(value.begin(), value.end(), is_number)) {
    const BlockRect blocks{value[0].get<int>(), value[1].get<int>(), value[2].get<int>(),
                           value[3].get<int>()};
    if (blocks.columns > 0 && blocks.rows > 0 &&
        blocks.column + blocks.columns <= kMaxBlocksPerSide &&
        blocks.row + blocks.rows <= kMaxBlocksPerSide) {
      return blocks;
    }
  }
  return fail(ErrorCode::kInvalidParams,
              fmt::format("{}: must be [column, row, columns, rows] within {} blocks a side", where,
                          kMaxBlocksPerSide));
}

Json route_json(const Route& route) {
  return {{"receiver", route.receiver},
          {"host", route.host},
          {"port", route.port},
          {"blocks", list_json(route.blocks, block_rect_json)}};
}

Result<Route> read_route(const Json& value, std::string where) {
  JsonFields fields(value, where);
  Route route;
  route.receiver = name(fields, "receiver", kMaxNameLength);
  route.host = name(fields, "host", kMaxHostLength);
  route.port = static_cast<uint16_t>(fields.integer("port", 1, 65535));
  route.blocks = list(fields, "blocks", kMaxRouteRects, where.c_str(), read_block_rect);
  if (route.blocks.empty()) fields.mistake("blocks", "must not be empty");
  return checked(fields, std::move(route));
}

Result<std::string> read_codec(const Json& value, const std::string& where) {
  const auto* text = value.get_ptr<const std::string*>();
  if (text != nullptr && !text->empty() && text->size() <= kMaxNameLength && is_plain_text(*text)) {
    return *text;
  }
  return fail(ErrorCode::kInvalidParams, where + ": must be the name of a codec");
}

}  // namespace

Json to_json(const Hello& hello) {
  Json json{{"protocol", hello.protocol}, {"token", hello.token}, {"name", hello.name}};
  for (const auto& [role, role_name] : kRoleNames) {
    if (role == hello.role) json["role"] = role_name;
  }
  if (hello.role == Role::kReceiver) json["data_port"] = hello.data_port;
  return json;
}

Result<Hello> hello_from_json(const Json& params) {
  JsonFields fields(params, "hello");
  Hello hello;
  const std::string role = fields.string("role", kMaxTypeLength);
  const auto* known = std::find_if(std::begin(kRoleNames), std::end(kRoleNames),
                                   [&](const auto& entry) { return role == entry.second; });
  if (known != std::end(kRoleNames)) {
    hello.role = known->first;
  } else {
    fields.mistake("role", R"(must be "ui", "application" or "receiver")");
  }
  hello.protocol = static_cast<int>(fields.integer("protocol", 1, 1'000'000));
  hello.token = fields.string_or("token", kMaxTokenLength, "");
  if (hello.role == Role::kReceiver) {
    hello.name = name(fields, "name", kMaxNameLength);
    hello.data_port = static_cast<uint16_t>(fields.integer("data_port", 1, 65535));
  } else {
    hello.name = fields.string_or("name", kMaxNameLength, "");
  }
  return checked(fields, std::move(hello));
}

Json to_json(const TileInfo& tile) {
  Json json{{"name", tile.name},
            {"wall_rect", rect_json(tile.wall_rect)},
            {"resolution", size_json(tile.resolution)},
            {"rotation", tile.rotation}};
  if (tile.has_window_at) json["window_at"] = Json::array({tile.window_x, tile.window_y});
  return json;
}

Result<TileInfo> tile_from_json(const Json& value) {
  return read_tile(value, "tile");
}

Json to_json(const ReceiverWelcome& welcome) {
  return {{"wall", welcome.wall},
          {"wall_size", size_json(welcome.wall_size)},
          {"tiles", list_json(welcome.tiles, to_json)}};
}

Result<ReceiverWelcome> receiver_welcome_from_json(const Json& result) {
  JsonFields fields(result, "hello");
  ReceiverWelcome welcome;
  welcome.wall = fields.string("wall", kMaxTitleLength);
  welcome.wall_size = size(fields, "wall_size", kMaxWallSide);
  welcome.tiles = list(fields, "tiles", kMaxTiles, "hello", read_tile);
  check_distinct(fields, "tiles", welcome.tiles, [](const TileInfo& tile) { return tile.name; });
  return checked(fields, std::move(welcome));
}

Json to_json(const Scene& scene) {
  return {{"epoch", scene.epoch},
          {"windows", list_json(scene.windows, scene_window_json)},
          {"identify", scene.identify}};
}

Result<Scene> scene_from_json(const Json& params) {
  JsonFields fields(params, "scene");
  Scene scene;
  scene.epoch = counter(fields, "epoch");
  scene.windows = list(fields, "windows", kMaxWindows, "scene", read_scene_window);
  check_distinct(fields, "windows", scene.windows,
                 [](const SceneWindow& window) { return window.window; });
  scene.identify = fields.boolean_or("identify", false);
  return checked(fields, std::move(scene));
}

Json to_json(const Ready& ready) {
  return {{"stream", ready.stream},
          {"frame", ready.frame},
          {"epoch", ready.epoch},
          {"render_ns", ready.render_ns}};
}

Result<Ready> ready_from_json(const Json& params) {
  JsonFields fields(params, "ready");
  Ready ready;
  ready.stream = stream_number(fields, "stream");
  ready.frame = counter(fields, "frame", 1);
  ready.epoch = counter(fields, "epoch");
  ready.render_ns = time_ns(fields, "render_ns");
  return checked(fields, ready);
}

Json to_json(const Go& go) {
  return {{"at_ns", go.at_ns},
          {"scene_epoch", go.scene_epoch},
          {"frames", list_json(go.frames, go_frame_json)}};
}

Result<Go> go_from_json(const Json& params) {
  JsonFields fields(params, "go");
  Go go;
  go.at_ns = time_ns(fields, "at_ns");
  go.scene_epoch = counter(fields, "scene_epoch");
  go.frames = list(fields, "frames", kMaxWindows, "go", read_go_frame);
  check_distinct(fields, "frames", go.frames, [](const Go::Frame& frame) { return frame.stream; });
  return checked(fields, std::move(go));
}

Json to_json(const OpenStream& open) {
  Json json{{"title", open.title},
            {"frame_size", size_json(open.frame_size)},
            {"block_size", size_json(open.block_size)},
            {"codecs", open.codecs}};
  if (open.has_place) json["place"] = rect_json(open.place);
  return json;
}

Result<OpenStream> open_stream_from_json(const Json& params) {
  JsonFields fields(params, "open_stream");
  OpenStream open;
  open.title = fields.string("title", kMaxTitleLength);
  open.frame_size = size(fields, "frame_size", kMaxFrameSide);
  open.block_size = block_size(fields);
  open.codecs = list(fields, "codecs", kMaxCodecNames, "open_stream", read_codec);
  if (open.codecs.empty()) fields.mistake("codecs", "must not be empty");
  open.has_place = fields.has("place");
  if (open.has_place) open.place = window_rect(fields, "place");
  return checked(fields, std::move(open));
}

Json to_json(const StreamOpened& opened) {
  return {
      {"stream", opened.stream}, {"secret", hex64_text(opened.secret)}, {"codec", opened.codec}};
}

Result<StreamOpened> stream_opened_from_json(const Json& result) {
  JsonFields fields(result, "open_stream");
  StreamOpened opened;
  opened.stream = stream_number(fields, "stream");
  opened.secret = fields.hex64("secret");
  opened.codec = name(fields, "codec", kMaxNameLength);
  return checked(fields, std::move(opened));
}

Json to_json(const Routes& routes) {
  return {{"stream", routes.stream},
          {"epoch", routes.epoch},
          {"wall_rect", rect_json(routes.wall_rect)},
          {"routes", list_json(routes.routes, route_json)}};
}

Result<Routes> routes_from_json(const Json& params) {
  JsonFields fields(params, "routes");
  Routes routes;
  routes.stream = stream_number(fields, "stream");
  routes.epoch = counter(fields, "epoch");
  routes.wall_rect = window_rect(fields, "wall_rect");
  routes.routes = list(fields, "routes", kMaxTiles, "routes", read_route);
  check_distinct(fields, "routes", routes.routes,
                 [](const Route& route) { return route.receiver; });
  size_t rects = 0;
  for (const Route& route : routes.routes) rects += route.blocks.size();
  if (rects > kMaxRouteRects) {
    fields.mistake("routes", fmt::format("have more than {} block rectangles", kMaxRouteRects));
  }
  return checked(fields, std::move(routes));
}

Json to_json(const AppEvent& event) {
  Json json{{"stream", event.stream}, {"type", event.type}};
  if (event.type == "seek" || event.type == "rate") json["value"] = event.value;
  return json;
}

Result<AppEvent> app_event_from_json(const Json& params) {
  JsonFields fields(params, "event");
  AppEvent event;
  event.stream = stream_number(fields, "stream");
  event.type = fields.string("type", kMaxTypeLength);
  if (std::find(std::begin(kEventTypes), std::end(kEventTypes), event.type) ==
      std::end(kEventTypes)) {
    fields.mistake("type", R"(must be "close", "pause", "resume", "seek" or "rate")");
  }
  if (event.type == "seek" || event.type == "rate") {
    event.value = fields.number("value", 0, kMaxEventValue);
  }
  return checked(fields, std::move(event));
}

Json to_json(const StreamStats& stats) {
  return {{"stream", stats.stream},
          {"frames_submitted", stats.frames_submitted},
          {"frames_sent", stats.frames_sent},
          {"frames_shown", stats.frames_shown},
          {"frames_dropped", stats.frames_dropped},
          {"bytes_sent", stats.bytes_sent},
          {"fps_shown", stats.fps_shown},
          {"mbit_per_s", stats.mbit_per_s},
          {"latency_ms_p50", stats.latency_ms_p50},
          {"latency_ms_p99", stats.latency_ms_p99},
          {"skew_us_p50", stats.skew_us_p50},
          {"skew_us_p99", stats.skew_us_p99}};
}

Result<StreamStats> stream_stats_from_json(const Json& params) {
  JsonFields fields(params, "stream_stats");
  StreamStats stats;
  stats.stream = stream_number(fields, "stream");
  stats.frames_submitted = counter(fields, "frames_submitted");
  stats.frames_sent = counter(fields, "frames_sent");
  stats.frames_shown = counter(fields, "frames_shown");
  stats.frames_dropped = counter(fields, "frames_dropped");
  stats.bytes_sent = counter(fields, "bytes_sent");
  stats.fps_shown = measure(fields, "fps_shown");
  stats.mbit_per_s = measure(fields, "mbit_per_s");
  stats.latency_ms_p50 = measure(fields, "latency_ms_p50");
  stats.latency_ms_p99 = measure(fields, "latency_ms_p99");
  stats.skew_us_p50 = measure(fields, "skew_us_p50");
  stats.skew_us_p99 = measure(fields, "skew_us_p99");
  return checked(fields, stats);
}

Json to_json(const ReceiverStats& stats) {
  return {{"frames_shown", stats.frames_shown},     {"frames_dropped", stats.frames_dropped},
          {"bytes_received", stats.bytes_received}, {"sessions_refused", stats.sessions_refused},
          {"render_ms", stats.render_ms},           {"clock_error_us", stats.clock_error_us}};
}

Result<ReceiverStats> receiver_stats_from_json(const Json& params) {
  JsonFields fields(params, "receiver_stats");
  ReceiverStats stats;
  stats.frames_shown = counter(fields, "frames_shown");
  stats.frames_dropped = counter(fields, "frames_dropped");
  stats.bytes_received = counter(fields, "bytes_received");
  stats.sessions_refused = counter(fields, "sessions_refused");
  stats.render_ms = measure(fields, "render_ms");
  stats.clock_error_us = measure(fields, "clock_error_us");
  return checked(fields, stats);
}

}  // namespace sail
