#include "sail/media/still/svg_drawing.h"

namespace sail {
Result<VipsHandle> render_svg(std::span<const uint8_t> file, double scale,
                              const std::string& name) {
  VipsBlob* blob = vips_blob_new(nullptr, file.data(), file.size());
  VipsImage* image = nullptr;
  const int status = vips_call("svgload_buffer", blob, &image, "scale", scale, nullptr);
  vips_area_unref(VIPS_AREA(blob));
  if (status != 0) return vips_failure(name);
  return VipsHandle(image);
}

Result<VipsHandle> on_white(const VipsHandle& image, const std::string& name) {
  constexpr double kWhite = 255;
  VipsImage* out = nullptr;
  VipsArrayDouble* white = vips_array_double_newv(1, kWhite);
  const int status = vips_flatten(image.get(), &out, "background", white, nullptr);
  vips_area_unref(VIPS_AREA(white));
  if (status != 0) return vips_failure(name);
  return VipsHandle(out);
}

}  // namespace sail
