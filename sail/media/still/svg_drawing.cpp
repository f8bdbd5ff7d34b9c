#include "sail/media/still/svg_drawing.h"

#include <fmt/core.h>

#include <algorithm>

namespace sail {
namespace {

constexpr uint64_t kMostSvgBytes = uint64_t{16} << 20;
constexpr int64_t kMostSvgTags = 300'000;  // an element takes librsvg up to 1.2 kB

}  // namespace

Result<void> check_svg_bytes(uint64_t bytes, const std::string& name) {
  if (bytes <= kMostSvgBytes) return {};
  return fail(ErrorCode::kLimit, name + " is too large: a drawing has at most 16 MiB");
}

Result<void> check_svg_tags(std::span<const uint8_t> file, const std::string& name) {
  if (std::ranges::count(file, '<') <= kMostSvgTags) return {};
  return fail(ErrorCode::kLimit,
              fmt::format("{} is too large: a drawing has at most {} tags", name, kMostSvgTags));
}

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
