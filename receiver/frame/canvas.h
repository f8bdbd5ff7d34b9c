// Pixel buffers, and copying them to panels that are mounted rotated. Pure.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "codecs/base/image.h"
#include "sail/core/base/geometry.h"
#include "sail/core/wire/data/data_messages.h"
#include "sail/core/wire/receiver_messages.h"

namespace receiver {

// A view of upright pixels (before rotation), as B, G, R, 255. Does not own the pixels.
struct Canvas {
  codecs::BgraTarget target;
  sail::Size size;
};

constexpr ptrdiff_t kBytesPerPixel = 4;

// Asks for huge pages. The 33 MB of a 4K display are 8,000 small pages, and the processor loses
// their translations between two frames. Less than a huge page is ordinary memory.
struct PixelAllocator {
  using value_type = uint8_t;
  template <class>
  struct rebind {  // only for bytes
    using other = PixelAllocator;
  };
  static uint8_t* allocate(size_t bytes);
  static void deallocate(uint8_t* pixels, size_t bytes) noexcept;
  bool operator==(const PixelAllocator&) const = default;
};
using PixelMemory = std::vector<uint8_t, PixelAllocator>;

using Pixel = std::array<uint8_t, kBytesPerPixel>;  // B, G, R, A

// Returns the target that begins at pixel (x, y).
inline codecs::BgraTarget at(const codecs::BgraTarget& target, int x, int y) {
  return {target.pixels + y * target.stride + x * kBytesPerPixel, target.stride};
}
void fill(const Canvas& canvas, const Pixel& colour);

// Returns the size of a tile's picture before rotation.
sail::Size upright_size(const sail::TileInfo& tile);

// Maps an upright rectangle to a panel mounted at `rotation` degrees (see sail::Tile).
sail::Rect turned_rect(const sail::Rect& upright_rect, sail::Size upright, int rotation);

// Copies a rectangle of the canvas to a panel mounted at `rotation` degrees. For 90 and 270 degrees
// the panel's width and height are swapped.
void turn(const Canvas& canvas, const sail::Rect& upright_rect, int rotation,
          codecs::BgraTarget panel);

// A copy of what a tile's display showed, for snapshots.
struct TileImage {
  sail::PictureBegin begin;     // its taken_ns is set once the wall time is known
  std::vector<uint8_t> pixels;  // B, G, R, 255; rows without padding
};

}  // namespace receiver
