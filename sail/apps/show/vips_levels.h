// One picture at several sizes, largest first: levels of a pyramid in a file, read by region and as
// little as possible, or images in memory. One thread. Only for the vips_* files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sail/apps/show/still.h"
#include "sail/apps/show/vips_image.h"
#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"

namespace sail {

class VipsLevels {
 public:
  // Position of a level in the file.
  struct Source {
    std::optional<int> page;    // for formats with pages
    std::optional<int> subifd;  // for TIFF
  };
  // path: file with the levels; also used in messages.
  explicit VipsLevels(std::string path) : path_(std::move(path)) {}

  void add_in_file(const Source& source, Size size);
  // The image has red, green and blue.
  void add_in_memory(VipsHandle image);
  // Adds halved copies of the last level, which must be in memory, until the copy is small.
  Result<void> add_halvings();

  // Size of the largest level.
  Size size() const { return levels_.front().size; }
  Result<Raster> draw(const PageView& view);

 private:
  // Maximum number of pixels read from a file per drawing; otherwise a smaller level is used.
  static constexpr int64_t kMostPixelsRead = int64_t{64} << 20;
  // libvips caches the parts it has read. Limits the cache to about this many pixels.
  static constexpr int64_t kMostPixelsKept = int64_t{32} << 20;

  struct Level {
    Source source;
    Size size;
    VipsHandle image;  // for levels in the file: only while opened
    bool in_file = false;
  };
  size_t level_for(const SeenPart& seen, double scale) const;
  // Returns the level's pixels that cover the part, plus a margin for scaling.
  Rect covered(const Level& level, const SeenPart& seen, double level_scale) const;
  Result<void> open(Level& level) const;
  void forget_if_much(int64_t pixels);

  std::string path_;
  std::vector<Level> levels_;
  int64_t pixels_kept_ = 0;
};

// Opens a file or a part of it. damage: kind of damage that makes reading fail.
Result<VipsHandle> open_vips(const std::string& path, const VipsLevels::Source& source,
                             VipsAccess access, VipsFailOn damage = VIPS_FAIL_ON_NONE);

}  // namespace sail
