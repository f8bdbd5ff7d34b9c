#include "receiver/paint/strokes.h"

#include <cairo.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numbers>
#include <string_view>
#include <utility>

#include "receiver/paint/line_layout.h"
#include "sail/core/routing/overlay_shape.h"

namespace receiver {
namespace {

using sail::Rect;

constexpr int kCell = 256;  // pixels

struct Place {
  double x = 0;
  double y = 0;
};

struct Segment {
  Place from;
  Place to;
};

// A line of a text.
struct PlacedLine {
  std::string text;
  Rect rect;
  double unit = 1;  // of its LineLayout
};

// The part of a stroke that may touch a cell, in the tile's pixels.
struct StrokePart {
  std::vector<Segment> segments{};
  std::vector<PlacedLine> lines{};
  std::vector<Rect> clip{};  // empty: it is visible everywhere
  double width = 1;
  uint32_t colour = 0;
  int opacity = 100;
};

struct CairoFree {
  void operator()(cairo_t* context) const { cairo_destroy(context); }
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
};

Place place_on(const sail::TileView& tile, int x, int y) {
  const auto along = [](int at, int from, int extent, int pixels) {
    return static_cast<double>(at - from) * pixels / extent;
  };
  return {along(x, tile.wall_rect.x, tile.wall_rect.width, tile.upright.width),
          along(y, tile.wall_rect.y, tile.wall_rect.height, tile.upright.height)};
}

// The two sides of an arrow's head.
void add_head(std::vector<Segment>& segments, double width) {
  const Place tip = segments.back().to;
  const auto back = std::find_if(segments.rbegin(), segments.rend(), [&](const Segment& one) {
    return std::hypot(tip.x - one.from.x, tip.y - one.from.y) > width;
  });
  if (back == segments.rend()) return;
  const double direction = std::atan2(back->from.y - tip.y, back->from.x - tip.x);
  constexpr double kSpread = std::numbers::pi / 6;
  const double length = sail::kArrowHead * width;
  for (const double side : {direction - kSpread, direction + kSpread}) {
    segments.push_back({tip, {tip.x + length * std::cos(side), tip.y + length * std::sin(side)}});
  }
}

// Larger letters would exceed the numbers of Pango and Cairo.
constexpr double kTallestLine = 4096;  // pixels

PlacedLine placed_line(const sail::TextLine& line, const sail::TileView& tile, double scale) {
  const Place at = place_on(tile, line.rect.x, line.rect.y);
  const auto whole = [](double pixels) { return static_cast<int>(std::lround(pixels)); };
  const double height = std::min(line.rect.height * scale, kTallestLine);
  return {.text = std::string(line.text),
          .rect = {whole(at.x), whole(at.y), whole(line.rect.width * scale) + 1,
                   static_cast<int>(std::ceil(height))},
          .unit = height / sail::kLineStep};
}

StrokePart on_tile(const sail::OverlayStroke& stroke, const sail::TileView& tile) {
  StrokePart whole{.colour = stroke.colour, .opacity = stroke.opacity};
  const double scale = static_cast<double>(tile.upright.width) / tile.wall_rect.width;
  whole.width = std::max(1.0, stroke.width * scale);
  for (const sail::TextLine& line : sail::text_lines(stroke)) {
    if (!line.rect.empty()) whole.lines.push_back(placed_line(line, tile, scale));
  }
  if (!stroke.text.empty()) return whole;
  for (size_t i = 0; i + 3 < stroke.points.size(); i += 2) {
    whole.segments.push_back({place_on(tile, stroke.points[i], stroke.points[i + 1]),
                              place_on(tile, stroke.points[i + 2], stroke.points[i + 3])});
  }
  if (stroke.arrow) add_head(whole.segments, whole.width);
  return whole;
}

// Whether the segment, with a margin, touches a circle around the rectangle.
bool is_near(const Segment& segment, const Rect& rect, double margin) {
  const double x = rect.x + rect.width / 2.0 - segment.from.x;
  const double y = rect.y + rect.height / 2.0 - segment.from.y;
  const double dx = segment.to.x - segment.from.x, dy = segment.to.y - segment.from.y;
  const double length = dx * dx + dy * dy;
  const double along = length == 0 ? 0 : std::clamp((x * dx + y * dy) / length, 0.0, 1.0);
  return std::hypot(x - along * dx, y - along * dy) <=
         margin + std::hypot(rect.width, rect.height) / 2;
}

// By row and column.
using CellParts = std::map<std::pair<int, int>, std::vector<StrokePart>>;

Rect cell_rect(const std::pair<int, int>& cell, sail::Size upright) {
  return sail::intersect({cell.second * kCell, cell.first * kCell, kCell, kCell},
                         {0, 0, upright.width, upright.height});
}

// Adds the stroke's segments and lines of text to the cells that they may touch.
void spread(const StrokePart& whole, sail::Size upright, CellParts& cells) {
  const double margin = whole.width / 2 + 1;
  const auto range = [](double a, double b, double around, int pixels) {
    const double first = std::clamp<double>(std::min(a, b) - around, 0, pixels);
    const double last = std::clamp<double>(std::max(a, b) + around, -1, pixels - 1);
    return std::pair(static_cast<int>(first) / kCell, static_cast<int>(std::floor(last / kCell)));
  };
  std::map<std::pair<int, int>, StrokePart> parts;
  const auto for_cells = [&](const Segment& diagonal, double around, const auto& add) {
    const auto [left, right] = range(diagonal.from.x, diagonal.to.x, around, upright.width);
    const auto [top, bottom] = range(diagonal.from.y, diagonal.to.y, around, upright.height);
    for (int row = top; row <= bottom; ++row) {
      for (int column = left; column <= right; ++column) {
        const Rect rect = cell_rect({row, column}, upright);
        if (!rect.empty()) add(std::pair(row, column), rect);
      }
    }
  };
  for (const Segment& segment : whole.segments) {
    for_cells(segment, margin, [&](std::pair<int, int> cell, const Rect& rect) {
      if (is_near(segment, rect, margin)) parts[cell].segments.push_back(segment);
    });
  }
  for (const PlacedLine& line : whole.lines) {
    const int beyond = static_cast<int>(std::ceil(sail::kTextMargin * line.unit));
    const Rect box{line.rect.x, line.rect.y - beyond, line.rect.width,
                   line.rect.height + 2 * beyond};
    const Segment diagonal{{double{1} * box.x, double{1} * box.y},
                           {double{1} * box.right(), double{1} * box.bottom()}};
    for_cells(diagonal, 0, [&](std::pair<int, int> cell, const Rect& rect) {
      if (!sail::intersect(box, rect).empty()) parts[cell].lines.push_back(line);
    });
  }
  for (auto& [cell, part] : parts) {
    const Rect rect = cell_rect(cell, upright);
    for (const Rect& clip : whole.clip) {
      if (!sail::intersect(clip, rect).empty()) part.clip.push_back(clip);
    }
    if (part.clip.empty() && !whole.clip.empty()) continue;
    part.width = whole.width;
    part.colour = whole.colour;
    part.opacity = whole.opacity;
    cells[cell].push_back(std::move(part));
  }
}

template <typename Value>
void mix(size_t& hash, const Value& value) {
  const std::string_view bytes(reinterpret_cast<const char*>(&value), sizeof(value));
  hash = hash * 31 + std::hash<std::string_view>()(bytes);
}

std::string key_of(const Rect& rect, const std::vector<StrokePart>& parts) {
  size_t hash = 0;
  for (const StrokePart& part : parts) {
    mix(hash, part.width);
    mix(hash, part.colour);
    mix(hash, part.opacity);
    for (const Segment& segment : part.segments) mix(hash, segment);
    for (const PlacedLine& line : part.lines) {
      mix(hash, line.rect);
      mix(hash, line.unit);
      hash = hash * 31 + std::hash<std::string>()(line.text);
    }
    for (const Rect& clip : part.clip) mix(hash, clip);
  }
  return fmt::format("strokes {} {} {} {} {:x}", rect.x, rect.y, rect.width, rect.height, hash);
}

// A bitmap's pixels, to draw into or from.
std::unique_ptr<cairo_surface_t, CairoFree> surface_of(Bitmap& bitmap) {
  const auto [width, height] = bitmap.size;
  return std::unique_ptr<cairo_surface_t, CairoFree>(
      cairo_image_surface_create_for_data(bitmap.pixels.data(), CAIRO_FORMAT_ARGB32, width, height,
                                          static_cast<int>(width * kBytesPerPixel)));
}

Bitmap empty_bitmap(const Rect& rect) {
  const size_t pixels = static_cast<size_t>(rect.width) * static_cast<size_t>(rect.height);
  return {{rect.width, rect.height}, std::vector<uint8_t>(pixels * kBytesPerPixel)};
}

// Where letters touch, they have the same colour.
void draw_text(cairo_t* cairo, const Rect& cell, const StrokePart& part) {
  Bitmap text = empty_bitmap(cell);
  const Canvas canvas{{text.pixels.data(), cell.width * kBytesPerPixel}, text.size};
  for (const PlacedLine& line : part.lines) {
    const int top = line.rect.y + static_cast<int>(std::lround(line.unit));
    LineLayout(line.text, line.unit).draw(canvas, line.rect.x - cell.x, top - cell.y, part.colour);
  }
  const auto surface = surface_of(text);
  cairo_set_source_surface(cairo, surface.get(), cell.x, cell.y);
  cairo_paint_with_alpha(cairo, part.opacity / 100.0);
}

// One path, so that a transparent stroke is not darker where it crosses itself.
void draw_part(cairo_t* cairo, const Rect& cell, const StrokePart& part) {
  cairo_save(cairo);
  for (const Rect& clip : part.clip) {
    cairo_rectangle(cairo, clip.x, clip.y, clip.width, clip.height);
  }
  if (!part.clip.empty()) cairo_clip(cairo);
  if (!part.lines.empty()) draw_text(cairo, cell, part);
  cairo_set_line_width(cairo, part.width);
  cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND);
  cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
  const auto share = [&part](unsigned shift) { return (part.colour >> shift & 0xffU) / 255.0; };
  cairo_set_source_rgba(cairo, share(16), share(8), share(0), part.opacity / 100.0);
  for (const Segment& segment : part.segments) {
    cairo_move_to(cairo, segment.from.x, segment.from.y);
    cairo_line_to(cairo, segment.to.x, segment.to.y);
  }
  cairo_stroke(cairo);
  cairo_restore(cairo);
}

Bitmap stroke_bitmap(const Rect& rect, const std::vector<StrokePart>& parts) {
  Bitmap bitmap = empty_bitmap(rect);
  const auto surface = surface_of(bitmap);
  const std::unique_ptr<cairo_t, CairoFree> cairo(cairo_create(surface.get()));
  cairo_translate(cairo.get(), -rect.x, -rect.y);
  for (const StrokePart& part : parts) draw_part(cairo.get(), rect, part);
  cairo_surface_flush(surface.get());
  return bitmap;
}

}  // namespace

std::vector<StrokeCell> stroke_cells(const sail::TileView& tile,
                                     const std::vector<sail::OverlayDrawing>& drawings) {
  CellParts cells;
  for (const sail::OverlayDrawing& drawing : drawings) {
    std::vector<Rect> clip;
    for (const sail::ClipRect& part : drawing.clip) {
      const Rect on_wall = sail::intersect(part.rect, tile.wall_rect);
      if (!on_wall.empty()) clip.push_back(tile.tile_pixels(on_wall));
    }
    if (clip.empty() && !drawing.clip.empty()) continue;
    for (const sail::OverlayStroke& stroke : drawing.strokes) {
      StrokePart whole = on_tile(stroke, tile);
      whole.clip = clip;
      spread(whole, tile.upright, cells);
    }
  }
  std::vector<StrokeCell> result;
  for (auto& [cell, parts] : cells) {
    const Rect rect = cell_rect(cell, tile.upright);
    std::string key = key_of(rect, parts);
    result.push_back({rect, std::move(key),
                      [rect, drawn = std::move(parts)] { return stroke_bitmap(rect, drawn); }});
  }
  return result;
}

}  // namespace receiver
