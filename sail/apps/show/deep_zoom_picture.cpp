#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "sail/apps/show/deep_zoom.h"
#include "sail/apps/show/still_file.h"
#include "sail/apps/show/vips_levels.h"
#include "sail/media/still/still_pixels.h"
#include "sail/media/storage/reading/file.h"

namespace sail {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kMostDescriptor = 64 << 10;          // bytes
constexpr int64_t kMostTilePixels = int64_t{32} << 20;  // kept in memory: 96 MB
constexpr int kColors = 3;
constexpr size_t kMostDefects = 100'000;  // tiles that are counted

Result<DeepZoom> read_descriptor(const std::string& path) {
  auto file = File::open_to_read(path);
  if (!file) return file.error();
  const auto bytes = file->size();
  if (!bytes) return bytes.error();
  if (*bytes > kMostDescriptor) {
    return fail(ErrorCode::kLimit, path + " is too large: a descriptor has at most 64 KiB");
  }
  std::string xml(*bytes, '\0');
  if (auto read = file->read(0, {reinterpret_cast<uint8_t*>(xml.data()), xml.size()}); !read) {
    return read.error();
  }
  auto picture = parse_deep_zoom(xml);
  if (!picture) return fail(picture.error().code, path + " " + picture.error().message);
  if (auto checked = check_pixels(picture->size, path); !checked) return checked.error();
  return picture;
}

bool is_folder(const std::string& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

// Red, green and blue, whose samples are written by the caller.
VipsHandle blank(Size size) {
  VipsHandle image(vips_image_new_memory());
  vips_image_init_fields(image.get(), size.width, size.height, kColors, VIPS_FORMAT_UCHAR,
                         VIPS_CODING_NONE, VIPS_INTERPRETATION_sRGB, 1, 1);
  if (vips_image_write_prepare(image.get()) != 0) return nullptr;
  return image;
}

VipsHandle black(Size size) {
  VipsHandle image = blank(size);
  if (image)
    std::memset(VIPS_IMAGE_ADDR(image.get(), 0, 0), 0, VIPS_IMAGE_SIZEOF_IMAGE(image.get()));
  return image;
}

void copy_pixels(const VipsHandle& from, const Rect& from_at, const VipsHandle& to,
                 const Rect& to_at, const Rect& part) {
  for (int y = part.y; y < part.bottom(); ++y) {
    std::memcpy(VIPS_IMAGE_ADDR(to.get(), part.x - to_at.x, y - to_at.y),
                VIPS_IMAGE_ADDR(from.get(), part.x - from_at.x, y - from_at.y),
                static_cast<size_t>(part.width) * kColors);
  }
}

}  // namespace

struct DeepZoomPicture::Impl {
  using TileKey = std::tuple<int, int, int>;  // level, column and row

  std::string path;
  std::string folder;  // folder of the levels
  DeepZoom picture;
  VipsLevels levels;
  int smallest = 0;                     // number of the last of the levels
  std::map<TileKey, VipsHandle> tiles;  // also those that stand in for defective ones
  int64_t pixels_kept = 0;
  std::set<TileKey> defective{};
  std::string first_defect{};

