#include "sail/core/wall/wall.h"

#include <algorithm>

namespace sail {

const Tile* Wall::find_tile(std::string_view tile_name) const {
  const auto found = std::find_if(tiles.begin(), tiles.end(),
                                  [&](const Tile& tile) { return tile.name == tile_name; });
  return found == tiles.end() ? nullptr : &*found;
}

NodePower node_power(const Wall& wall, std::string_view receiver) {
  NodePower power{.node = wall.power};
  for (const ReceiverPlace& place : wall.receivers) {
    if (place.name == receiver && place.power) power.node = place.power;
  }
  for (const Tile& tile : wall.tiles) {
    if (tile.receiver == receiver && tile.power) power.tiles.emplace(tile.name, *tile.power);
  }
  return power;
}

namespace {

Json host_json(const auto& place, Json entry) {
  if (!place.host.empty()) entry["host"] = place.host;
  if (!place.user.empty()) entry["user"] = place.user;
  if (place.port != 0) entry["port"] = place.port;
  if (!place.environment.empty()) entry["environment"] = place.environment;
  return entry;
}

Json place_json(const ReceiverPlace& place) {
  Json entry = host_json(place, {{"name", place.name}});
  if (!place.launch.empty()) entry["launch"] = place.launch;
  if (!place.program.empty()) entry["program"] = place.program;
  if (!place.display.empty()) entry["display"] = place.display;
  if (!place.arguments.empty()) entry["arguments"] = place.arguments;
  if (!place.announce.empty()) entry["announce"] = place.announce;
  if (place.power) entry["power"] = power_json(*place.power);
  return entry;
}

Json place_json(const AppPlace& place) {
  Json entry = host_json(place, {{"name", place.name}});
  if (!place.launch.empty()) entry["launch"] = place.launch;
  if (!place.second_host.empty()) entry["second_host"] = place.second_host;
  if (!place.command.empty()) entry["command"] = place.command;
  return entry;
}

Json place_json(const ProxyPlace& place) {
  Json entry = {{"from", place.from}, {"header", place.header}};
  if (!place.groups.empty()) {
    entry["groups_header"] = place.groups_header;
    entry["groups"] = place.groups;
  }
  if (!place.role.empty()) entry["role"] = place.role;
  return entry;
}

Json place_json(const StandbyPlace& place) {
  Json entry = host_json(place, Json::object());
  if (!place.program.empty()) entry["program"] = place.program;
  if (!place.listen.empty()) entry["listen"] = place.listen;
  if (!place.arguments.empty()) entry["arguments"] = place.arguments;
  return entry;
}

}  // namespace

std::string witness_text(const Wall& wall) {
  return wall.witness ? wall.witness->text() : "";
}

Json wall_json(const Wall& wall) {
  Json receivers = Json::array();
  for (const ReceiverPlace& place : wall.receivers) receivers.push_back(place_json(place));
  Json tiles = Json::array();
  for (const Tile& tile : wall.tiles) {
    Json entry = {
        {"name", tile.name},
        {"receiver", tile.receiver},
        {"at", {tile.wall_rect.x, tile.wall_rect.y}},
        {"size", {tile.wall_rect.width, tile.wall_rect.height}},
        {"resolution", size_json(tile.resolution)},
        {"rotation", tile.rotation},
    };
    if (tile.has_window_at) entry["window_at"] = {tile.window_x, tile.window_y};
    if (!tile.output.empty()) entry["output"] = tile.output;
    if (tile.correction) entry["correction"] = to_json(*tile.correction);
    if (tile.power) entry["power"] = power_json(*tile.power);
    tiles.push_back(std::move(entry));
  }
  Json file = Json::object();
  file["name"] = wall.name;
  file["receivers"] = std::move(receivers);
  file["tiles"] = std::move(tiles);
  file["transport"] = transport_name(wall.transport);
  file["mtu"] = wall.mtu;
  if (wall.multicast) file["multicast"] = wall.multicast->text();
  if (wall.multicast_hops != 1) file["multicast_hops"] = wall.multicast_hops;
  if (wall.lost != LostWindow::kClose) file["lost"] = kLostWindows.word(wall.lost);
  for (const WallAudio& audio : wall.audio) {
    Json entry = {{"receiver", audio.receiver},
                  {"channels", audio.channels},
                  {"latency_ms", audio.latency_ms},
                  {"pan", audio.pan}};
    if (!audio.device.empty()) entry["device"] = audio.device;
    file["audio"].push_back(std::move(entry));
  }
  for (const AppPlace& place : wall.apps) file["apps"].push_back(place_json(place));
  if (!wall.manager_arguments.empty()) {
    file["manager"] = {{"arguments", wall.manager_arguments}};
  }
  if (wall.standby) file["standby"] = place_json(*wall.standby);
  if (wall.witness) file["witness"] = wall.witness->text();
  if (wall.proxy) file["proxy"] = place_json(*wall.proxy);
  if (wall.display != codecs::DisplayColor()) file["display"] = to_json(wall.display);
  if (wall.power) file["power"] = power_json(*wall.power);
  if (wall.power_idle_min > 0) file["power_idle_min"] = wall.power_idle_min;
  if (wall.pixel_pitch_mm > 0) file["pixel_pitch_mm"] = wall.pixel_pitch_mm;
  if (!wall.webhooks.empty()) file["webhooks"] = webhooks_json(wall.webhooks);
  return file;
}

}  // namespace sail
