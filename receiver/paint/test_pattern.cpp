#include "receiver/paint/test_pattern.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace receiver {
namespace {

constexpr int64_t kGridCells = 32;     // along the longer side of the wall
constexpr int64_t kLinesInACell = 48;  // how often the width of a line fits between two lines
constexpr int kSmoothSteps = 256;
constexpr int kCoarseSteps = 17;

// The wall pixels at the centres of a tile's pixels, along one axis.
std::vector<int64_t> wall_places(int at, int extent, int pixels) {
  std::vector<int64_t> places;
  for (int i = 0; i < pixels; ++i) {
    places.push_back(at + (2 * int64_t{i} + 1) * extent / (2 * int64_t{pixels}));
  }
  return places;
}

uint8_t grey_step(int64_t place, int64_t width, int steps) {
  const int64_t step = std::clamp<int64_t>(place * steps / width, 0, steps - 1);
  return static_cast<uint8_t>(step * 255 / (steps - 1));
}

// pixel: the largest extent of the tile's pixels in wall pixels. A line has at least this width, so
// that it covers the centre of a pixel.
class Grid {
 public:
  Grid(sail::Size wall, int64_t pixel)
      : wall_(wall),
        step_(std::max<int64_t>(8, std::max(wall.width, wall.height) / kGridCells)),
        line_(std::max({int64_t{2}, step_ / kLinesInACell, pixel})) {}

  bool on_line(int64_t x, int64_t y) const {
    return x % step_ < line_ || y % step_ < line_ || x >= wall_.width - line_ ||
           y >= wall_.height - line_;
  }
  // Closer to a diagonal than the width of a line, measured along the wall's shorter side.
  bool on_diagonal(int64_t x, int64_t y) const {
    const int64_t reach = line_ * std::max(wall_.width, wall_.height);
    const int64_t falling = x * wall_.height - y * wall_.width;
    const int64_t rising = (wall_.width - 1 - x) * wall_.height - y * wall_.width;
    return std::min(std::abs(falling), std::abs(rising)) < reach;
  }

 private:
  sail::Size wall_;
  int64_t step_;
  int64_t line_;
};

Pixel pattern_pixel(sail::TestPattern pattern, const Grid& grid, sail::Size wall, int64_t x,
                    int64_t y) {
  switch (pattern) {
    case sail::TestPattern::kRamp: {
      const uint8_t grey =
          grey_step(x, wall.width, 2 * y < wall.height ? kSmoothSteps : kCoarseSteps);
      return {grey, grey, grey, 255};
    }
    case sail::TestPattern::kWhite:
      return {255, 255, 255, 255};
    case sail::TestPattern::kRed:
      return {0, 0, 255, 255};
    case sail::TestPattern::kGreen:
      return {0, 255, 0, 255};
    case sail::TestPattern::kBlue:
      return {255, 0, 0, 255};
    case sail::TestPattern::kGrid:
      if (grid.on_line(x, y)) return {255, 255, 255, 255};
      if (grid.on_diagonal(x, y)) return {0, 255, 255, 255};
      return {0, 0, 0, 255};
    case sail::TestPattern::kOff:
      break;
  }
  return {0, 0, 0, 255};
}

}  // namespace

Bitmap test_pattern_bitmap(sail::TestPattern pattern, const sail::TileView& view, sail::Size wall) {
  const sail::Size whole{std::max(wall.width, 1), std::max(wall.height, 1)};
  const auto extent_of = [](int extent, int pixels) { return (extent + pixels - 1) / pixels; };
  const Grid grid(whole,
                  std::max(extent_of(view.wall_rect.width, std::max(view.upright.width, 1)),
                           extent_of(view.wall_rect.height, std::max(view.upright.height, 1))));
  const auto xs = wall_places(view.wall_rect.x, view.wall_rect.width, view.upright.width);
  const auto ys = wall_places(view.wall_rect.y, view.wall_rect.height, view.upright.height);
  Bitmap bitmap{.size = view.upright, .pixels = {}};
  bitmap.pixels.resize(xs.size() * ys.size() * kBytesPerPixel);
  uint8_t* to = bitmap.pixels.data();
  for (const int64_t y : ys) {
    for (const int64_t x : xs) {
      const Pixel pixel = pattern_pixel(pattern, grid, whole, x, y);
      to = std::copy(pixel.begin(), pixel.end(), to);
    }
  }
  return bitmap;
}

}  // namespace receiver
