#include "sail/apps/show/vips_picture.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "sail/apps/show/vips_levels.h"

namespace sail {

struct FoundLevel {
  VipsLevels::Source source;
  Size size;
};

namespace {

constexpr int64_t kMostPixelsWhole = int64_t{128} << 20;  // loaded completely: 400 MB
constexpr int64_t kMostPixels = int64_t{1} << 36;         // largest picture: 64 Gpixel
constexpr int kMostPages = 10'000;
constexpr int kReducedSide = 4096;  // side of the in-memory copy of a picture read by region
constexpr int kHalvingSlack = 2;    // pixels: tolerance for the rounding of levels

using LevelSource = VipsLevels::Source;

int64_t pixels_of(Size size) {
  return int64_t{size.width} * size.height;
}

bool is_half(Size size, Size of) {
  return std::abs(size.width * 2 - of.width) <= kHalvingSlack &&
         std::abs(size.height * 2 - of.height) <= kHalvingSlack;
}

// Returns a pyramid's levels, each half the size of the previous. Page 0 is the full picture.
std::vector<FoundLevel> pyramid_levels(const std::string& path, const VipsHandle& first) {
  std::vector<FoundLevel> levels{{{.page = 0, .subifd = {}}, size_of(first)}};
  const int subifds = vips_number(first, VIPS_META_N_SUBIFDS, 0);
  const int pages = vips_number(first, VIPS_META_N_PAGES, 1);
  const int count = subifds > 0 ? subifds : pages - 1;
  for (int i = 0; i < std::min(count, kMostPages); ++i) {
    const LevelSource source = subifds > 0 ? LevelSource{.page = 0, .subifd = i}
                                           : LevelSource{.page = i + 1, .subifd = {}};
    const auto image = open_vips(path, source, VIPS_ACCESS_RANDOM);
    if (!image || !is_half(size_of(*image), levels.back().size)) break;
    levels.push_back({source, size_of(*image)});
  }
  return levels;
}

Result<VipsHandle> whole_picture(const std::string& path, const LevelSource& source,
                                 VipsFailOn damage) {
  auto file = open_vips(path, source, VIPS_ACCESS_SEQUENTIAL, damage);
  if (!file) return file;
  // Rotating by the orientation tag requires the picture in memory.
  if (vips_image_get_orientation(file->get()) > 1) {
    file = in_memory(*file, path);
    if (!file) return file;
  }
  VipsImage* upright = nullptr;
  if (vips_autorot(file->get(), &upright, nullptr) != 0) {
    return vips_failure(path);
  }
  auto srgb = to_srgb(VipsHandle(upright), path);
  return srgb ? in_memory(*srgb, path) : std::move(srgb);
}

}  // namespace

struct VipsPicture::Impl {
  std::string path;
  int pages = 1;
  bool by_region = false;            // the format supports reading of regions
  bool has_pages = false;            // the loader has a page parameter
  std::vector<FoundLevel> pyramid;   // more than one level: the file is a pyramid
  std::optional<VipsLevels> levels;  // of the current page
  std::string notice;

