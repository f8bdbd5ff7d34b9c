#include "manager/wall/drawing.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "sail/core/text/limits.h"

namespace manager {
namespace {

// Within what a message may contain.
int bounded(double value) {
  return static_cast<int>(
      std::lround(std::clamp<double>(value, -sail::kMaxStrokeOffset, sail::kMaxStrokeOffset)));
}

int drawing_units(double value, double from, double extent) {
  return bounded((value - from) / extent * kDrawingUnits);
}

int drawn_pixels(int units, int from, int extent) {
  return bounded(from + double{1} * units / kDrawingUnits * extent);
}

double distance_to_line(const StrokePoint& point, const StrokePoint& from, const StrokePoint& to) {
  const double dx = to.x - from.x, dy = to.y - from.y;
  const double length = dx * dx + dy * dy;
  const double along =
      length == 0
          ? 0
          : std::clamp(((point.x - from.x) * dx + (point.y - from.y) * dy) / length, 0.0, 1.0);
  return std::hypot(point.x - from.x - along * dx, point.y - from.y - along * dy);
}

// The algorithm of Douglas and Peucker: keeps the points that are farther than `tolerance` from the
// line through their neighbours.
std::vector<StrokePoint> simplified_line(std::span<const StrokePoint> line, double tolerance) {
  std::vector<bool> kept(line.size(), false);
  kept.front() = kept.back() = true;
  std::vector<std::pair<size_t, size_t>> parts{{0, line.size() - 1}};
  while (!parts.empty()) {
    const auto [first, last] = parts.back();
    parts.pop_back();
    size_t farthest = first;
    double most = tolerance;
    for (size_t i = first + 1; i < last; ++i) {
      const double far = distance_to_line(line[i], line[first], line[last]);
      if (far <= most) continue;
      most = far;
      farthest = i;
    }
    if (farthest == first) continue;
    kept[farthest] = true;
    parts.emplace_back(first, farthest);
    parts.emplace_back(farthest, last);
  }
  std::vector<StrokePoint> points;
  for (size_t i = 0; i < line.size(); ++i) {
    if (kept[i]) points.push_back(line[i]);
  }
  return points;
}

}  // namespace

Drawing::Drawing(std::vector<sail::OverlayStroke> strokes) {
  if (strokes.empty()) return;
  strokes_ = std::make_shared<const std::vector<sail::OverlayStroke>>(std::move(strokes));
}

std::span<const sail::OverlayStroke> Drawing::strokes() const {
  if (strokes_ == nullptr) return {};
  return *strokes_;
}

size_t Drawing::points() const {
  const auto all = strokes();
  return std::accumulate(all.begin(), all.end(), size_t{0}, [](size_t sum, const auto& stroke) {
    return sum + stroke.points.size() / 2;
  });
}

Drawing Drawing::with(sail::OverlayStroke stroke) const {
  std::vector<sail::OverlayStroke> all(strokes().begin(), strokes().end());
  all.push_back(std::move(stroke));
  return Drawing(std::move(all));
}

std::vector<sail::OverlayStroke> Drawing::on(const sail::Rect& rect) const {
  std::vector<sail::OverlayStroke> all(strokes().begin(), strokes().end());
  for (sail::OverlayStroke& stroke : all) {
    for (size_t i = 0; i + 1 < stroke.points.size(); i += 2) {
      stroke.points[i] = drawn_pixels(stroke.points[i], rect.x, rect.width);
      stroke.points[i + 1] = drawn_pixels(stroke.points[i + 1], rect.y, rect.height);
    }
    stroke.width = std::max(1, drawn_pixels(stroke.width, 0, rect.height));
  }
  return all;
}

bool Drawing::operator==(const Drawing& other) const {
  return strokes_ == other.strokes_ || std::ranges::equal(strokes(), other.strokes());
}

std::vector<int> stroke_points(std::span<const StrokePoint> line, const sail::Rect& rect) {
  constexpr double kInvisible = 0.6;  // Wall pixels.
  double tolerance = kInvisible;
  std::vector<StrokePoint> points = simplified_line(line, tolerance);
  while (points.size() > sail::kMaxStrokePoints) {
    tolerance *= 2;
    points = simplified_line(line, tolerance);
  }
  if (points.size() == 1) points.push_back(points.front());  // A dot.
  std::vector<int> units;
  for (const StrokePoint& point : points) {
    units.push_back(drawing_units(point.x, rect.x, rect.width));
    units.push_back(drawing_units(point.y, rect.y, rect.height));
  }
  return units;
}

int stroke_width(double width, const sail::Rect& rect) {
  return std::clamp(drawing_units(width, 0, rect.height), 1, kDrawingUnits);
}

}  // namespace manager
