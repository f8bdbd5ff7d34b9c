// The content of vitrail-show: a picture, or a document with pages, drawn into a frame at any zoom.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"

namespace sail {

// The part of a page that a frame shows. "Page pixels" are the picture's pixels, or points (1/72
// inch) of a document.
struct PageView {
  Size frame;       // pixels
  double left = 0;  // page pixels at the frame's top left corner; negative: outside of the page
  double top = 0;
  double scale = 1;  // frame pixels per page pixel

  bool operator==(const PageView&) const = default;
};

// B, G, R, 255; rows without padding.
struct Raster {
  Size size;
  std::vector<uint8_t> bgra;

  // Creates a black raster.
  explicit Raster(Size of = {});
  uint8_t* at(int x, int y) {
    return bgra.data() +
           (static_cast<size_t>(y) * static_cast<size_t>(size.width) + static_cast<size_t>(x)) * 4;
  }
  const uint8_t* at(int x, int y) const { return const_cast<Raster*>(this)->at(x, y); }
};

// Maximum scale of pictures and text; larger scales show no more detail.
constexpr double kMostEnlarged = 32;

struct PageInfo {
  Size size;                     // page pixels
  double usual_scale = 1;        // shows all details, or has a suitable size
  double max_scale = 16;         // larger scales show no more detail
  std::string notice;            // message for the user about how it is shown; empty: none
  int64_t changes_every_ns = 0;  // redraw interval by the system's clock; 0: never
};

// A view already drawn. Another view is previewed from it until that view itself has been read.
struct DrawnView {
  PageView view;
  Raster raster;
};

// The whole page with less detail than a frame can show.
struct PagePreview {
  PageInfo info;  // without a notice
  DrawnView drawn;
};

// One thread.
class Still {
 public:
  virtual ~Still() = default;
  virtual int pages() const = 0;
  // Selects the page (from 0) to draw. After a failure no page is selected.
  virtual Result<PageInfo> turn_to(int page) = 0;
  // Describes the page without reading its pixels. Empty: not possible, or not worth it: turn_to()
  // is as quick. The page may prove unreadable.
  virtual std::optional<PageInfo> glance(int /*page*/) { return std::nullopt; }
  // Reads a preview of the page fitted into the frame, in a fraction of the time that turn_to() and
  // draw() would take. Empty: not possible, or not worth it. Afterwards no page is selected.
  virtual std::optional<PagePreview> preview(int /*page*/, Size /*frame*/) { return std::nullopt; }
  // Draws the visible part of the page; black elsewhere.
  virtual Result<Raster> draw(const PageView& view) = 0;
  // A sentence about the parts that could not be drawn until now; empty: none.
  virtual std::string defects() const { return {}; }

 protected:
  Still() = default;
  Still(const Still&) = delete;
  Still& operator=(const Still&) = delete;
};

// The visible part of a page and its position in the frame. Empty if nothing is visible.
struct SeenPart {
  double left = 0;  // page pixels
  double top = 0;
  double right = 0;
  double bottom = 0;
  Rect in_frame;
};
SeenPart seen_part(const PageView& view, Size page);

// Draws the visible part of `drawn`, another view of the same page, onto the frame (nearest
// neighbour). frame has the view's size.
void draw_coarse(Raster& frame, const PageView& view, const DrawnView& drawn);

}  // namespace sail
