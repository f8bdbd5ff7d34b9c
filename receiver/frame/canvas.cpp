#include "receiver/frame/canvas.h"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <new>

namespace receiver {
namespace {

constexpr size_t kHugePage = size_t{2} << 20U;

// Byte offset of an upright pixel on the panel, and byte steps to its right and lower neighbours.
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

uint8_t* PixelAllocator::allocate(size_t bytes) {
  if (bytes < kHugePage) return static_cast<uint8_t*>(::operator new(bytes));
  const size_t whole_pages = (bytes + kHugePage - 1) / kHugePage * kHugePage;
  void* pixels = std::aligned_alloc(kHugePage, whole_pages);
  if (pixels == nullptr) throw std::bad_alloc();
  madvise(pixels, whole_pages, MADV_HUGEPAGE);  // a system without huge pages refuses: no harm
  return static_cast<uint8_t*>(pixels);
}

void PixelAllocator::deallocate(uint8_t* pixels, size_t bytes) noexcept {
  if (bytes < kHugePage) {
    ::operator delete(pixels);
  } else {
    std::free(pixels);
  }
}

void fill(const Canvas& canvas, const Pixel& colour) {
  if (canvas.size.width <= 0 || canvas.size.height <= 0) return;
  uint8_t* const first = canvas.target.pixels;
  for (int x = 0; x < canvas.size.width; ++x) {
    std::memcpy(first + x * kBytesPerPixel, colour.data(), kBytesPerPixel);
  }
  const size_t row_bytes = static_cast<size_t>(canvas.size.width) * kBytesPerPixel;
  for (int y = 1; y < canvas.size.height; ++y) {
    std::memcpy(at(canvas.target, 0, y).pixels, first, row_bytes);
  }
}

sail::Size upright_size(const sail::TileInfo& tile) {
  if (tile.rotation % 180 == 0) return tile.resolution;
  return {tile.resolution.height, tile.resolution.width};
}

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
