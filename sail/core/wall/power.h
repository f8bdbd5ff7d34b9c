// How displays are turned on and off ("power" of a wall file). Pure.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sail/core/base/result.h"
#include "sail/core/text/json.h"

namespace sail {

constexpr uint16_t kPjlinkPort = 4352;

// Controls one display: by a projector's PJLink, or else by commands.
struct PowerControl {
  std::string pjlink{};  // the projector's host; empty: commands
  uint16_t port = kPjlinkPort;
  std::string password_file{};  // on the receiver's host; empty: no password

  // Programs with their arguments. The display is on if `status` prints the word status_on.
  std::vector<std::string> on{};
  std::vector<std::string> off{};
  std::vector<std::string> status{};
  std::string status_on{};

  bool operator==(const PowerControl&) const = default;
};

// The displays of one receiver.
struct NodePower {
  std::optional<PowerControl> node{};           // for all tiles that have no control of their own
  std::map<std::string, PowerControl> tiles{};  // by the tile's name

  bool empty() const { return !node && tiles.empty(); }
  // Null: the tile's display cannot be controlled.
  const PowerControl* find(const std::string& tile) const;
};

// `where` is the prefix of error messages.
Result<PowerControl> read_power(const Json& object, const std::string& where);
Json power_json(const PowerControl& control);

constexpr size_t kMaxPowerBytes = 1 << 16;
// Reads {"node": CONTROL, "tiles": {"NAME": CONTROL, …}}: the receiver's option --power.
Result<NodePower> parse_node_power(std::string_view text);
Json node_power_json(const NodePower& power);

}  // namespace sail