  Result<void> find_levels();
  Result<VipsHandle> read_part(int level, const Rect& part);
  Result<const VipsHandle*> tile(int level, int column, int row);
  Result<VipsHandle> read_tile(const std::string& file, Size expected) const;
  Result<VipsHandle> read_coarser(int level, const Rect& part);
  Error no_memory() const {
    return fail(ErrorCode::kLimit, "there is not enough memory to show " + path);
  }
};

Result<std::unique_ptr<DeepZoomPicture>> DeepZoomPicture::open(const std::string& path) {
  auto picture = read_descriptor(path);
  if (!picture) return picture.error();
  const std::string folder = fs::path(path).replace_extension().string() + "_files";
  auto impl = std::make_unique<Impl>(Impl{.path = path,
                                          .folder = folder,
                                          .picture = std::move(*picture),
                                          .levels = VipsLevels(path),
                                          .tiles = {}});
  if (auto found = impl->find_levels(); !found) return found.error();
  return std::unique_ptr<DeepZoomPicture>(new DeepZoomPicture(std::move(impl)));
}

DeepZoomPicture::DeepZoomPicture(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

DeepZoomPicture::~DeepZoomPicture() = default;

// Levels of less than a tile are not needed.
Result<void> DeepZoomPicture::Impl::find_levels() {
  for (int level = picture.top(); level >= 0; --level) {
    const std::string place = fmt::format("{}/{}", folder, level);
    if (!is_folder(place)) {
      return fail(ErrorCode::kNotFound,
                  fmt::format("{} is a DeepZoom picture whose tiles are missing: copy the folder "
                              "{}, too",
                              path, is_folder(folder) ? place : folder));
    }
    const Size size = picture.size_of(level);
    levels.add_read(size, [this, level](const Rect& part) { return read_part(level, part); });
    smallest = level;
    if (std::max(size.width, size.height) <= picture.tile) break;
  }
  return {};
}

Result<PageInfo> DeepZoomPicture::turn_to(int /*page*/) {
  return PageInfo{
      .size = impl_->picture.size, .usual_scale = 1, .max_scale = kMostEnlarged, .notice = {}};
}

std::optional<PageInfo> DeepZoomPicture::glance(int page) {
  return *turn_to(page);
}

std::optional<PagePreview> DeepZoomPicture::preview(int page, Size frame) {
  return impl_->levels.preview(*turn_to(page), frame);
}

Result<Raster> DeepZoomPicture::draw(const PageView& view) {
  return impl_->levels.draw(view);
}

std::string DeepZoomPicture::defects() const {
  const size_t count = impl_->defective.size();
  if (count == 0) return {};
  return fmt::format("{}: {}{} {} missing or damaged and drawn from coarser levels, or black: {}{}",
                     impl_->path, count == kMostDefects ? "at least " : "", count,
                     count == 1 ? "tile is" : "tiles are",
                     count == 1 ? "" : "the first: ", impl_->first_defect);
}

Result<VipsHandle> DeepZoomPicture::Impl::read_part(int level, const Rect& part) {
  VipsHandle image = blank({part.width, part.height});
  if (!image) return no_memory();
  const int side = picture.tile;
  for (int row = part.y / side; row * side < part.bottom(); ++row) {
    for (int column = part.x / side; column * side < part.right(); ++column) {
      const auto found = tile(level, column, row);
      if (!found) return found.error();
      copy_pixels(**found, picture.tile_at(level, column, row), image, part,
                  intersect(part, {column * side, row * side, side, side}));
    }
  }
  return image;
}

Result<const VipsHandle*> DeepZoomPicture::Impl::tile(int level, int column, int row) {
  const TileKey key(level, column, row);
  if (const auto kept = tiles.find(key); kept != tiles.end()) return &kept->second;
  const Rect at = picture.tile_at(level, column, row);
  auto image = read_tile(fmt::format("{}/{}/{}_{}.{}", folder, level, column, row, picture.format),
                         {at.width, at.height});
  if (!image) {
    if (defective.empty()) first_defect = image.error().message;
    if (defective.size() < kMostDefects) defective.insert(key);
    image = read_coarser(level, at);
  }
  if (!image) return image.error();
  const int64_t pixels = int64_t{at.width} * at.height;
  if (pixels_kept + pixels > kMostTilePixels) {
    tiles.clear();
    pixels_kept = 0;
  }
  pixels_kept += pixels;
  return &tiles.insert_or_assign(key, std::move(*image)).first->second;
}

Result<VipsHandle> DeepZoomPicture::Impl::read_tile(const std::string& file, Size expected) const {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) {
    return fail(ErrorCode::kNotFound, file + " is missing");
  }
  const auto header = open_vips({.name = file}, {}, VIPS_ACCESS_SEQUENTIAL);
  if (!header) return header.error();
  if (const Size size = size_of(*header); size != expected) {
    return fail(ErrorCode::kBadData,
                fmt::format("{} has {}x{} pixels instead of {}x{}", file, size.width, size.height,
                            expected.width, expected.height));
  }
  auto shown = show_still({.name = file}, {}, {}, VIPS_FAIL_ON_ERROR);
  return shown ? in_memory(shown->image, file) : shown.error();
}

// The part of the level, enlarged from the next smaller level.
Result<VipsHandle> DeepZoomPicture::Impl::read_coarser(int level, const Rect& part) {
  if (level == smallest) {
    VipsHandle image = black({part.width, part.height});
    return image ? Result<VipsHandle>(std::move(image)) : no_memory();
  }
  constexpr int kMargin = 2;  // pixels of the smaller level that affect an enlarged one
  const Size all = picture.size_of(level - 1);
  const Rect from =
      intersect(Rect::from_edges(part.x / 2 - kMargin, part.y / 2 - kMargin,
                                 part.right() / 2 + kMargin, part.bottom() / 2 + kMargin),
                {0, 0, all.width, all.height});
  auto image = read_part(level - 1, from);
  if (image) image = scale(std::move(*image), 2, 2, path);
  if (image) {
    image = crop(*image, {part.x - 2 * from.x, part.y - 2 * from.y, part.width, part.height}, path);
  }
  return image ? in_memory(*image, path) : std::move(image);
}

}  // namespace sail
