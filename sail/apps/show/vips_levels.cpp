#include "sail/apps/show/vips_levels.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace sail {
namespace {

constexpr int kSmallSide = 2048;   // halving stops when no side is longer
constexpr double kExact = 1e-9;    // relative tolerance for equal scales
constexpr int kScalingMargin = 8;  // pixels beyond the edge that affect a scaled pixel

}  // namespace

double fitting_scale(Size page, Size frame) {
  return std::min(static_cast<double>(frame.width) / page.width,
                  static_cast<double>(frame.height) / page.height);
}

Result<void> check_pixels(Size size, const std::string& path) {
  constexpr int64_t kMostPixels = int64_t{1} << 36;
  if (int64_t{size.width} * size.height <= kMostPixels) return {};
  return fail(ErrorCode::kLimit,
              fmt::format("{} is too large: {}x{} pixels, the maximum is 64 gigapixels", path,
                          size.width, size.height));
}

Result<void> write_pixels(const VipsHandle& image, Raster& raster, const Rect& to, int x, int y,
                          const std::string& path) {
  size_t bytes = 0;
  struct Free {
    void operator()(void* memory) const { g_free(memory); }
  };
  const std::unique_ptr<void, Free> memory(vips_image_write_to_memory(image.get(), &bytes));
  if (!memory) return vips_failure(path);
  const auto* rgb = static_cast<const uint8_t*>(memory.get());
  const Size size = size_of(image);
  for (int row = to.y; row < to.bottom(); ++row) {
    // Because of rounding, the last row or column may have no pixel; repeat the previous one.
    const int from_row = std::clamp(row - y, 0, size.height - 1);
    uint8_t* pixel = raster.at(to.x, row);
    for (int column = to.x; column < to.right(); ++column, pixel += 4) {
      const int from_column = std::clamp(column - x, 0, size.width - 1);
      const uint8_t* colour =
          rgb + (static_cast<ptrdiff_t>(from_row) * size.width + from_column) * 3;
      pixel[0] = colour[2];
      pixel[1] = colour[1];
      pixel[2] = colour[0];
    }
  }
  return {};
}

void VipsLevels::add_in_file(const VipsPart& part, Size size) {
  levels_.push_back({.part = part, .size = size, .image = nullptr, .in_file = true});
}

void VipsLevels::add_read(Size size, ReadPart read) {
  levels_.push_back(
      {.part = {}, .size = size, .image = nullptr, .in_file = true, .read = std::move(read)});
}

void VipsLevels::add_in_memory(VipsHandle image) {
  const Size size = size_of(image);
  levels_.push_back({.part = {}, .size = size, .image = std::move(image), .in_file = false});
}

Result<void> VipsLevels::add_halvings() {
  while (std::max(levels_.back().size.width, levels_.back().size.height) > kSmallSide) {
    VipsImage* half = nullptr;
    if (vips_shrink(levels_.back().image.get(), &half, 2, 2, nullptr) != 0) {
      return vips_failure(path_);
    }
    add_in_memory(VipsHandle(half));
    levels_.back().to_make = true;
  }
  return {};
}

Result<Raster> VipsLevels::draw(const PageView& view) {
  Raster raster(view.frame);
  const SeenPart seen = seen_part(view, size());
  if (seen.in_frame.empty()) return raster;
  Level& level = levels_[level_for(seen, view.scale)];
  if (level.to_make) {
    auto made = in_memory(level.image, path_);
    if (!made) return made.error();
    level.image = std::move(*made);
    level.to_make = false;
  }
  const double level_scale_x = static_cast<double>(level.size.width) / size().width;
  const double level_scale_y = static_cast<double>(level.size.height) / size().height;
  const Rect part = covered(level, seen, level_scale_x);
  auto image = level.read ? level.read(part) : part_of(level, part);
  const double scale_x = view.scale / level_scale_x;
  const double scale_y = view.scale / level_scale_y;
  if (image && (std::abs(scale_x - 1) > kExact || std::abs(scale_y - 1) > kExact)) {
    image = scale(std::move(*image), scale_x, scale_y, path_);
  }
  if (!image) return image.error();
  const auto x = std::lround((part.x / level_scale_x - view.left) * view.scale);
  const auto y = std::lround((part.y / level_scale_y - view.top) * view.scale);
  auto written =
      write_pixels(*image, raster, seen.in_frame, static_cast<int>(x), static_cast<int>(y), path_);
  image->reset();
  // OpenSlide reads nothing more from a slide after an error.
  if (level.in_file && !written) level.image.reset();
  if (level.in_file) forget_if_much(int64_t{part.width} * part.height);
  if (!written) return written.error();
  return raster;
}

