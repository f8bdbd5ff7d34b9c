#include "manager/wall/drawing.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "sail/core/routing/overlay_shape.h"
#include "sail/core/text/limits.h"

namespace manager {
namespace {

// Limits a value to the range that messages allow.
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
  const double x = point.x - from.x - along * dx, y = point.y - from.y - along * dy;
  return std::sqrt(x * x + y * y);
}

// The algorithm of Douglas and Peucker: keeps the points that are farther than `tolerance` from the
// line through their neighbours; of more than `most` points those that are farthest.
std::vector<StrokePoint> simplified_line(std::span<const StrokePoint> line, double tolerance,
                                         size_t most) {
  struct Part {
    size_t first = 0;
    size_t last = 0;
    double kept_to = std::numeric_limits<double>::infinity();
  };
  std::vector<double> kept_to(line.size(), 0);  // The tolerance up to which each point is kept.
  kept_to.front() = kept_to.back() = std::numeric_limits<double>::infinity();
  std::vector<Part> parts{{.first = 0, .last = line.size() - 1}};
  while (!parts.empty()) {
    const Part part = parts.back();
    parts.pop_back();
    size_t farthest = part.first;
    double distance = tolerance;
    for (size_t i = part.first + 1; i < part.last; ++i) {
      const double far = distance_to_line(line[i], line[part.first], line[part.last]);
      if (far <= distance) continue;
      distance = far;
      farthest = i;
    }
    if (farthest == part.first) continue;
    kept_to[farthest] = std::min(distance, part.kept_to);
    parts.push_back({part.first, farthest, kept_to[farthest]});
    parts.push_back({farthest, part.last, kept_to[farthest]});
  }
  std::vector<size_t> kept;
  for (size_t i = 0; i < line.size(); ++i) {
    if (kept_to[i] > 0) kept.push_back(i);
  }
  if (kept.size() > most) {
    std::ranges::stable_sort(kept, std::greater{}, [&](size_t i) { return kept_to[i]; });
    kept.resize(most);
    std::ranges::sort(kept);
  }
  std::vector<StrokePoint> points;
  for (const size_t i : kept) points.push_back(line[i]);
  return points;
}

struct LinePart {
  StrokePoint from;
  StrokePoint to;
};

std::vector<LinePart> parts_of(std::span<const StrokePoint> line) {
  std::vector<LinePart> parts;
  for (size_t i = 0; i + 1 < line.size(); ++i) parts.push_back({line[i], line[i + 1]});
  if (line.size() == 1) parts.push_back({line.front(), line.front()});
  return parts;
}

// Positive on one side of the line, negative on the other.
double side_of(const LinePart& line, const StrokePoint& point) {
  return (line.to.x - line.from.x) * (point.y - line.from.y) -
         (line.to.y - line.from.y) * (point.x - line.from.x);
}

bool cross(const LinePart& a, const LinePart& b) {
  return side_of(a, b.from) * side_of(a, b.to) < 0 && side_of(b, a.from) * side_of(b, a.to) < 0;
}

// Whether the distance between the two is at most `reach`.
bool are_near(const LinePart& a, const LinePart& b, double reach) {
  const auto apart = [reach](std::pair<double, double> one, std::pair<double, double> other) {
    return std::min(one.first, one.second) > std::max(other.first, other.second) + reach ||
           std::min(other.first, other.second) > std::max(one.first, one.second) + reach;
  };
  if (apart({a.from.x, a.to.x}, {b.from.x, b.to.x})) return false;
  if (apart({a.from.y, a.to.y}, {b.from.y, b.to.y})) return false;
  return cross(a, b) || distance_to_line(a.from, b.from, b.to) <= reach ||
         distance_to_line(a.to, b.from, b.to) <= reach ||
         distance_to_line(b.from, a.from, a.to) <= reach ||
         distance_to_line(b.to, a.from, a.to) <= reach;
}

// Converts a stroke from parts of the rectangle to wall pixels.
sail::OverlayStroke placed(sail::OverlayStroke stroke, const sail::Rect& rect) {
  for (size_t i = 0; i + 1 < stroke.points.size(); i += 2) {
    stroke.points[i] = drawn_pixels(stroke.points[i], rect.x, rect.width);
    stroke.points[i + 1] = drawn_pixels(stroke.points[i + 1], rect.y, rect.height);
  }
  stroke.width = std::max(1, drawn_pixels(stroke.width, 0, rect.height));
  return stroke;
}

// Whether the eraser touches the rectangle or lies in it.
bool touches(const sail::Rect& rect, const std::vector<LinePart>& eraser, double reach) {
  const double left = rect.x, right = rect.right(), top = rect.y, bottom = rect.bottom();
  const std::vector<StrokePoint> outline{
      {left, top}, {right, top}, {right, bottom}, {left, bottom}, {left, top}};
  const std::vector<LinePart> sides = parts_of(outline);
  return std::ranges::any_of(eraser, [&](const LinePart& part) {
    const auto [x, y] = part.from;
    return (x >= left && x <= right && y >= top && y <= bottom) ||
           std::ranges::any_of(sides,
                               [&](const auto& side) { return are_near(part, side, reach); });
  });
}

// stroke: in wall pixels.
bool touches(const sail::OverlayStroke& stroke, const std::vector<LinePart>& eraser, double width) {
  if (!stroke.text.empty()) {
    return std::ranges::any_of(sail::text_lines(stroke), [&](const sail::TextLine& line) {
      return !line.rect.empty() && touches(line.rect, eraser, width / 2);
    });
  }
  const double reach = (width + stroke.width) / 2;
  for (size_t i = 0; i + 3 < stroke.points.size(); i += 2) {
    const auto& points = stroke.points;
    const LinePart part{{double{1} * points[i], double{1} * points[i + 1]},
                        {double{1} * points[i + 2], double{1} * points[i + 3]}};
    const auto is_hit = [&](const LinePart& one) { return are_near(one, part, reach); };
    if (std::ranges::any_of(eraser, is_hit)) return true;
  }
  return false;
}

}  // namespace

