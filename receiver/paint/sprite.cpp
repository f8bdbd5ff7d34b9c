#include "receiver/paint/sprite.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <vector>

#include "receiver/frame/canvas.h"
#include "receiver/paint/blend.h"
#include "receiver/paint/line_layout.h"
#include "sail/core/base/glyphs.h"

namespace receiver {
namespace {

using sail::kPlateMargin;
using sail::kPointerNameX;
using sail::kPointerNameY;
using sail::kPointerTip;

constexpr uint32_t kWhiteRgb = 0xffffff;
constexpr uint32_t kBlackRgb = 0x000000;
constexpr Pixel kHalfDark{0, 0, 0, 176};

struct Point {
  float x = 0;
  float y = 0;
};

// Outline of the arrow, in units from its tip.
constexpr std::array<Point, 7> kArrow = {
    {{0, 0}, {0, 14}, {3.2F, 11}, {5.4F, 16}, {7.6F, 15}, {5.4F, 10.2F}, {9.9F, 9.9F}}};
constexpr float kLightOutline = 0.9F;  // width around the arrow, in units
constexpr float kDarkOutline = 1.7F;   // width around the arrow, including the light outline
constexpr float kRingRadius = 7;
constexpr float kRingHalfWidth = 1;

Bitmap empty_bitmap(sail::Size size) {
  const size_t bytes = static_cast<size_t>(size.width) * static_cast<size_t>(size.height) *
                       static_cast<size_t>(kBytesPerPixel);
  return {size, std::vector<uint8_t>(bytes)};
}

Canvas canvas_of(Bitmap& bitmap) {
  return {{bitmap.pixels.data(), bitmap.size.width * kBytesPerPixel}, bitmap.size};
}

Pixel opaque(uint32_t colour) {
  return {static_cast<uint8_t>(colour), static_cast<uint8_t>(colour >> 8U),
          static_cast<uint8_t>(colour >> 16U), 255};
}

// Returns the distance of a point to the polygon's edge; negative inside.
template <size_t kCorners>
float distance(const std::array<Point, kCorners>& polygon, Point p) {
  float nearest = INFINITY;
  bool inside = false;
  for (size_t i = 0, j = kCorners - 1; i < kCorners; j = i++) {
    const Point a = polygon[i];
    const Point edge{polygon[j].x - a.x, polygon[j].y - a.y};
    const Point from{p.x - a.x, p.y - a.y};
    const float along = std::clamp(
        (from.x * edge.x + from.y * edge.y) / (edge.x * edge.x + edge.y * edge.y), 0.0F, 1.0F);
    nearest = std::min(nearest, std::hypot(from.x - along * edge.x, from.y - along * edge.y));
    const bool crosses = (a.y > p.y) != (polygon[j].y > p.y);
    if (crosses && from.x < edge.x * from.y / edge.y) inside = !inside;
  }
  return inside ? -nearest : nearest;
}

// Blends the colour over a pixel at this distance outside the edge of a shape (antialiased).
void cover(uint8_t* pixel, uint32_t colour, float pixels_outside) {
  const float share = std::clamp(0.5F - pixels_outside, 0.0F, 1.0F);
  const Pixel over = opaque(colour);
  for (size_t c = 0; c < over.size(); ++c) {
    pixel[c] = static_cast<uint8_t>(std::lround(share * static_cast<float>(over[c]) +
                                                (1 - share) * static_cast<float>(pixel[c])));
  }
}

// outside: distance to the shape, in units. Draws the outlines first.
void cover_outlined(uint8_t* pixel, uint32_t colour, float outside, int unit) {
  const auto scale = static_cast<float>(unit);
  cover(pixel, kBlackRgb, (outside - kDarkOutline) * scale);
  cover(pixel, kWhiteRgb, (outside - kLightOutline) * scale);
  cover(pixel, colour, outside * scale);
}

// Selects black or white text by the perceived brightness of the background.
uint32_t letters_on(uint32_t colour) {
  const Pixel bgr = opaque(colour);
  return bgr[2] * 299 + bgr[1] * 587 + bgr[0] * 114 > 140'000 ? kBlackRgb : kWhiteRgb;
}

void draw_name(const Canvas& canvas, std::string_view name, uint32_t colour, int unit) {
  if (name.empty()) return;
  const LineLayout line(name, unit);
  const int height = sail::text_size(name, unit).height;
  const int x = (kPointerTip + kPointerNameX) * unit;
  const int y = (kPointerTip + kPointerNameY) * unit;
  const int margin = kPlateMargin * unit;
  fill({at(canvas.target, x, y), {line.width() + 2 * margin, height + 2 * margin}}, opaque(colour));
  line.draw(canvas, x + margin, y + margin, letters_on(colour));
}

// Of the name plate, in units: the tile's name is twice as large as the node's.
constexpr int kTileNameScale = 2;
constexpr int kUpArrowHeight = 16;
constexpr int kTileNameTop = kPlateMargin + kUpArrowHeight + kPlateMargin;
constexpr int kNodeNameTop = kTileNameTop + kTileNameScale * sail::kLineStep;
constexpr int kPlateHeight = kNodeNameTop + sail::kLineStep + kPlateMargin;
// In units from the middle of its upper edge.
constexpr std::array<Point, 7> kUpArrow = {
    {{0, 0}, {8, 8}, {3, 8}, {3, 16}, {-3, 16}, {-3, 8}, {-8, 8}}};
constexpr int kUpArrowWidth = 18;

int plate_units_across(const NamePlate& names) {
  return 2 * kPlateMargin + std::max({kUpArrowWidth, sail::text_size(names.node, 1).width,
                                      sail::text_size(names.tile, kTileNameScale).width});
}

// The plate has at most two thirds of the tile's width and half of its height.
int plate_unit(const NamePlate& names, sail::Size upright) {
  return std::max(1, std::min(upright.width * 2 / 3 / plate_units_across(names),
                              upright.height / 2 / kPlateHeight));
}

void draw_up_arrow(const Canvas& canvas, int unit) {
  for (int y = 0; y < kTileNameTop * unit; ++y) {
    uint8_t* pixel = at(canvas.target, 0, y).pixels;
    for (int x = 0; x < canvas.size.width; ++x, pixel += kBytesPerPixel) {
      const auto units = [unit](float pixels) { return pixels / static_cast<float>(unit); };
      const float middle = static_cast<float>(canvas.size.width) / 2;
      const Point from_tip{units(static_cast<float>(x) + 0.5F - middle),
                           units(static_cast<float>(y) + 0.5F) - kPlateMargin};
      cover(pixel, kWhiteRgb, distance(kUpArrow, from_tip) * static_cast<float>(unit));
    }
  }
}

void draw_centred(const Canvas& canvas, std::string_view text, int y, int unit) {
  if (text.empty()) return;
  const LineLayout line(text, unit);
  line.draw(canvas, (canvas.size.width - line.width()) / 2, y, kWhiteRgb);
}

}  // namespace

Bitmap pointer_bitmap(const sail::OverlayPointer& pointer, sail::Size size, int unit) {
  Bitmap bitmap = empty_bitmap(size);
  const Canvas canvas = canvas_of(bitmap);
  draw_name(canvas, sail::pointer_name(pointer), pointer.colour, unit);
  const int side = (kPointerTip + sail::kArrowSide) * unit;
  for (int y = 0; y < side; ++y) {
    uint8_t* pixel = at(canvas.target, 0, y).pixels;
    for (int x = 0; x < side; ++x, pixel += kBytesPerPixel) {
      const auto units = [unit](int pixels) {
        return (static_cast<float>(pixels) + 0.5F) / static_cast<float>(unit) - kPointerTip;
      };
      const Point from_tip{units(x), units(y)};
      if (pointer.pressed) {
        const float ring = std::abs(std::hypot(from_tip.x, from_tip.y) - kRingRadius);
        cover_outlined(pixel, pointer.colour, ring - kRingHalfWidth, unit);
      }
      cover_outlined(pixel, pointer.colour, distance(kArrow, from_tip), unit);
    }
  }
  return bitmap;
}

// A light core, and around it the colour, which fades towards the edge.
Bitmap laser_bitmap(uint32_t colour, sail::Size size, size_t age) {
  constexpr float kCore = 0.25F;
  constexpr float kSolid = 0.5F;
  Bitmap bitmap = empty_bitmap(size);
  const Canvas canvas = canvas_of(bitmap);
  const float radius = static_cast<float>(size.width) / 2;
  const float strength = 1 / static_cast<float>(1 + age);
  for (int y = 0; y < size.height; ++y) {
    uint8_t* pixel = at(canvas.target, 0, y).pixels;
    for (int x = 0; x < size.width; ++x, pixel += kBytesPerPixel) {
      const float share =
          std::hypot(static_cast<float>(x) + 0.5F - radius, static_cast<float>(y) + 0.5F - radius) /
          radius;
      const float alpha = strength * std::clamp((1 - share) / (1 - kSolid), 0.0F, 1.0F);
      const Pixel light = opaque(share < kCore && age == 0 ? kWhiteRgb : colour);
      for (size_t c = 0; c < light.size(); ++c) {
        pixel[c] = static_cast<uint8_t>(std::lround(alpha * static_cast<float>(light[c])));
      }
    }
  }
  return bitmap;
}

Bitmap lens_bitmap(uint32_t colour, sail::Size size, int unit) {
  Bitmap bitmap = empty_bitmap(size);
  const Canvas canvas = canvas_of(bitmap);
  const auto frame = [&](int from, int width, uint32_t drawn) {
    const int side = size.width - 2 * from;
    if (side <= 2 * width) return;
    for (const sail::Rect& bar :
         {sail::Rect{from, from, side, width}, sail::Rect{from, from + side - width, side, width},
          sail::Rect{from, from, width, side},
          sail::Rect{from + side - width, from, width, side}}) {
      fill({at(canvas.target, bar.x, bar.y), {bar.width, bar.height}}, opaque(drawn));
    }
  };
  frame(0, unit, kBlackRgb);
  frame(unit, 2 * unit, colour);
  return bitmap;
}

Bitmap label_bitmap(const sail::OverlayLabel& label, sail::Size size, int unit) {
  Bitmap bitmap = empty_bitmap(size);
  const Canvas canvas = canvas_of(bitmap);
  const int margin = kPlateMargin * unit;
  std::vector<LineLayout> lines;
  int width = 0;
  for (const std::string& line : label.lines) {
    width = std::max(width, lines.emplace_back(line, unit).width());
  }
  fill({canvas.target, {width + 2 * margin, size.height}}, kHalfDark);
  int y = margin;
  for (const LineLayout& line : lines) {
    line.draw(canvas, margin, y, label.colour);
    y += sail::kLineStep * unit;
  }
  return bitmap;
}

Bitmap black_bitmap(sail::Size size) {
  Bitmap bitmap = empty_bitmap(size);
  fill(canvas_of(bitmap), opaque(kBlackRgb));
  return bitmap;
}

Bitmap centred_line_bitmap(const sail::CentredLine& line, const sail::Rect& part,
                           std::string_view text) {
  Bitmap bitmap = empty_bitmap({part.width, part.height});
  const LineLayout layout(text, line.unit);
  layout.draw(canvas_of(bitmap), (line.rect.width - layout.width()) / 2 - part.x, -part.y,
              kWhiteRgb);
  return bitmap;
}

sail::Rect name_plate_rect(const NamePlate& names, sail::Size upright) {
  const int unit = plate_unit(names, upright);
  const sail::Size plate{plate_units_across(names) * unit, kPlateHeight * unit};
  return {(upright.width - plate.width) / 2, (upright.height - plate.height) / 2, plate.width,
          plate.height};
}

Bitmap name_plate_bitmap(const NamePlate& names, sail::Size upright) {
  constexpr Pixel kPlate{32, 32, 32, 255};
  const sail::Rect rect = name_plate_rect(names, upright);
  Bitmap bitmap = empty_bitmap({rect.width, rect.height});
  const Canvas canvas = canvas_of(bitmap);
  fill(canvas, kPlate);
  const int unit = plate_unit(names, upright);
  draw_up_arrow(canvas, unit);
  draw_centred(canvas, names.tile, kTileNameTop * unit, kTileNameScale * unit);
  draw_centred(canvas, names.node, kNodeNameTop * unit, unit);
  return bitmap;
}

std::array<sail::Rect, 4> edge_bars(sail::Size upright) {
  const int width = upright.width, height = upright.height;
  const int bar = std::min({2 * sail::overlay_magnification(upright), width / 2, height / 2});
  return {{{0, 0, width, bar},
           {0, height - bar, width, bar},
           {0, bar, bar, height - 2 * bar},
           {width - bar, bar, bar, height - 2 * bar}}};
}

Bitmap edge_bar_bitmap(sail::Size size) {
  constexpr uint32_t kOrange = 0xff8000;  // differs from black and from white
  Bitmap bitmap = empty_bitmap(size);
  fill(canvas_of(bitmap), opaque(kOrange));
  return bitmap;
}

namespace {

using sail::Rect;

void copy(const codecs::BgraTarget& from, const codecs::BgraTarget& to, const Rect& rect) {
  for (int y = rect.y; y < rect.bottom(); ++y) {
    std::memcpy(at(to, rect.x, y).pixels, at(from, rect.x, y).pixels,
                static_cast<size_t>(rect.width) * kBytesPerPixel);
  }
}

// Calls visit(sprite, rect) for the part of each sprite that is within the rectangle.
template <typename Visit>
void visit_within(const std::vector<Sprite>& sprites, const Rect& rect, const Visit& visit) {
  for (const Sprite& sprite : sprites) {
    const Rect part = sail::intersect(sprite.rect, rect);
    if (!part.empty()) visit(sprite, part);
  }
}

codecs::BgraTarget like(const Canvas& canvas, const std::vector<uint8_t>& pixels) {
  return {const_cast<uint8_t*>(pixels.data()), canvas.size.width * kBytesPerPixel};
}

// Draws this part of the lens, from a picture without sprites.
void enlarge(const Sprite& lens, const Rect& part, const codecs::BgraTarget& from,
             const Canvas& to) {
  const int factor = lens.rect.width / lens.enlarged.width;
  for (int y = part.y; y < part.bottom(); ++y) {
    const uint8_t* row =
        at(from, lens.enlarged.x, lens.enlarged.y + (y - lens.rect.y) / factor).pixels;
    uint8_t* pixel = at(to.target, part.x, y).pixels;
    for (int x = part.x - lens.rect.x; x < part.right() - lens.rect.x; ++x) {
      std::memcpy(pixel, row + static_cast<ptrdiff_t>(x / factor) * kBytesPerPixel, kBytesPerPixel);
      pixel += kBytesPerPixel;
    }
  }
}

void blend(const Sprite& sprite, const Rect& part, const Canvas& canvas) {
  const Bitmap& bitmap = *sprite.bitmap;
  const codecs::BgraTarget pixels{const_cast<uint8_t*>(bitmap.pixels.data()),
                                  bitmap.size.width * kBytesPerPixel};
  lay_over({at(pixels, part.x - sprite.rect.x, part.y - sprite.rect.y), {part.width, part.height}},
           {}, at(canvas.target, part.x, part.y));
}

}  // namespace

void LaidSprites::forget() {
  laid_.clear();
  beneath_ = {};
}

void LaidSprites::lift(const Canvas& canvas, std::span<const Rect> damage) const {
  for (const Rect& rect : damage) {
    visit_within(laid_, rect, [&](const Sprite&, const Rect& part) {
      copy(like(canvas, beneath_), canvas.target, part);
    });
  }
}

// First saves the pixels of all rectangles, then restores and draws each, so that nothing is
// blended twice where rectangles overlap.
void LaidSprites::lay(const Canvas& canvas, std::span<const Rect> damage,
                      const std::vector<Sprite>& sprites) {
  if (laid_ != sprites) laid_ = sprites;
  if (laid_.empty()) return forget();
  beneath_.resize(static_cast<size_t>(canvas.size.width) * static_cast<size_t>(canvas.size.height) *
                  kBytesPerPixel);
  const codecs::BgraTarget beneath = like(canvas, beneath_);
  for (const Rect& rect : damage) {
    visit_within(laid_, rect,
                 [&](const Sprite&, const Rect& part) { copy(canvas.target, beneath, part); });
    for (const Sprite& sprite : laid_) {
      copy(canvas.target, beneath, sail::intersect(sprite.enlarged, rect));
    }
  }
  for (const Rect& rect : damage) {
    visit_within(laid_, rect,
                 [&](const Sprite&, const Rect& part) { copy(beneath, canvas.target, part); });
    visit_within(laid_, rect, [&](const Sprite& sprite, const Rect& part) {
      if (!sprite.enlarged.empty()) enlarge(sprite, part, beneath, canvas);
      blend(sprite, part, canvas);
    });
  }
}

}  // namespace receiver
