// What receivers draw above all windows: drawings, labels and pointers. Control message, see
// sail/PROTOCOL.md; unknown fields are accepted. Pure.
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "sail/core/base/result.h"
#include "sail/core/text/json_fields.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"

namespace sail {

// A few lines of text on a dark plate.
struct OverlayLabel {
  int x = 0;  // wall pixels: the plate's top left corner, or with `above` its bottom left corner
  int y = 0;
  bool above = false;  // the plate is above (x, y), not below
  std::vector<std::string> lines;
  uint32_t colour = 0xffffff;  // text colour, 0xRRGGBB

  bool operator==(const OverlayLabel&) const = default;
};
inline Result<std::string> read_label_line(const Json& value, const std::string& where) {
  const auto* text = value.get_ptr<const std::string*>();
  if (text == nullptr || text->size() > kMaxLabelLine) {
    return fail(ErrorCode::kInvalidParams,
                fmt::format("{}: must be a line of at most {} bytes", where, kMaxLabelLine));
  }
  if (const auto mistake = name_mistake(*text)) {
    return fail(ErrorCode::kInvalidParams, fmt::format("{}: {}", where, *mistake));
  }
  return *text;
}
void fields(auto& visit, Of<OverlayLabel> auto& label) {
  auto at = std::tie(label.x, label.y);
  visit("at", kWallPoint, at);
  visit("above", Flag(), label.above);
  visit("lines", values<read_label_line>(kMaxLabelLines), label.lines);
  visit("colour", Colour(), label.colour);
}

// An arrow with a user's name beside it, a laser's dot with a trail, a spotlight around which its
// area is dimmed, or a magnifier of the pixels beneath.
enum class PointerStyle : uint8_t { kArrow, kLaser, kSpotlight, kMagnifier };
constexpr Choice<PointerStyle, 4> kPointerStyles{{{PointerStyle::kArrow, "arrow"},
                                                  {PointerStyle::kLaser, "laser"},
                                                  {PointerStyle::kSpotlight, "spotlight"},
                                                  {PointerStyle::kMagnifier, "magnifier"}}};
struct OverlayPointer {
  int x = 0;  // wall pixels: the arrow's tip is at the top left corner of this pixel
  int y = 0;
  std::string name;
  uint32_t colour = 0xffffff;  // 0xRRGGBB
  bool pressed = false;
  PointerStyle style = PointerStyle::kArrow;
  std::vector<int> trail{};  // of a laser: x, y, x, y, …: where it was, newest first
  Rect area{};               // of a spotlight: wall pixels
  int factor = 0;            // of a magnifier

  bool operator==(const OverlayPointer&) const = default;
};
inline Result<int> read_pointer_number(const Json& value, const std::string& where) {
  const auto number = whole_number(value, -kMaxWindowOffset, kMaxWindowOffset);
  if (number) return static_cast<int>(*number);
  return fail(ErrorCode::kInvalidParams,
              fmt::format("{}: must be a whole number within ±{}", where, kMaxWindowOffset));
}
void fields(auto& visit, Of<OverlayPointer> auto& pointer) {
  auto at = std::tie(pointer.x, pointer.y);
  visit("at", kWallPoint, at);
  visit("name", Text{kMaxNameLength}, pointer.name);
  visit("colour", Colour(), pointer.colour);
  visit("pressed", Flag(), pointer.pressed);
  visit("style", sparse(kPointerStyles), pointer.style);
  visit("trail", sparse(values<read_pointer_number>(2 * kMaxPointerTrail)), pointer.trail);
  visit("area", sparse(kWindowRect), pointer.area);
  visit("factor", sparse(Whole{2, kMaxMagnification}), pointer.factor);
}

// A line with round ends through at least two points, or a text.
struct OverlayStroke {
  std::vector<int>
      points;     // x, y, x, y, …: wall pixels; of a text: the first is its top left corner
  int width = 1;  // wall pixels, up to kMaxStrokeUnits; in saved files parts of a height. Of a
                  // text: the height of a line
  uint32_t colour = 0xffffff;
  int opacity = 100;                // percent
  bool arrow = false;               // the last point is the tip of an arrow
  std::vector<std::string> text{};  // its lines; empty: the stroke is a line

  bool operator==(const OverlayStroke&) const = default;
};
constexpr int kMaxStrokeUnits = 65535;
constexpr int kMaxStrokeOffset = kMaxWindowOffset + kMaxWindowSide;
inline Result<int> read_stroke_number(const Json& value, const std::string& where) {
  const auto number = whole_number(value, -kMaxStrokeOffset, kMaxStrokeOffset);
  if (number) return static_cast<int>(*number);
  return fail(ErrorCode::kInvalidParams,
              fmt::format("{}: must be a whole number within ±{}", where, kMaxStrokeOffset));
}
struct StrokePoints : List<ValueItem<read_stroke_number>> {
  void read(JsonFields& in, const char* name, std::vector<int>& points) const {
    List::read(in, name, points);
    if (points.size() < 4 || points.size() % 2 != 0) in.mistake(name, "must be two or more points");
  }
};
constexpr StrokePoints kStrokePoints{{.max_items = 2 * kMaxStrokePoints}};
void fields(auto& visit, Of<OverlayStroke> auto& stroke) {
  visit("points", kStrokePoints, stroke.points);
  visit("width", Whole{1, kMaxStrokeUnits}, stroke.width);
  visit("colour", Colour(), stroke.colour);
  visit("opacity", Whole{1, 100}, stroke.opacity);
  visit("arrow", Flag(), stroke.arrow);
  visit("text", sparse(values<read_label_line>(kMaxLabelLines)), stroke.text);
}

struct ClipRect {
  Rect rect;  // wall pixels

  bool operator==(const ClipRect&) const = default;
};
void fields(auto& visit, Of<ClipRect> auto& clip) {
  visit("rect", kWindowRect, clip.rect);
}

// The strokes of a window or of the wall, bottom to top.
struct OverlayDrawing {
  std::vector<ClipRect> clip{};  // they are visible only there; empty: everywhere
  std::vector<OverlayStroke> strokes{};

  bool operator==(const OverlayDrawing&) const = default;
};
void fields(auto& visit, Of<OverlayDrawing> auto& drawing) {
  visit("clip", objects(kMaxDrawingClip), drawing.clip);
  visit("strokes", objects(kMaxStrokes), drawing.strokes);
}

// "overlay": notification to receivers. It takes effect at the next painting, without a
// transaction. A missing list leaves the previous one unchanged.
struct Overlay {
  static constexpr const char* kMethod = "overlay";

  std::optional<std::vector<OverlayDrawing>> drawings{};
  std::optional<std::vector<OverlayLabel>> labels{};
  std::optional<std::vector<OverlayPointer>> pointers{};

  bool operator==(const Overlay&) const = default;
};
void fields(auto& visit, Of<Overlay> auto& overlay) {
  visit("drawings", objects(kMaxDrawings), overlay.drawings);
  visit("labels", objects(kMaxLabels), overlay.labels);
  visit("pointers", objects(kMaxOverlayPointers), overlay.pointers);
}

}  // namespace sail
