#include "sail/apps/show/still_file.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sail/apps/show/vips_levels.h"
#include "sail/media/still/still_kind.h"
#include "sail/media/still/svg_drawing.h"
#include "sail/media/still/vips_image.h"
#include "sail/media/storage/reading/file.h"

namespace sail {
namespace {

constexpr int kMostSide = 32'000;  // of a drawing, at any zoom: Cairo's limit

}  // namespace

bool is_svg(const std::string& path) {
  return still_kind(head_of(path)) == StillKind::kSvg;
}

Result<std::unique_ptr<SvgDocument>> SvgDocument::open(const std::string& path) {
  auto opened = File::open_to_read(path);
  if (!opened) return opened.error();
  const auto bytes = opened->size();
  if (!bytes) return bytes.error();
  if (auto checked = check_svg_bytes(*bytes, path); !checked) return checked.error();
  std::vector<uint8_t> file(*bytes);
  if (auto read = opened->read(0, file); !read) return read.error();
  if (auto checked = check_svg_tags(file, path); !checked) return checked.error();
  const auto image = render_svg(file, 1, path);
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
  auto image = render_svg(file_, view.scale, path_);
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
