// Strokes that people draw on a window or on the wall. Pure.
//
// Strokes keep their place in the window when it moves or gets another size. So their points and
// widths are in parts of the window's or wall's rectangle: kDrawingUnits for its width and height.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "sail/core/base/geometry.h"
#include "sail/core/wire/overlay.h"

namespace manager {

constexpr int kDrawingUnits = sail::kMaxStrokeUnits;

struct StrokePoint {
  double x = 0;  // Wall pixels.
  double y = 0;
};

// Immutable; copies share the strokes.
class Drawing {
 public:
  Drawing() = default;
  // Strokes in parts of the rectangle.
  explicit Drawing(std::vector<sail::OverlayStroke> strokes);

  bool empty() const { return strokes_ == nullptr; }
  std::span<const sail::OverlayStroke> strokes() const;
  size_t points() const;
  Drawing with(sail::OverlayStroke stroke) const;
  // Returns the strokes in wall pixels.
  std::vector<sail::OverlayStroke> on(const sail::Rect& rect) const;
  bool operator==(const Drawing& other) const;

 private:
  std::shared_ptr<const std::vector<sail::OverlayStroke>> strokes_;  // Null: none.
};

// Returns the points without those that make no visible difference, at most kMaxStrokePoints, in
// parts of the rectangle. line: at least one point.
std::vector<int> stroke_points(std::span<const StrokePoint> line, const sail::Rect& rect);
// Returns a width in wall pixels as parts of the rectangle's height, at most all of it.
int stroke_width(double width, const sail::Rect& rect);

}  // namespace manager
