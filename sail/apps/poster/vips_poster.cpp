#include "sail/apps/poster/vips_poster.h"

#include <cstddef>

#include "sail/media/still/still_pixels.h"

namespace sail {

Result<SmallPicture> vips_poster(const std::string& path, Size bounds) {
  const auto copy = reduced_still(path, bounds);
  if (!copy) return copy.error();
  SmallPicture picture{.size = size_of(*copy), .rgb = {}};
  size_t bytes = 0;
  void* pixels = vips_image_write_to_memory(copy->get(), &bytes);
  if (pixels == nullptr) return vips_failure(path);
  const auto* first = static_cast<const uint8_t*>(pixels);
  picture.rgb.assign(first, first + bytes);
  g_free(pixels);
  return picture;
}

}  // namespace sail
