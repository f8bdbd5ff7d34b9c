#include "sail/apps/poster/vips_poster.h"

#include <cstddef>

#include "sail/apps/show/vips_image.h"

namespace sail {

bool is_vips_picture(const std::string& path) {
  const char* loader = vips_foreign_find_load(path.c_str());
  vips_error_clear();
  if (loader == nullptr) return false;
  const void* type = vips_class_find("VipsForeignLoad", loader);
  const auto* operation = static_cast<const VipsOperationClass*>(type);
  return operation != nullptr && (operation->flags & VIPS_OPERATION_BLOCKED) == 0;
}

Result<SmallPicture> vips_poster(const std::string& path, Size bounds) {
  const auto copy = reduced_copy(path, bounds);
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
