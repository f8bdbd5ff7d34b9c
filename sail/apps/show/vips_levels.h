// One picture at several sizes, largest first: levels of a pyramid in a file, read by region and as
// little as possible, or images in memory. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sail/apps/show/still.h"
#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"
#include "sail/media/still/vips_image.h"

namespace sail {

class VipsLevels {
 public:
  // path: file with the levels; also used in messages.
  explicit VipsLevels(std::string path) : path_(std::move(path)) {}

  // How the levels in the file become colours, and how they are turned.
  void show_as(const VipsColors& colors, int orientation) {
    colors_ = colors;
    orientation_ = orientation;
  }
  // size: upright.
  void add_in_file(const VipsPart& part, Size size);
  // Returns a part of a level: red, green and blue.
  using ReadPart = std::function<Result<VipsHandle>(const Rect& part)>;
  void add_read(Size size, ReadPart read);
  // The image has red, green and blue.
  void add_in_memory(VipsHandle image);
  // Adds halved copies of the last level, which must be in memory, until the copy is small. Each
  // copy is made when it is first drawn.
  Result<void> add_halvings();

  // Size of the largest level.
  Size size() const { return levels_.front().size; }
  Result<Raster> draw(const PageView& view);
  // Draws the level that is one step coarser than the level for the whole page in this frame.
  // Empty: there is no coarser level, or the level for the page is quick to read.
  std::optional<PagePreview> preview(const PageInfo& info, Size frame);

 private:
  // Maximum number of pixels read from a file per drawing; otherwise a smaller level is used.
  static constexpr int64_t kMostPixelsRead = int64_t{64} << 20;
  // libvips caches the parts it has read. Limits the cache to about this many pixels.
  static constexpr int64_t kMostPixelsKept = int64_t{32} << 20;

  struct Level {
    VipsPart part;
    Size size;
    VipsHandle image;  // for levels in the file: only while opened
    bool in_file = false;
    bool to_make = false;  // the image in memory has not been evaluated
    ReadPart read = {};    // empty: `part` or `image` is read
  };
  size_t level_for(const SeenPart& seen, double scale) const;
  // Returns the level's pixels that cover the part, plus a margin for scaling.
  Rect covered(const Level& level, const SeenPart& seen, double level_scale) const;
  Result<void> open(Level& level) const;
  // Red, green and blue.
  Result<VipsHandle> part_of(Level& level, const Rect& part) const;
  void forget_if_much(int64_t pixels);

  std::string path_;
  VipsColors colors_;
  int orientation_ = 1;
  std::vector<Level> levels_;
  int64_t pixels_kept_ = 0;
};

// Other pictures are drawn at once.
constexpr int64_t kWorthPreviewPixels = int64_t{4} << 20;

// The scale at which the page fits into the frame.
double fitting_scale(Size page, Size frame);

// kLimit: more pixels than pictures may have.
Result<void> check_pixels(Size size, const std::string& path);

// Writes B, G, R, 255 of the image into `to`. (x, y) is the image's position in the raster.
Result<void> write_pixels(const VipsHandle& image, Raster& raster, const Rect& to, int x, int y,
                          const std::string& path);

}  // namespace sail
