// Every peer's hello, and the control messages between the manager and receivers.
#include "sail/wire/control_messages.h"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

#include "sail/wire/control_fields.h"

namespace sail {
namespace {

using namespace control_fields;

constexpr std::pair<Role, const char*> kRoleNames[] = {
    {Role::kUi, "ui"}, {Role::kApplication, "application"}, {Role::kReceiver, "receiver"}};

bool is_colour(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdefABCDEF";
  return text.size() == 7 && text[0] == '#' &&
         text.find_first_not_of(kDigits, 1) == std::string_view::npos;
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

}  // namespace

const char* role_name(Role role) {
  const auto* known = std::find_if(std::begin(kRoleNames), std::end(kRoleNames),
                                   [&](const auto& entry) { return role == entry.first; });
  return known->second;
}

Json to_json(const Hello& hello) {
  Json json{{"protocol", hello.protocol},
            {"token", hello.token},
            {"name", hello.name},
            {"role", role_name(hello.role)}};
  if (hello.role == Role::kReceiver) {
    json["data_port"] = hello.data_port;
    json["codecs"] = hello.codecs;
  }
  if (!hello.colour.empty()) json["colour"] = hello.colour;
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
    hello.codecs = list(fields, "codecs", kMaxCodecNames, "hello", read_codec);
    if (hello.codecs.empty()) fields.mistake("codecs", "must not be empty");
  } else {
    hello.name = fields.string_or("name", kMaxNameLength, "");
    hello.colour = fields.string_or("colour", kMaxTypeLength, "");
    if (!hello.colour.empty() && !is_colour(hello.colour)) {
      fields.mistake("colour", "must be \"#rrggbb\", in hexadecimal digits");
    }
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

Json to_json(const ClockReading& reading) {
  return {{"wall_ns", reading.wall_ns}};
}

Result<ClockReading> clock_reading_from_json(const Json& result) {
  JsonFields fields(result, "clock");
  const ClockReading reading{time_ns(fields, "wall_ns")};
  return checked(fields, reading);
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

Json to_json(const SnapshotPermit& permit) {
  return {{"secret", hex64_text(permit.secret)}, {"at_ns", permit.at_ns}};
}

Result<SnapshotPermit> snapshot_permit_from_json(const Json& params) {
  JsonFields fields(params, "snapshot");
  SnapshotPermit permit;
  permit.secret = fields.hex64("secret");
  permit.at_ns = time_ns(fields, "at_ns");
  return checked(fields, permit);
}

Json to_json(const ReceiverStats& stats) {
  return {{"frames_shown", stats.frames_shown},
          {"frames_dropped", stats.frames_dropped},
          {"bytes_received", stats.bytes_received},
          {"sessions_refused", stats.sessions_refused},
          {"blocks_concealed", stats.blocks_concealed},
          {"render_ms", stats.render_ms},
          {"paint_pct", stats.paint_pct},
          {"decode_ms", stats.decode_ms},
          {"decode_pct", stats.decode_pct},
          {"clock_error_us", stats.clock_error_us}};
}

Result<ReceiverStats> receiver_stats_from_json(const Json& params) {
  JsonFields fields(params, "receiver_stats");
  ReceiverStats stats;
  stats.frames_shown = counter(fields, "frames_shown");
  stats.frames_dropped = counter(fields, "frames_dropped");
  stats.bytes_received = counter(fields, "bytes_received");
  stats.sessions_refused = counter(fields, "sessions_refused");
  stats.blocks_concealed = optional_counter(fields, "blocks_concealed");
  stats.render_ms = measure(fields, "render_ms");
  stats.paint_pct = optional_percent(fields, "paint_pct");
  stats.decode_ms = optional_measure(fields, "decode_ms");
  stats.decode_pct = optional_percent(fields, "decode_pct");
  stats.clock_error_us = measure(fields, "clock_error_us");
  return checked(fields, stats);
}

}  // namespace sail
