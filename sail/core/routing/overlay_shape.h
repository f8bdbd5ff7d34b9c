// Size and position of pointers, labels and centred lines on a tile. Shared by receivers (to draw)
// and manager (to select receivers), so that both always mean the same pixels. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sail/core/base/geometry.h"
#include "sail/core/wall/visibility.h"
#include "sail/core/wire/overlay.h"

namespace sail {

// Tile pixels per unit: 1 if the shorter side has up to 1079 pixels, 2 from 1080, and so on.
int overlay_magnification(Size upright);

// A pointer's arrow and name, in units.
constexpr int kPointerTip = 10;      // from the left and top to the tip: a ring surrounds it
constexpr int kArrowSide = 18;       // bound of the arrow's width and height, outlines included
constexpr int kPointerNameX = 9;     // from the tip to the name's plate, horizontally
constexpr int kPointerNameY = 15;    // and vertically
constexpr int kPlateMargin = 2;      // margin around text
constexpr int kLineStep = 9;         // from one line of text to the next
constexpr size_t kPointerName = 24;  // maximum letters of a displayed name

// The displayed name.
std::string_view pointer_name(const OverlayPointer& pointer);

// Bounding rectangles in the tile's upright pixels; they may extend or lie outside the tile.
Rect pointer_rect(const TileView& tile, const OverlayPointer& pointer);
// A laser's dot at this place of the wall; those of a trail become smaller. age: 0 for the newest.
Rect laser_rect(const TileView& tile, int x, int y, size_t age);
// The radius of a spotlight, in wall pixels.
int spotlight_radius(const OverlayPointer& pointer);
Rect label_rect(const TileView& tile, const OverlayLabel& label);

// What a magnifier shows on a tile. It lies on the tile that contains the pointer, not across
// tiles, so that the tile has all pixels that it enlarges, and no seam cuts it.
struct Lens {
  Rect rect;    // upright pixels of the tile; empty: the pointer is on another tile
  Rect source;  // pixels that it enlarges: rect's sides divided by the factor; within the tile
};
Lens lens_on(const TileView& tile, const OverlayPointer& pointer);

// A line of a stroke's text, and its rectangle in wall pixels.
struct TextLine {
  std::string_view text;  // of the stroke
  Rect rect;
};
// The lines of a stroke's text, top to bottom; none if the stroke is a line. A receiver draws
// letters of 7 of kLineStep parts of the rectangle's height, below a margin of one part. Accents
// and descenders may extend kTextMargin parts beyond the rectangle.
std::vector<TextLine> text_lines(const OverlayStroke& stroke);
constexpr int kTextMargin = 3;
// The bounding rectangle in wall pixels, with the head of an arrow and the margin of a text.
Rect stroke_rect(const OverlayStroke& stroke);
// The length of an arrow's head, in widths of its line.
constexpr int kArrowHead = 5;

// A line of text in the middle of an area of the wall, which may extend over several tiles. In the
// tile's upright pixels; may extend or lie outside the tile.
struct CentredLine {
  Rect area;
  Rect rect;     // rectangle of the line; wider than the area if the text is too long
  int unit = 1;  // magnification
};
CentredLine centred_line(const TileView& tile, const Rect& wall_rect, std::string_view text);

}  // namespace sail