std::optional<PagePreview> VipsLevels::preview(const PageInfo& info, Size frame) {
  const double scale = fitting_scale(size(), frame);
  const PageView whole{.frame = frame, .left = 0, .top = 0, .scale = scale};
  const size_t exact = level_for(seen_part(whole, size()), scale);
  const Size read = levels_[exact].size;
  if (int64_t{read.width} * read.height < kWorthPreviewPixels || exact + 1 == levels_.size()) {
    return std::nullopt;
  }
  const Size coarser = levels_[exact + 1].size;
  const PageView view{.frame = coarser,
                      .left = 0,
                      .top = 0,
                      .scale = static_cast<double>(coarser.width) / size().width};
  auto raster = draw(view);
  if (!raster) return std::nullopt;  // drawing the page reports why
  return PagePreview{info, {view, std::move(*raster)}};
}

Result<VipsHandle> VipsLevels::part_of(Level& level, const Rect& part) const {
  if (auto opened = open(level); !opened) return opened.error();
  auto image = crop(level.image, part, path_);
  return image && level.in_file ? to_display_colors(std::move(*image), colors_, path_)
                                : std::move(image);
}

// Returns the smallest level with full detail, or a smaller one if that takes too long to read.
size_t VipsLevels::level_for(const SeenPart& seen, double scale) const {
  size_t found = 0;
  for (size_t i = 1; i < levels_.size(); ++i) {
    const double level_scale = static_cast<double>(levels_[i].size.width) / size().width;
    const double before_scale = static_cast<double>(levels_[i - 1].size.width) / size().width;
    const double pixels_before =
        (seen.right - seen.left) * (seen.bottom - seen.top) * before_scale * before_scale;
    const bool enough = level_scale >= scale * (1 - kExact);
    const bool too_much =
        levels_[i - 1].in_file && pixels_before > static_cast<double>(kMostPixelsRead);
    if (enough || too_much) found = i;
  }
  return found;
}

Rect VipsLevels::covered(const Level& level, const SeenPart& seen, double level_scale) const {
  const double level_scale_y = static_cast<double>(level.size.height) / size().height;
  const auto low = [](double edge) { return static_cast<int>(std::floor(edge)) - kScalingMargin; };
  const auto high = [](double edge) { return static_cast<int>(std::ceil(edge)) + kScalingMargin; };
  return intersect(
      Rect::from_edges(low(seen.left * level_scale), low(seen.top * level_scale_y),
                       high(seen.right * level_scale), high(seen.bottom * level_scale_y)),
      {0, 0, level.size.width, level.size.height});
}

Result<void> VipsLevels::open(Level& level) const {
  if (level.image) return {};
  auto image = open_vips({.name = path_}, level.part, VIPS_ACCESS_RANDOM);
  if (image) image = upright(std::move(*image), orientation_, path_);
  if (!image) return image.error();
  if (size_of(*image) != level.size) {
    return fail(ErrorCode::kBadData, path_ + " was changed while it was shown: show it again");
  }
  level.image = std::move(*image);
  return {};
}

void VipsLevels::forget_if_much(int64_t pixels) {
  pixels_kept_ += pixels;
  if (pixels_kept_ < kMostPixelsKept) return;
  pixels_kept_ = 0;
  for (Level& level : levels_) {
    if (level.in_file) level.image.reset();
  }
}

}  // namespace sail