  Result<void> load(int page);
  Result<void> load_regions();
  Result<void> load_whole(const LevelSource& source);
  Result<void> load_reduced(Size size);
};

Result<std::unique_ptr<VipsPicture>> VipsPicture::open(const std::string& path) {
  auto first = open_vips(path, {}, VIPS_ACCESS_RANDOM);
  if (!first) return first.error();
  const Size size = size_of(*first);
  if (pixels_of(size) > kMostPixels) {
    return fail(ErrorCode::kLimit,
                fmt::format("{} is too large: {}x{} pixels, the maximum is 64 gigapixels", path,
                            size.width, size.height));
  }
  auto impl = std::make_unique<Impl>();
  impl->path = path;
  const std::string loader = vips_foreign_find_load(path.c_str());
  impl->by_region = (vips_foreign_flags(loader.c_str(), path.c_str()) & VIPS_FOREIGN_PARTIAL) != 0;
  const int pages = vips_number(*first, VIPS_META_N_PAGES, 1);
  const bool tiff = loader.find("Tiff") != std::string::npos;
  if (tiff && impl->by_region) impl->pyramid = pyramid_levels(path, *first);
  const bool one_picture = impl->pyramid.size() > 1 && !vips_number(*first, VIPS_META_N_SUBIFDS, 0);
  impl->has_pages = pages > 1 && tiff;
  impl->pages = impl->has_pages && !one_picture ? std::min(pages, kMostPages) : 1;
  return std::unique_ptr<VipsPicture>(new VipsPicture(std::move(impl)));
}

VipsPicture::VipsPicture(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

VipsPicture::~VipsPicture() = default;

int VipsPicture::pages() const {
  return impl_->pages;
}

Result<PageInfo> VipsPicture::turn_to(int page) {
  impl_->notice.clear();
  impl_->levels.reset();
  if (auto loaded = impl_->load(page); !loaded) {
    impl_->levels.reset();
    return loaded.error();
  }
  return PageInfo{.size = impl_->levels->size(),
                  .usual_scale = 1,
                  .max_scale = kMostEnlarged,
                  .notice = impl_->notice};
}

Result<void> VipsPicture::Impl::load(int page) {
  levels.emplace(path);
  if (pyramid.size() > 1 && page == 0) {
    for (const FoundLevel& level : pyramid) levels->add_in_file(level.source, level.size);
    return {};
  }
  const LevelSource source = has_pages ? LevelSource{.page = page, .subifd = {}} : LevelSource{};
  auto header = open_vips(path, source, VIPS_ACCESS_RANDOM);
  if (!header) return header.error();
  const Size size = size_of(*header);
  header->reset();
  if (pixels_of(size) <= kMostPixelsWhole) return load_whole(source);
  if (page > 0) {
    return fail(ErrorCode::kLimit,
                fmt::format("page {} of {} is too large, {}x{} pixels: save it as a separate file",
                            page + 1, path, size.width, size.height));
  }
  if (!by_region) return load_reduced(size);
  levels->add_in_file(source, size);
  return load_regions();
}

Result<void> VipsPicture::Impl::load_whole(const LevelSource& source) {
  auto whole = whole_picture(path, source, VIPS_FAIL_ON_ERROR);
  if (!whole) {
    notice = whole.error().message + "; the file is damaged, only its readable part is shown";
    whole = whole_picture(path, source, VIPS_FAIL_ON_NONE);
  }
  if (!whole) return whole.error();
  levels->add_in_memory(std::move(*whole));
  return levels->add_halvings();
}

// Shows the whole picture by a reduced copy in memory, and reads regions at high zoom.
Result<void> VipsPicture::Impl::load_regions() {
  auto copy = reduced_copy(path, {kReducedSide, kReducedSide});
  if (!copy) return copy.error();
  levels->add_in_memory(std::move(*copy));
  notice = fmt::format(
      "{} has no reduced levels and is less sharp between full view and full zoom; `vips tiffsave "
      "{} pyramid.tif --tile --pyramid` creates a file with levels",
      path, path);
  return levels->add_halvings();
}

Result<void> VipsPicture::Impl::load_reduced(Size size) {
  const double factor =
      std::sqrt(static_cast<double>(kMostPixelsWhole) / static_cast<double>(pixels_of(size)));
  auto copy = reduced_copy(
      path, {static_cast<int>(size.width * factor), static_cast<int>(size.height * factor)});
  if (!copy) return copy.error();
  const Size shown = size_of(*copy);
  levels->add_in_memory(std::move(*copy));
  notice = fmt::format(
      "{} has {}x{} pixels and cannot be read in parts: shown reduced to {}x{}; `vips tiffsave {} "
      "pyramid.tif --tile --pyramid` creates a file that is shown at full resolution",
      path, size.width, size.height, shown.width, shown.height, path);
  return levels->add_halvings();
}

Result<Raster> VipsPicture::draw(const PageView& view) {
  if (!impl_->levels) return Raster(view.frame);
  return impl_->levels->draw(view);
}

}  // namespace sail
