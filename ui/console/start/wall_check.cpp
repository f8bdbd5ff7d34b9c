#include "ui/console/start/wall_check.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

std::string count_text(size_t count, const char* one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

// Returns true if the tile's shape on the wall differs from its pixels' shape by more than 5 %.
bool distorts(const sail::Tile& tile) {
  constexpr double kLittle = 0.05;
  const sail::Size upright = tile.upright();
  const double wider = static_cast<double>(tile.wall_rect.width) * upright.height /
                       (static_cast<double>(tile.wall_rect.height) * upright.width);
  return std::abs(std::log(wider)) > kLittle;
}

}  // namespace

std::string wall_summary(const sail::Wall& wall) {
  return fmt::format("{}, {}, {}×{}", count_text(wall.tiles.size(), "display"),
                     count_text(wall.receivers.size(), "node"), wall.size.width, wall.size.height);
}

std::vector<std::string> wall_warnings(const sail::Wall& wall) {
  std::vector<std::string> warnings;
  for (const sail::Tile& tile : wall.tiles) {
    if (!distorts(tile)) continue;
    const sail::Size upright = tile.upright();
    warnings.push_back(
        fmt::format("tile \"{}\": \"size\" [{}, {}] has another aspect ratio than its {}×{} "
                    "pixels{}: pictures are distorted; omit \"size\" to avoid this",
                    tile.name, tile.wall_rect.width, tile.wall_rect.height, upright.width,
                    upright.height, tile.rotation % 180 == 0 ? "" : " (rotated)"));
  }
  for (const sail::ReceiverPlace& receiver : wall.receivers) {
    const auto unplaced = std::ranges::count_if(wall.tiles, [&](const sail::Tile& tile) {
      return tile.receiver == receiver.name && !tile.has_window_at;
    });
    const auto all = std::ranges::count(wall.tiles, receiver.name, &sail::Tile::receiver);
    if (all < 2 || unplaced == 0) continue;
    warnings.push_back(
        fmt::format("receiver \"{}\": {} of its {} tiles have no \"window_at\": the desktop "
                    "chooses where their windows open",
                    receiver.name, unplaced, all));
  }
  return warnings;
}

}  // namespace ui
