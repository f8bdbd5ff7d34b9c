#include "tests/unit/sail/core/wall/random_wall.h"

#include <algorithm>
#include <string>

namespace sail {
namespace {

// Moves the tiles so that their bounding box starts at (0, 0), as parse_wall does.
void settle(Wall& wall) {
  Rect box = wall.tiles.front().wall_rect;
  for (const Tile& tile : wall.tiles) {
    box = Rect::from_edges(std::min(box.x, tile.wall_rect.x), std::min(box.y, tile.wall_rect.y),
                           std::max(box.right(), tile.wall_rect.right()),
                           std::max(box.bottom(), tile.wall_rect.bottom()));
  }
  for (Tile& tile : wall.tiles) {
    tile.wall_rect.x -= box.x;
    tile.wall_rect.y -= box.y;
  }
  wall.size = {box.width, box.height};
}

}  // namespace

Wall RandomWall::wall(int max_side) {
  Wall wall;
  wall.name = "random";
  if (one_in(2)) wall.transport = Transport::kUdp;
  if (one_in(2)) wall.lost = LostWindow::kDark;
  if (one_in(2)) wall.mtu = kMaxMtu;
  if (one_in(3)) {
    wall.multicast = MulticastRange{.first = *parse_ip("239.1.2.0"), .prefix = between(24, 32)};
  }
  if (one_in(3)) {
    wall.multicast = MulticastRange{.first = *parse_ip("ff18::4:0"), .prefix = between(112, 128)};
  }
  if (one_in(2)) wall.power_idle_min = between(1, 1440);
  if (one_in(2)) wall.multicast_hops = between(1, kMaxHops);
  const int columns = between(1, 3);
  const int rows = between(1, 3);
  const int receivers = between(1, columns * rows);
  for (int i = 0; i < columns * rows; ++i) {
    Tile tile;
    tile.name = "t" + std::to_string(i);
    // The first tiles ensure that every receiver has one.
    tile.receiver = "n" + std::to_string(i < receivers ? i : between(0, receivers - 1));
    tile.rotation = 90 * between(0, 3);
    tile.resolution = {between(1, max_side), between(1, max_side)};
    Size size = tile.upright();
    if (one_in(2)) size = {between(1, max_side), between(1, max_side)};
    tile.wall_rect = {i % columns * max_side + between(0, max_side - size.width),
                      i / columns * max_side + between(0, max_side - size.height), size.width,
                      size.height};
    if (one_in(3)) {
      tile.has_window_at = true;
      tile.window_x = between(-100, 100);
      tile.window_y = between(-100, 100);
    } else if (one_in(3)) {
      tile.output = "output " + std::to_string(i);
    }
    if (one_in(3)) {
      tile.correction = {.gain = {1, 0.5, 2}, .gamma = 0.5, .lut = one_in(2) ? "" : "a/b.cube"};
    }
    wall.tiles.push_back(tile);
  }
  for (int i = 0; i < receivers; ++i) {
    wall.receivers.push_back({"n" + std::to_string(i), one_in(2) ? "" : "10.0.0.1"});
  }
  if (one_in(2)) {
    wall.audio.push_back({.receiver = "n0",
                          .device = one_in(2) ? "" : "HDMI",
                          .channels = between(1, 8),
                          .latency_ms = between(0, 1000),
                          .pan = one_in(2)});
  }
  settle(wall);
  return wall;
}

Rect RandomWall::window_rect(Size wall_size) {
  const int longest = one_in(4) ? 3 : 1;
  const int width = one_in(8) ? 1 : between(1, longest * wall_size.width);
  const int height = one_in(8) ? 1 : between(1, longest * wall_size.height);
  return {between(-width - 1, wall_size.width + 1), between(-height - 1, wall_size.height + 1),
          width, height};
}

std::vector<reference::Placement> RandomWall::windows(Size wall_size, int max_count,
                                                      int max_frame_side) {
  std::vector<reference::Placement> windows;
  for (int count = between(1, max_count); count > 0; --count) {
    const Rect rect = window_rect(wall_size);
    Size frame{between(1, max_frame_side), between(1, max_frame_side)};
    if (one_in(3)) frame = {rect.width, rect.height};
    windows.push_back({rect, frame});
  }
  return windows;
}

reference::Picture RandomWall::picture(Size size) {
  reference::Picture picture = reference::black_picture(size.width, size.height);
  for (size_t i = 0; i < picture.pixels.size(); ++i) {
    if (i % 4 != 3) picture.pixels[i] = static_cast<uint8_t>(between(0, 255));
  }
  return picture;
}

}  // namespace sail
