#include "sail/core/wall/power.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sail/core/text/limits.h"
#include "sail/core/wall/node_places.h"

namespace sail {
namespace {

constexpr size_t kMostPowerText = 255;  // bytes of a host, a path or a word
constexpr size_t kMostPowerWords = 16;  // of one command

std::vector<std::string> read_power_command(JsonFields& fields, const char* key) {
  constexpr const char* kMistake = R"(must be ["program", "its argument", ...])";
  std::vector<std::string> words = read_words(fields, key, kMistake);
  const auto is_long = [](const std::string& word) { return word.size() > kMostPowerText; };
  if (words.size() > kMostPowerWords || std::ranges::any_of(words, is_long)) {
    fields.mistake(key, fmt::format("must have at most {} words of at most {} bytes",
                                    kMostPowerWords, kMostPowerText));
  } else if (words.empty() || words.front().empty()) {
    fields.mistake(key, kMistake);
  }
  return words;
}

void read_projector(JsonFields& fields, PowerControl& control) {
  control.pjlink = fields.string("pjlink", kMostPowerText);
  const auto colons = std::ranges::count(control.pjlink, ':');
  if (control.pjlink.empty() || control.pjlink.find(' ') != std::string::npos || colons == 1) {
    fields.mistake("pjlink", "must be a host name or an address; 'port' is a key of its own");
  }
  control.port = static_cast<uint16_t>(fields.integer_or("port", 1, 65535, kPjlinkPort));
  if (fields.has("password_file")) {
    control.password_file = fields.raw_string("password_file", kMostPowerText);
  }
}

}  // namespace

const PowerControl* NodePower::find(const std::string& tile) const {
  const auto own = tiles.find(tile);
  if (own != tiles.end()) return &own->second;
  return node ? &*node : nullptr;
}

Result<PowerControl> read_power(const Json& object, const std::string& where) {
  JsonFields fields(object, where, JsonFields::Report::kAll);
  PowerControl control;
  if (fields.has("pjlink")) {
    read_projector(fields, control);
  } else {
    control.on = read_power_command(fields, "on");
    control.off = read_power_command(fields, "off");
    control.status = read_power_command(fields, "status");
    control.status_on = fields.raw_string("status_on", kMostPowerText);
    if (control.status_on.empty()) fields.mistake("status_on", "must not be empty");
  }
  if (auto error = fields.finish()) return *error;
  return control;
}

Json power_json(const PowerControl& control) {
  if (control.pjlink.empty()) {
    return {{"on", control.on},
            {"off", control.off},
            {"status", control.status},
            {"status_on", control.status_on}};
  }
  Json object = {{"pjlink", control.pjlink}, {"port", control.port}};
  if (!control.password_file.empty()) object["password_file"] = control.password_file;
  return object;
}

Result<NodePower> parse_node_power(std::string_view text) {
  const auto json = parse_json(text, kMaxPowerBytes);
  if (!json) return json.error();
  JsonFields fields(*json, "power", JsonFields::Report::kAll);
  NodePower power;
  Mistakes mistakes;
  if (fields.has("node")) {
    power.node = mistakes.take(read_power(fields.object("node"), "power: node"));
  }
  if (fields.has("tiles")) {
    const Json& tiles = fields.object("tiles");
    if (tiles.size() > kMaxTiles) fields.mistake("tiles", "has too many tiles");
    for (const auto& [name, object] : tiles.items()) {
      auto control = mistakes.take(read_power(object, fmt::format("power: tiles: {}", name)));
      if (control) power.tiles.emplace(name, *std::move(control));
    }
  }
  if (auto error = fields.finish()) mistakes.add(*error);
  if (mistakes.error()) return *mistakes.error();
  return power;
}

Json node_power_json(const NodePower& power) {
  Json object = Json::object();
  if (power.node) object["node"] = power_json(*power.node);
  for (const auto& [name, control] : power.tiles) object["tiles"][name] = power_json(control);
  return object;
}

}  // namespace sail
