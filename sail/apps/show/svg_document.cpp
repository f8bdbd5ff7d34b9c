#include "sail/apps/show/still_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <string_view>
#include <utility>

#include "sail/apps/show/vips_levels.h"
#include "sail/media/still/vips_image.h"
#include "sail/media/storage/reading/file.h"

namespace sail {
namespace {

constexpr uint64_t kMostSvgBytes = uint64_t{16} << 20;
constexpr int64_t kMostTags = 300'000;  // an element takes librsvg up to 1.2 kB
constexpr int kMostSide = 32'000;       // of a drawing, at any zoom: Cairo's limit

Result<VipsHandle> render(const std::vector<uint8_t>& file, double scale, const std::string& path) {
  VipsBlob* blob = vips_blob_new(nullptr, file.data(), file.size());
  VipsImage* image = nullptr;
  const int status = vips_call("svgload_buffer", blob, &image, "scale", scale, nullptr);
  vips_area_unref(VIPS_AREA(blob));
  if (status != 0) return vips_failure(path);
  return VipsHandle(image);
}

Result<VipsHandle> on_white(const VipsHandle& image, const std::string& path) {
  constexpr double kWhite = 255;
  VipsImage* out = nullptr;
  VipsArrayDouble* white = vips_array_double_newv(1, kWhite);
  const int status = vips_flatten(image.get(), &out, "background", white, nullptr);
  vips_area_unref(VIPS_AREA(white));
  if (status != 0) return vips_failure(path);
  return VipsHandle(out);
}

}  // namespace

bool is_svg(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::array<char, 1024> start{};
  file.read(start.data(), start.size());
  const std::string_view read(start.data(), static_cast<size_t>(file.gcount()));
  const size_t first = read.find_first_not_of("\xEF\xBB\xBF \t\r\n");
  return first != std::string_view::npos && read[first] == '<' &&
         read.find("<svg") != std::string_view::npos;
}

Result<std::unique_ptr<SvgDocument>> SvgDocument::open(const std::string& path) {
  auto opened = File::open_to_read(path);
  if (!opened) return opened.error();
  const auto bytes = opened->size();
  if (!bytes) return bytes.error();
  if (*bytes > kMostSvgBytes) {
    return fail(ErrorCode::kLimit, path + " is too large: a drawing has at most 16 MiB");
  }
  std::vector<uint8_t> file(*bytes);
  if (auto read = opened->read(0, file); !read) return read.error();
  if (std::ranges::count(file, '<') > kMostTags) {
    return fail(ErrorCode::kLimit,
                fmt::format("{} is too large: a drawing has at most {} tags", path, kMostTags));
  }
  const auto image = render(file, 1, path);
  if (!image) return image.error();
  const Size size = size_of(*image);
  if (std::max(size.width, size.height) > kMostSide) {
    return fail(ErrorCode::kLimit, path + " is too large: a side has at most 32000 pixels");
  }
  return std::unique_ptr<SvgDocument>(new SvgDocument(path, std::move(file), size));
}

Result<PageInfo> SvgDocument::turn_to(int /*page*/) {
  constexpr double kUsualSide = 1024;
  const int side = std::max(size_.width, size_.height);
  const double most = static_cast<double>(kMostSide) / side;
  return PageInfo{.size = size_,
                  .usual_scale = std::clamp(kUsualSide / side, 1.0, std::max(most, 1.0)),
                  .max_scale = most,
                  .notice = {}};
}

Result<Raster> SvgDocument::draw(const PageView& view) {
  Raster raster(view.frame);
  const SeenPart seen = seen_part(view, size_);
  if (seen.in_frame.empty()) return raster;
  auto image = render(file_, view.scale, path_);
  if (!image) return image.error();
  const Size size = size_of(*image);
  // Position of the frame in the rendered drawing.
  const auto left = static_cast<int>(std::lround(view.left * view.scale));
  const auto top = static_cast<int>(std::lround(view.top * view.scale));
  const Rect in_drawing{seen.in_frame.x + left, seen.in_frame.y + top, seen.in_frame.width,
                        seen.in_frame.height};
  const Rect part = intersect(in_drawing, {0, 0, size.width, size.height});
  if (part.empty()) return raster;
  auto shown = crop(*image, part, path_);
  if (shown) shown = on_white(*shown, path_);
  if (!shown) return shown.error();
  auto written = write_pixels(*shown, raster, seen.in_frame, part.x - left, part.y - top, path_);
  if (!written) return written.error();
  return raster;
}

}  // namespace sail
