#include "sail/apps/show/vips_image.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace sail {
namespace {

constexpr int kColours = 3;
constexpr double kWhite = 255;
constexpr double kSeenPixels = 3;  // from this factor on, users want to see the pixels
constexpr size_t kLongestReason = 200;

using Made = Result<VipsHandle>;

// image: by reference, because it is set by the call whose result is `status`.
Made made(int status, VipsImage* const& image, const std::string& path) {
  if (status != 0) return vips_failure(path);
  return VipsHandle(image);
}

Made flatten(VipsHandle image, const std::string& path) {
  if (vips_image_hasalpha(image.get()) == 0) return image;
  VipsImage* out = nullptr;
  VipsArrayDouble* white = vips_array_double_newv(1, kWhite);
  const int status = vips_flatten(image.get(), &out, "background", white, nullptr);
  vips_area_unref(VIPS_AREA(white));
  return made(status, out, path);
}

Made to_srgb_colours(VipsHandle image, const std::string& path) {
  VipsImage* out = nullptr;
  if (vips_image_get_typeof(image.get(), VIPS_META_ICC_NAME) != 0) {
    if (vips_icc_transform(image.get(), &out, "srgb", "embedded", TRUE, nullptr) == 0) {
      return VipsHandle(out);
    }
    vips_error_clear();  // unusable profile: ignore it
  }
  return made(vips_colourspace(image.get(), &out, VIPS_INTERPRETATION_sRGB, nullptr), out, path);
}

}  // namespace

Error vips_failure(const std::string& path) {
  std::string reason = vips_error_buffer();
  vips_error_clear();
  std::ranges::replace(reason, '\n', ' ');
  while (!reason.empty() && reason.back() == ' ') reason.pop_back();
  if (reason.size() > kLongestReason) reason.resize(kLongestReason);
  return {ErrorCode::kBadData, fmt::format("{} cannot be read: {}", path, reason)};
}

int vips_number(const VipsHandle& image, const char* name, int missing) {
  int value = 0;
  if (vips_image_get_typeof(image.get(), name) == 0) return missing;
  return vips_image_get_int(image.get(), name, &value) == 0 ? value : missing;
}

Made to_srgb(VipsHandle image, const std::string& path) {
  auto coloured = to_srgb_colours(std::move(image), path);
  if (!coloured) return coloured;
  auto opaque = flatten(std::move(*coloured), path);
  if (!opaque) return opaque;
  VipsImage* out = nullptr;
  auto bytes = made(vips_cast(opaque->get(), &out, VIPS_FORMAT_UCHAR, nullptr), out, path);
  if (!bytes || vips_image_get_bands(bytes->get()) == kColours) return bytes;
  VipsImage* rgb = nullptr;
  return made(vips_extract_band(bytes->get(), &rgb, 0, "n", kColours, nullptr), rgb, path);
}

Made crop(const VipsHandle& image, const Rect& part, const std::string& path) {
  VipsImage* out = nullptr;
  return made(
      vips_extract_area(image.get(), &out, part.x, part.y, part.width, part.height, nullptr), out,
      path);
}

Made scale(VipsHandle image, double scale_x, double scale_y, const std::string& path) {
  VipsImage* out = nullptr;
  const VipsKernel kernel = scale_x >= kSeenPixels ? VIPS_KERNEL_NEAREST
                            : scale_x > 1          ? VIPS_KERNEL_LINEAR
                                                   : VIPS_KERNEL_LANCZOS3;
  return made(vips_resize(image.get(), &out, scale_x, "vscale", scale_y, "kernel", kernel, nullptr),
              out, path);
}

Made reduced_copy(const std::string& path, Size bounds) {
  VipsImage* image = nullptr;
  const int status = vips_thumbnail(path.c_str(), &image, bounds.width, "height", bounds.height,
                                    "size", VIPS_SIZE_DOWN, "fail_on", VIPS_FAIL_ON_ERROR, nullptr);
  auto reduced = made(status, image, path);
  if (!reduced) return reduced;
  auto srgb = to_srgb(std::move(*reduced), path);
  return srgb ? in_memory(*srgb, path) : std::move(srgb);
}

Made in_memory(const VipsHandle& image, const std::string& path) {
  VipsImage* out = vips_image_copy_memory(image.get());
  return made(out == nullptr ? -1 : 0, out, path);
}

}  // namespace sail
