// What a wall must show, worked out pixel by pixel in the plainest way from the definitions in
// sail/wall/wall.h, sail/wall/visibility.h and codecs/resample.h. Shares no code with what it
// judges. Slow; for tests only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "sail/base/geometry.h"
#include "sail/wall/wall.h"

namespace test {

// The colour at a place of a picture, as 0xrrggbb; kAnything where it does not matter.
using Colours = std::function<uint32_t(int x, int y)>;
constexpr uint32_t kAnything = 1U << 31;

}  // namespace test

namespace reference {

// B, G, R, A bytes; rows without gaps.
struct Picture {
  int width = 0;
  int height = 0;
  std::vector<uint8_t> pixels;

  size_t offset(int x, int y) const {
    return (static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x)) * 4;
  }
  const uint8_t* at(int x, int y) const { return &pixels[offset(x, y)]; }
  uint8_t* at(int x, int y) { return &pixels[offset(x, y)]; }
  bool operator==(const Picture&) const = default;
};

Picture black_picture(int width, int height);  // opaque

// Where a window stands and how large its frames are.
struct Placement {
  sail::Rect wall_rect;
  sail::Size frame_size;
};

// What one pixel of a tile reads: the window, and on each axis two source pixels and the weight of
// the second in 1/256.
struct Sample {
  size_t window = 0;
  int x[2] = {};
  int y[2] = {};
  int x_weight = 0;
  int y_weight = 0;
};

// For the upright pixel (x, y) of the tile: a sample of the topmost window that contains its
// centre. windows: bottom to top.
std::optional<Sample> sample_of(const sail::Tile& tile, int x, int y,
                                std::span<const Placement> windows);

struct Window {
  sail::Rect wall_rect;
  Picture frame;
  bool alpha = false;  // straight; the window is drawn over what lies beneath it
};

// The tile's physical pixels: its resolution, the picture turned by its rotation. Black where no
// window is. Pictures with alpha are premultiplied before they are sampled; every step is rounded
// to whole levels.
Picture show_on_tile(const sail::Tile& tile, std::span<const Window> windows);

// show_on_tile of every tile of the wall, in its order.
std::vector<Picture> show_on_wall(const sail::Wall& wall, std::span<const Window> windows);

// The tile's picture as a spectator sees it: turned back upright.
Picture upright_picture(const sail::Tile& tile, const Picture& physical);

// The whole wall, wall.size, from its tiles' physical pixels: each wall pixel is the tile pixel
// that its centre lies in; black where no tile is.
Picture wall_picture(const sail::Wall& wall, std::span<const Picture> tiles);

}  // namespace reference
