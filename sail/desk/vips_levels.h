// One picture at several sizes, the largest first: levels of a pyramid that lies in a file, read by
// region and as little as possible, or pictures in memory. One thread. For the files vips_* only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sail/base/geometry.h"
#include "sail/base/result.h"
#include "sail/desk/still.h"
#include "sail/desk/vips_image.h"

namespace sail {

class VipsLevels {
 public:
  // Where a level is in the file.
  struct Source {
    std::optional<int> page;    // of formats with pages
    std::optional<int> subifd;  // of TIFF
  };
  // path: for reading levels, and for what is said.
  explicit VipsLevels(std::string path) : path_(std::move(path)) {}

  void add_in_file(const Source& source, Size size);
  // Red, green, blue in memory.
  void add_in_memory(VipsHandle image);
  // Halves the last level, which is in memory, again and again until it is small.
  Result<void> add_halvings();

  // The size of the largest level.
  Size size() const { return levels_.front().size; }
  Result<Raster> draw(const PageView& view);

 private:
  // A drawing reads no more than so many pixels of a file: else a smaller level, if there is one.
  static constexpr int64_t kMostPixelsRead = int64_t{64} << 20;
  // libvips keeps the parts that it has read for a while: about so many pixels.
  static constexpr int64_t kMostPixelsKept = int64_t{32} << 20;

  struct Level {
    Source source;
    Size size;
    VipsHandle image;  // of levels in the file: while it is open
    bool in_file = false;
  };
  size_t level_for(const SeenPart& seen, double scale) const;
  // The level's pixels that the part covers, and a few around them for scaling.
  Rect covered(const Level& level, const SeenPart& seen, double level_scale) const;
  Result<void> open(Level& level) const;
  void forget_if_much(int64_t pixels);

  std::string path_;
  std::vector<Level> levels_;
  int64_t pixels_kept_ = 0;
};

// Opens a file, or a part of it. damage: how much of it makes reading fail.
Result<VipsHandle> open_vips(const std::string& path, const VipsLevels::Source& source,
                             VipsAccess access, VipsFailOn damage = VIPS_FAIL_ON_NONE);

}  // namespace sail
