#include "receiver/power/display_power.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "receiver/power/display_switch.h"
#include "sail/core/text/text.h"

namespace receiver {
namespace {

// Calls back when all displays have answered: each order holds a reference.
struct PowerGathering {
  DisplayPower::Done done;
  sail::PowerAnswer answer{};
  size_t waits_for = 0;

  void add(const std::vector<std::string>& tiles, const sail::Result<sail::PowerState>& state) {
    const std::string why =
        state ? "" : sail::make_plain_text(state.error().message, sail::kMaxTitleLength);
    for (const std::string& tile : tiles) {
      answer.tiles.push_back({tile, state.value_or(sail::PowerState::kUnknown), why});
    }
    if (--waits_for > 0) return;
    std::ranges::sort(answer.tiles, {}, &sail::TilePower::tile);
    done(std::move(answer));
  }
};

}  // namespace

DisplayPower::DisplayPower(sail::Loop& loop, const sail::NodePower& power, int64_t limit_ms) {
  for (const auto& [tile, control] : power.tiles) {
    displays_.push_back({std::make_unique<DisplaySwitch>(loop, control, limit_ms), tile});
  }
  if (power.node) {
    displays_.push_back({std::make_unique<DisplaySwitch>(loop, *power.node, limit_ms), ""});
  }
}

DisplayPower::~DisplayPower() = default;

bool DisplayPower::shows(const Display& display, const std::string& tile) const {
  if (!display.tile.empty()) return display.tile == tile;
  return std::ranges::find(displays_, tile, &Display::tile) == displays_.end();
}

sail::Result<void> DisplayPower::run(const sail::PowerRequest& request,
                                     const std::vector<std::string>& tiles, Done done) {
  const auto is_here = [&](const std::string& tile) {
    return std::ranges::find(tiles, tile) != tiles.end();
  };
  const auto unknown = std::ranges::find_if_not(request.tiles, is_here);
  if (unknown != request.tiles.end()) {
    return sail::fail(sail::ErrorCode::kInvalidParams,
                      fmt::format("power: this receiver has no tile '{}'", *unknown));
  }
  struct Order {
    DisplaySwitch* display;
    std::vector<std::string> tiles;
  };
  std::vector<Order> orders;
  for (const Display& display : displays_) {
    const auto on_it = [&](const std::string& tile) { return shows(display, tile); };
    if (!request.tiles.empty() && std::ranges::none_of(request.tiles, on_it)) continue;
    Order order{display.controls.get(), {}};
    std::ranges::copy_if(tiles, std::back_inserter(order.tiles), on_it);
    if (!order.tiles.empty()) orders.push_back(std::move(order));
  }
  if (orders.empty()) {
    done({});
    return {};
  }
  const auto gathering = std::make_shared<PowerGathering>(PowerGathering{std::move(done)});
  gathering->waits_for = orders.size();
  for (const Order& order : orders) {
    order.display->ask(request.order, [gathering, shown = order.tiles](
                                          const sail::Result<sail::PowerState>& state) {
      gathering->add(shown, state);
    });
  }
  return {};
}

}  // namespace receiver
