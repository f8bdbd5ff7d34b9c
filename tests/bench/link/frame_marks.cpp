#include "tests/bench/link/frame_marks.h"

#include <cstddef>
#include <cstring>
#include <optional>

#include "tests/bench/wall/marked_picture.h"

namespace bench {
namespace {

constexpr int kEvery = 64;  // pixels from one mark to the next
constexpr int kSide = 8;    // side of a square: whole texel blocks at any block alignment
// Sampled positions in a square.
constexpr int kLooks[] = {0, kSide / 2, kSide - 1};
constexpr uint32_t kOpaque = 0xff000000;
constexpr uint32_t kColours = 0xffffff;

void fill(uint8_t* pixels, ptrdiff_t stride, uint32_t colour) {
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      uint8_t* pixel = pixels + y * stride + ptrdiff_t{x} * 4;
      for (int channel = 0; channel < 4; ++channel) {
        pixel[channel] = static_cast<uint8_t>(colour >> (8 * channel));
      }
    }
  }
}

uint32_t colour_at(const sail::TilePicture& tile, int x, int y) {
  const uint8_t* pixel = &tile.bgra[static_cast<size_t>(y * tile.size.width + x) * 4];
  return kOpaque | static_cast<uint32_t>(pixel[2]) << 16 | static_cast<uint32_t>(pixel[1]) << 8 |
         pixel[0];
}

bool is_square(const sail::TilePicture& tile, int x, int y, uint32_t colour) {
  for (const int dy : kLooks) {
    for (const int dx : kLooks) {
      if (colour_at(tile, x + dx, y + dy) != colour) return false;
    }
  }
  return true;
}

std::optional<Mark> mark_at(const sail::TilePicture& tile, int x, int y) {
  const uint32_t colour = colour_at(tile, x, y);
  if (!is_square(tile, x, y, colour) || !is_square(tile, x + kSide, y, colour ^ kColours)) {
    return std::nullopt;
  }
  return mark_of(&tile.bgra[static_cast<size_t>(y * tile.size.width + x) * 4]);
}

}  // namespace

void FrameMarker::operator()(sail_frame& frame, uint64_t number) {
  const ptrdiff_t stride = ptrdiff_t{size_.width} * 4;
  pixels_.resize(static_cast<size_t>(stride) * static_cast<size_t>(size_.height));
  const auto* from = static_cast<const uint8_t*>(frame.planes[0]);
  for (int y = 0; y < size_.height; ++y) {
    std::memcpy(&pixels_[static_cast<size_t>(y * stride)], from + y * frame.strides[0],
                static_cast<size_t>(stride));
  }
  frame.planes[0] = pixels_.data();
  frame.strides[0] = stride;
  const uint32_t colour =
      marked_colour({.picture = picture_, .frame = static_cast<uint32_t>(number % kMarkedFrames)});
  for (int y = 0; y + kSide <= size_.height; y += kEvery) {
    for (int x = 0; x + 2 * kSide <= size_.width; x += kEvery) {
      uint8_t* place = &pixels_[static_cast<size_t>(y * stride + ptrdiff_t{x} * 4)];
      fill(place, stride, colour);
      fill(place + ptrdiff_t{kSide} * 4, stride, colour ^ kColours);
    }
  }
}

std::set<std::pair<uint32_t, uint32_t>> marks_on(const sail::TilePicture& tile) {
  std::set<std::pair<uint32_t, uint32_t>> marks;
  for (int y = 0; y + kSide <= tile.size.height; ++y) {
    for (int x = 0; x + 2 * kSide <= tile.size.width; ++x) {
      const auto mark = mark_at(tile, x, y);
      if (!mark) continue;
      marks.emplace(mark->picture, mark->frame);
      x += 2 * kSide - 1;
    }
  }
  return marks;
}

}  // namespace bench
