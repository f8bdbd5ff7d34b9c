// What vitrail-show shows: a picture or a document of pages, drawn into a frame at any zoom.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sail/base/geometry.h"
#include "sail/base/result.h"

namespace sail {

// Which part of a page a frame shows. "Page pixels" are a picture's own, and a document's points
// (1/72 inch).
struct PageView {
  Size frame;       // pixels
  double left = 0;  // page pixels at the frame's top left corner; below 0 beside the page
  double top = 0;
  double scale = 1;  // frame pixels a page pixel

  bool operator==(const PageView&) const = default;
};

// B, G, R, 255; rows without gaps.
struct Raster {
  Size size;
  std::vector<uint8_t> bgra;

  // Black.
  explicit Raster(Size of = {});
  uint8_t* at(int x, int y) {
    return bgra.data() +
           (static_cast<size_t>(y) * static_cast<size_t>(size.width) + static_cast<size_t>(x)) * 4;
  }
  const uint8_t* at(int x, int y) const { return const_cast<Raster*>(this)->at(x, y); }
};

// Of pictures and writing: enlarged more, they show nothing new.
constexpr double kMostEnlarged = 32;

struct PageInfo {
  Size size;                     // page pixels
  double usual_scale = 1;        // at which it has all of its detail, or a good size
  double max_scale = 16;         // more shows nothing
  std::string notice;            // what a person should know of how it is shown; empty: nothing
  int64_t changes_every_ns = 0;  // it is to be drawn again, by the system's clock; 0: never
};

// One thread.
class Still {
 public:
  virtual ~Still() = default;
  virtual int pages() const = 0;
  // Makes another page (from 0) the one that is drawn; on failure none is.
  virtual Result<PageInfo> turn_to(int page) = 0;
  // The page's part in the frame, black beside it.
  virtual Result<Raster> draw(const PageView& view) = 0;

 protected:
  Still() = default;
  Still(const Still&) = delete;
  Still& operator=(const Still&) = delete;
};

// What of a page can be seen in the frame, and where. Empty when nothing is.
struct SeenPart {
  double left = 0;  // page pixels
  double top = 0;
  double right = 0;
  double bottom = 0;
  Rect in_frame;
};
SeenPart seen_part(const PageView& view, Size page);

}  // namespace sail
