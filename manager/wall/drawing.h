// Strokes that people draw on a window or on the wall. Pure.
//
// Strokes keep their place in the window when it moves or gets another size. So their points and
// widths are in parts of the window's or wall's rectangle: kDrawingUnits for its width and height.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sail/core/base/geometry.h"
#include "sail/core/wire/overlay.h"

namespace manager {

constexpr int kDrawingUnits = sail::kMaxStrokeUnits;

struct StrokePoint {
  double x = 0;  // Wall pixels.
  double y = 0;
};

struct DrawnStroke {
  sail::OverlayStroke line{};
  std::string by{};  // Name of the person; empty: unknown.

  bool operator==(const DrawnStroke&) const = default;
};
void fields(auto& visit, sail::Of<DrawnStroke> auto& stroke) {
  fields(visit, stroke.line);
  visit("by", sail::sparse(sail::Text{sail::kMaxNameLength}), stroke.by);
}

// Immutable; copies share the strokes.
class Drawing {
 public:
  Drawing() = default;
  // Strokes in parts of the rectangle.
  explicit Drawing(std::vector<DrawnStroke> strokes);

  bool empty() const { return strokes_ == nullptr; }
  std::span<const DrawnStroke> strokes() const;
  size_t points() const;  // See point_count().
  Drawing with(sail::OverlayStroke line, std::string by = {}) const;
  // Returns the drawing without the strokes of this person that an eraser touches. eraser: at least
  // one point; width: of the eraser, in wall pixels; rect: where the drawing is.
  Drawing without(const std::string& by, std::span<const StrokePoint> eraser, double width,
                  const sail::Rect& rect) const;
  // Returns the strokes in wall pixels.
  std::vector<sail::OverlayStroke> on(const sail::Rect& rect) const;
  bool operator==(const Drawing& other) const;

 private:
  std::shared_ptr<const std::vector<DrawnStroke>> strokes_;  // Null: none.
};

// Returns how much of kMaxDrawnPoints a stroke takes: its points, and the bytes of its text.
size_t point_count(const sail::OverlayStroke& stroke);
// Returns the points without those that make no visible difference, at most kMaxStrokePoints, in
// parts of the rectangle. line: at least one point.
std::vector<int> stroke_points(std::span<const StrokePoint> line, const sail::Rect& rect);
// Returns a width in wall pixels as parts of the rectangle's height, at most all of it.
int stroke_width(double width, const sail::Rect& rect);

}  // namespace manager
