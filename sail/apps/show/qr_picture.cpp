#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "sail/apps/show/still_file.h"
#include "sail/core/wire/content.h"

namespace sail {
namespace {

constexpr int kModule = 16;  // page pixels

}  // namespace

Result<std::unique_ptr<QrPicture>> QrPicture::open(const std::string& medium) {
  auto code = qr_code(medium.substr(kQrScheme.size()));
  if (!code) return code.error();
  return std::unique_ptr<QrPicture>(new QrPicture(std::move(*code)));
}

Result<PageInfo> QrPicture::turn_to(int /*page*/) {
  const int side = (code_.width + 2 * kQrMargin) * kModule;
  return PageInfo{.size = {side, side}, .usual_scale = 1, .max_scale = kMostEnlarged, .notice = {}};
}

// Fills the whole frame with the quiet zone's white, so that any window shape looks complete.
Result<Raster> QrPicture::draw(const PageView& view) {
  Raster raster(view.frame);
  const auto module_at = [&](int pixel, double first) {
    const double at = (first + (pixel + 0.5) / view.scale) / kModule;
    return static_cast<int>(std::clamp(std::floor(at), -1.0, 1e6)) - kQrMargin;
  };
  std::vector<int> columns;
  for (int x = 0; x < view.frame.width; ++x) columns.push_back(module_at(x, view.left));
  for (int y = 0; y < view.frame.height; ++y) {
    const int row = module_at(y, view.top);
    uint8_t* pixel = raster.at(0, y);
    for (const int column : columns) {
      const uint8_t level = code_.dark(column, row) ? 0 : 255;
      for (int i = 0; i < 3; ++i) *pixel++ = level;
      *pixel++ = 255;
    }
  }
  return raster;
}

}  // namespace sail
