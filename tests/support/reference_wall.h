// The reference compositor: computes what a wall must show, pixel by pixel and as simply as
// possible, from the definitions in sail/core/wall/wall.h, sail/core/wall/visibility.h and
// codecs/color/scaling.h. Shares no code with the product. Slow; for tests only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "sail/core/base/geometry.h"
#include "sail/core/wall/view_transform.h"
#include "sail/core/wall/wall.h"

namespace test {

// Colour of a pixel as 0xrrggbb; kAnything if it does not matter.
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

// Position of a window, and the size of its frames.
struct Placement {
  sail::Rect wall_rect;
  sail::Size frame_size;
};

// Sampling of one tile pixel: the window's index, and for each axis two source pixels and the
// weight of the second in 1/256.
struct Sample {
  size_t window = 0;
  int x[2] = {};
  int y[2] = {};
  int x_weight = 0;
  int y_weight = 0;
};

// Returns the sample of the topmost window that contains the centre of the tile's upright pixel (x,
// y). windows: bottom to top.
std::optional<Sample> sample_of(const sail::Tile& tile, int x, int y,
                                std::span<const Placement> windows);

// Applies the view transform to a picture, step by step; opacity goes into its alpha.
Picture seen(Picture picture, const sail::ViewTransform& look);

struct Window {
  sail::Rect wall_rect;
  Picture frame;
  bool alpha = false;  // straight alpha; the window is blended over what lies beneath it
};

// Returns the tile's physical pixels, of the tile's resolution, with its rotation applied. Areas
// without a window are black. Pictures with alpha are premultiplied before they are sampled; every
// step is rounded to whole levels.
Picture show_on_tile(const sail::Tile& tile, std::span<const Window> windows);

// show_on_tile() for every tile of the wall, in the wall's order.
std::vector<Picture> show_on_wall(const sail::Wall& wall, std::span<const Window> windows);

// Undoes the rotation of a tile's picture, as a viewer sees it.
Picture upright_picture(const sail::Tile& tile, const Picture& physical);

// Assembles the whole wall (wall.size) from its tiles' physical pixels: each wall pixel is the tile
// pixel that contains its centre. Areas without a tile are black.
Picture wall_picture(const sail::Wall& wall, std::span<const Picture> tiles);

}  // namespace reference
