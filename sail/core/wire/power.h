// "power": request to receivers to turn displays on or off, or to ask whether they are on. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sail/core/text/json_fields.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"

namespace sail {

enum class PowerState : uint8_t { kUnknown, kOff, kOn, kWarming, kCooling };
constexpr Choice<PowerState, 5> kPowerStates{{{PowerState::kUnknown, "unknown"},
                                              {PowerState::kOff, "off"},
                                              {PowerState::kOn, "on"},
                                              {PowerState::kWarming, "warming"},
                                              {PowerState::kCooling, "cooling"}}};

enum class PowerOrder : uint8_t { kStatus, kOn, kOff };
constexpr Choice<PowerOrder, 3> kPowerOrders{
    {{PowerOrder::kStatus, "status"}, {PowerOrder::kOn, "on"}, {PowerOrder::kOff, "off"}}};

// The state that the order asks for; not for kStatus.
constexpr PowerState state_after(PowerOrder order) {
  return order == PowerOrder::kOn ? PowerState::kOn : PowerState::kOff;
}

inline Result<std::string> read_tile_name(const Json& value, const std::string& where) {
  const auto* text = value.get_ptr<const std::string*>();
  if (text != nullptr && !text->empty() && text->size() <= kMaxNameLength && !name_mistake(*text)) {
    return *text;
  }
  return fail(ErrorCode::kInvalidParams, where + ": must be the name of a tile");
}

struct PowerRequest {
  static constexpr const char* kMethod = "power";

  PowerOrder order = PowerOrder::kStatus;
  std::vector<std::string> tiles{};  // empty: all tiles of the receiver
};
void fields(auto& visit, Of<PowerRequest> auto& request) {
  visit("power", kPowerOrders, request.order);
  visit("tiles", sparse(values<read_tile_name>(kMaxTiles)), request.tiles);
}

// The state of the display that shows a tile.
struct TilePower {
  std::string tile;
  PowerState state = PowerState::kUnknown;
  std::string why{};  // why the state is unknown, or the order failed

  bool operator==(const TilePower&) const = default;
};
void fields(auto& visit, Of<TilePower> auto& power) {
  visit("tile", kName, power.tile);
  visit("power", kPowerStates, power.state);
  visit("why", sparse(Text{kMaxTitleLength}), power.why);
}

// The result: the selected tiles, and the tiles that share their displays. Tiles whose display the
// receiver cannot control are left out.
struct PowerAnswer {
  static constexpr const char* kMethod = "power";

  std::vector<TilePower> tiles{};
};
void fields(auto& visit, Of<PowerAnswer> auto& answer) {
  visit("tiles", objects(kMaxTiles, &TilePower::tile), answer.tiles);
}

// How long a receiver waits for one display, and for how long a request may wait for another one.
constexpr int64_t kPowerTimeoutMs = 10'000;
constexpr int64_t kPowerCallTimeoutMs = 2 * kPowerTimeoutMs + kCallTimeoutMs;

}  // namespace sail