Drawing::Drawing(std::vector<DrawnStroke> strokes) {
  if (strokes.empty()) return;
  strokes_ = std::make_shared<const std::vector<DrawnStroke>>(std::move(strokes));
}

std::span<const DrawnStroke> Drawing::strokes() const {
  if (strokes_ == nullptr) return {};
  return *strokes_;
}

size_t Drawing::points() const {
  const auto all = strokes();
  return std::accumulate(all.begin(), all.end(), size_t{0}, [](size_t sum, const auto& stroke) {
    return sum + point_count(stroke.line);
  });
}

Drawing Drawing::with(sail::OverlayStroke line, std::string by) const {
  std::vector<DrawnStroke> all(strokes().begin(), strokes().end());
  all.push_back({std::move(line), std::move(by)});
  return Drawing(std::move(all));
}

Drawing Drawing::without(const std::string& by, std::span<const StrokePoint> eraser, double width,
                         const sail::Rect& rect) const {
  const std::vector<LinePart> parts = parts_of(eraser);
  std::vector<DrawnStroke> kept;
  for (const DrawnStroke& stroke : strokes()) {
    const bool erased = stroke.by == by && touches(placed(stroke.line, rect), parts, width);
    if (!erased) kept.push_back(stroke);
  }
  return kept.size() == strokes().size() ? *this : Drawing(std::move(kept));
}

std::vector<sail::OverlayStroke> Drawing::on(const sail::Rect& rect) const {
  std::vector<sail::OverlayStroke> all;
  for (const DrawnStroke& stroke : strokes()) all.push_back(placed(stroke.line, rect));
  return all;
}

bool Drawing::operator==(const Drawing& other) const {
  return strokes_ == other.strokes_ || std::ranges::equal(strokes(), other.strokes());
}

size_t point_count(const sail::OverlayStroke& stroke) {
  size_t count = stroke.points.size() / 2;
  for (const std::string& line : stroke.text) count += line.size();
  return count;
}

std::vector<int> stroke_points(std::span<const StrokePoint> line, const sail::Rect& rect) {
  constexpr double kInvisible = 0.6;  // Wall pixels.
  std::vector<StrokePoint> points = simplified_line(line, kInvisible, sail::kMaxStrokePoints);
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
