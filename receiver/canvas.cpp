#include "receiver/canvas.h"

#include <cstdint>
#include <cstring>

namespace receiver {
namespace {

constexpr ptrdiff_t kBytesPerPixel = 4;

// Where an upright pixel is on the panel, and how far its right and lower neighbours are from it.
struct Walk {
  ptrdiff_t start;
  ptrdiff_t right;
  ptrdiff_t down;
};
Walk walk(int x, int y, sail::Size upright, int rotation, ptrdiff_t stride) {
  const auto place = [&](int panel_x, int panel_y) {
    return panel_y * stride + panel_x * kBytesPerPixel;
  };
  switch (rotation) {
    case 90:
      return {place(upright.height - 1 - y, x), stride, -kBytesPerPixel};
    case 180:
      return {place(upright.width - 1 - x, upright.height - 1 - y), -kBytesPerPixel, -stride};
    case 270:
      return {place(y, upright.width - 1 - x), -stride, kBytesPerPixel};
    default:
      return {place(x, y), kBytesPerPixel, stride};
  }
}

}  // namespace

sail::Rect turned_rect(const sail::Rect& rect, sail::Size upright, int rotation) {
  switch (rotation) {
    case 90:
      return {upright.height - rect.bottom(), rect.x, rect.height, rect.width};
    case 180:
      return {upright.width - rect.right(), upright.height - rect.bottom(), rect.width,
              rect.height};
    case 270:
      return {rect.y, upright.width - rect.right(), rect.height, rect.width};
    default:
      return rect;
  }
}

void turn(const Canvas& canvas, const sail::Rect& rect, int rotation, codecs::BgraTarget panel) {
  const Walk to = walk(rect.x, rect.y, canvas.size, rotation, panel.stride);
  for (int y = 0; y < rect.height; ++y) {
    const uint8_t* from =
        canvas.target.pixels + (rect.y + y) * canvas.target.stride + rect.x * kBytesPerPixel;
    uint8_t* pixel = panel.pixels + to.start + y * to.down;
    if (to.right == kBytesPerPixel) {
      std::memcpy(pixel, from, static_cast<size_t>(rect.width) * kBytesPerPixel);
      continue;
    }
    for (int x = 0; x < rect.width; ++x) {
      std::memcpy(pixel + x * to.right, from + x * kBytesPerPixel, kBytesPerPixel);
    }
  }
}

}  // namespace receiver
