#include "sail/core/routing/overlay_shape.h"

#include <algorithm>

#include "sail/core/base/glyphs.h"

namespace sail {
namespace {

constexpr int kPixelsAUnit = 540;

// The tile pixel that contains the wall coordinate.
int pixel_at(int wall, int tile_at, int extent, int pixels) {
  const int64_t product = int64_t{wall - tile_at} * pixels;
  const int64_t pixel = product / extent;
  return static_cast<int>(product % extent < 0 ? pixel - 1 : pixel);
}

int column_of(const TileView& tile, int x) {
  return pixel_at(x, tile.wall_rect.x, tile.wall_rect.width, tile.upright.width);
}

int row_of(const TileView& tile, int y) {
  return pixel_at(y, tile.wall_rect.y, tile.wall_rect.height, tile.upright.height);
}

}  // namespace

int overlay_magnification(Size upright) {
  return std::max(1, std::min(upright.width, upright.height) / kPixelsAUnit);
}

std::string_view pointer_name(const OverlayPointer& pointer) {
  return first_letters(pointer.name, kPointerName);
}

Rect laser_rect(const TileView& tile, int x, int y, size_t age) {
  constexpr int kRadius = 9;  // units, with the glow
  const int radius =
      std::max(2, kRadius - static_cast<int>(age)) * overlay_magnification(tile.upright);
  return {column_of(tile, x) - radius, row_of(tile, y) - radius, 2 * radius + 1, 2 * radius + 1};
}

int spotlight_radius(const OverlayPointer& pointer) {
  constexpr int kPart = 4;  // of the area's shorter side
  return std::max(1, std::min(pointer.area.width, pointer.area.height) / kPart);
}

Lens lens_on(const TileView& tile, const OverlayPointer& pointer) {
  constexpr int kPart = 3;  // of the tile's shorter side
  if (intersect({pointer.x, pointer.y, 1, 1}, tile.wall_rect).empty()) return {};
  const auto [width, height] = tile.upright;
  const int factor = std::max(pointer.factor, 2);
  const int side = std::min(width, height) / kPart / factor;
  const int x = column_of(tile, pointer.x), y = row_of(tile, pointer.y);
  const auto around = [](int middle, int sides, int most) {
    return std::clamp(middle - sides / 2, 0, most - sides);
  };
  const int lens = side * factor;
  return {{around(x, lens, width), around(y, lens, height), lens, lens},
          {around(x, side, width), around(y, side, height), side, side}};
}

namespace {

Rect laser_rect(const TileView& tile, const OverlayPointer& pointer) {
  Rect all = laser_rect(tile, pointer.x, pointer.y, 0);
  for (size_t i = 0; i + 1 < pointer.trail.size(); i += 2) {
    const Rect dot = laser_rect(tile, pointer.trail[i], pointer.trail[i + 1], 0);
    all =
        Rect::from_edges(std::min(all.x, dot.x), std::min(all.y, dot.y),
                         std::max(all.right(), dot.right()), std::max(all.bottom(), dot.bottom()));
  }
  return all;
}

}  // namespace

Rect pointer_rect(const TileView& tile, const OverlayPointer& pointer) {
  if (pointer.style == PointerStyle::kLaser) return laser_rect(tile, pointer);
  if (pointer.style == PointerStyle::kMagnifier) return lens_on(tile, pointer).rect;
  if (pointer.style == PointerStyle::kSpotlight) {
    return tile.tile_pixels(intersect(pointer.area, tile.wall_rect));
  }
  const int unit = overlay_magnification(tile.upright);
  const Size name = text_size(pointer_name(pointer), 1);
  int width = kArrowSide;
  int height = kArrowSide;
  if (name.width > 0) {
    width = std::max(width, kPointerNameX + name.width + 2 * kPlateMargin);
    height = std::max(height, kPointerNameY + name.height + 2 * kPlateMargin);
  }
  return {column_of(tile, pointer.x) - kPointerTip * unit,
          row_of(tile, pointer.y) - kPointerTip * unit, (kPointerTip + width) * unit,
          (kPointerTip + height) * unit};
}

Rect label_rect(const TileView& tile, const OverlayLabel& label) {
  const int unit = overlay_magnification(tile.upright);
  int columns = 0;
  for (const std::string& line : label.lines) {
    columns = std::max(columns, text_size(line, 1).width);
  }
  const int lines = static_cast<int>(label.lines.size());
  if (columns == 0) return {};
  const int gap = kLineStep - text_size("x", 1).height;
  const int height = (lines * kLineStep - gap + 2 * kPlateMargin) * unit;
  const int y = row_of(tile, label.y);
  return {column_of(tile, label.x), label.above ? y - height : y,
          (columns + 2 * kPlateMargin) * unit, height};
}

std::vector<TextLine> text_lines(const OverlayStroke& stroke) {
  std::vector<TextLine> lines;
  Rect rect{stroke.points[0], stroke.points[1], 0, stroke.width};
  for (const std::string& text : stroke.text) {
    const int64_t columns = text_size(text, 1).width;
    rect.width = static_cast<int>((columns * stroke.width + kLineStep - 1) / kLineStep);
    lines.push_back({text, rect});
    rect.y += rect.height;
  }
  return lines;
}

Rect stroke_rect(const OverlayStroke& stroke) {
  if (!stroke.text.empty()) {
    Rect all{stroke.points[0], stroke.points[1], 0, 0};
    for (const TextLine& line : text_lines(stroke)) {
      all.width = std::max(all.width, line.rect.width);
      all.height += line.rect.height;
    }
    const int margin = kTextMargin * stroke.width / kLineStep + 1;
    return {all.x, all.y - margin, all.width, all.height + 2 * margin};
  }
  int left = stroke.points[0], right = left;
  int top = stroke.points[1], bottom = top;
  for (size_t i = 2; i + 1 < stroke.points.size(); i += 2) {
    left = std::min(left, stroke.points[i]);
    right = std::max(right, stroke.points[i]);
    top = std::min(top, stroke.points[i + 1]);
    bottom = std::max(bottom, stroke.points[i + 1]);
  }
  const int around = (stroke.arrow ? kArrowHead + 1 : 1) * stroke.width + 1;
  return Rect::from_edges(left - around, top - around, right + around, bottom + around);
}

// The line has about a tenth of the area's height and at most 80 % of its width.
CentredLine centred_line(const TileView& tile, const Rect& wall_rect, std::string_view text) {
  constexpr int kLinesInArea = 8;
  CentredLine line{.area = Rect::from_edges(column_of(tile, wall_rect.x), row_of(tile, wall_rect.y),
                                            column_of(tile, wall_rect.right()),
                                            row_of(tile, wall_rect.bottom())),
                   .rect = {}};
  const int columns = std::max(text_size(text, 1).width, 1);
  line.unit = std::max(1, std::min(line.area.height / (kLinesInArea * kLineStep),
                                   line.area.width / 5 * 4 / columns));
  const Size size{columns * line.unit, kLineStep * line.unit};
  line.rect = {line.area.x + (line.area.width - size.width) / 2,
               line.area.y + (line.area.height - size.height) / 2, size.width, size.height};
  return line;
}

}  // namespace sail
