#include "sail/apps/show/still_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "sail/apps/show/vips_levels.h"
#include "sail/media/source/tiff_tags.h"
#include "sail/media/still/still_kind.h"
#include "sail/media/still/still_pixels.h"
#include "sail/media/storage/reading/file.h"

namespace sail {

struct FoundLevel {
  VipsPart part;
  Size size;  // as stored
};

namespace {

constexpr int64_t kMostPixelsWhole = int64_t{128} << 20;  // loaded completely: 400 MB
constexpr int kMostPages = 10'000;
constexpr int kMostSlideLevels = 64;
constexpr int kReducedSide = 4096;  // side of the in-memory copy of a picture read by region
constexpr int kHalvingSlack = 2;    // pixels: tolerance for the rounding of levels
constexpr int kFirstSideways = 5;   // orientations from here on exchange width and height

int64_t pixels_of(Size size) {
  return int64_t{size.width} * size.height;
}

Size turned(Size size, int orientation) {
  return orientation >= kFirstSideways ? Size{size.height, size.width} : size;
}

bool is_half(Size size, Size of) {
  return std::abs(size.width * 2 - of.width) <= kHalvingSlack &&
         std::abs(size.height * 2 - of.height) <= kHalvingSlack;
}

// The same picture by its shape, smaller by at least a third.
bool is_reduction(Size size, Size of) {
  constexpr double kLeast = 1.5, kShapeSlack = 0.02;
  const double across = static_cast<double>(of.width) / size.width;
  const double down = static_cast<double>(of.height) / size.height;
  return across >= kLeast && std::abs(across - down) <= kShapeSlack * across;
}

// Notice for users about the file as a whole; empty: none.
std::string file_notice(const std::string& path, const codecs::DisplayColor& display) {
  if (!is_animation(path)) return conversion_notice(still_traits(head_of(path)), display, path);
  return fmt::format("{} moves: only its first picture is shown; to play it: bplay {}", path, path);
}

// Returns why a file that no permitted loader reads is not shown, as text to follow its name.
std::string refusal_of(const std::string& path) {
  using namespace std::string_view_literals;
  constexpr size_t kDicomAt = 128;
  if (is_animation(path))
    return " is an animation, of which no single picture is read: bplay plays it";
  const std::vector<uint8_t> bytes = head_of(path);
  const std::string_view head(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (head.size() > kDicomAt && head.substr(kDicomAt).starts_with("DICM")) {
    return " is DICOM, which is not read: convert it with: dcm2img --write-png IN OUT.png (DCMTK; "
           "before version 3.6.9: dcmj2pnm)";
  }
  // Zeiss, Nikon and Leica, and HDF5, which Imaris uses.
  for (const auto start : {"ZISRAWFILE"sv, "\xDA\xCE\xBE\x0A"sv, "\x70\0\0\0"sv, "\x89HDF"sv}) {
    if (!head.starts_with(start)) continue;
    return " is a file of a microscope, which is not read: convert it with: bfconvert "
           "-pyramid-resolutions 6 -pyramid-scale 2 IN OUT.ome.tiff (Bio-Formats)";
  }
  return " cannot be read: it is damaged, or a kind of file that vitrail-show does not read; show "
         "films, JPEG 2000, OpenEXR and DPX with bplay, and other pictures after: vips tiffsave IN "
         "OUT.tif --tile --pyramid";
}

std::vector<TiffPage> pages_of(const std::string& path) {
  const auto file = File::open_to_read(path);
  if (!file) return {};
  return read_tiff_pages(
      [&](uint64_t at, std::span<uint8_t> bytes) { return file->read(at, bytes).has_value(); },
      kMostPages);
}

// Returns a pyramid's levels, each smaller than the previous. Page 0 is the full picture. Masks may
// stand between the levels.
std::vector<FoundLevel> pyramid_levels(const std::string& path, const VipsHandle& first,
                                       const std::vector<TiffPage>& pages) {
  std::vector<FoundLevel> levels{{{.page = 0}, size_of(first)}};
  const int subifds = std::min(vips_number(first, VIPS_META_N_SUBIFDS, 0), kMostPages);
  const int count = subifds > 0 ? subifds : static_cast<int>(pages.size()) - 1;
  for (int i = 0; i < count; ++i) {
    if (subifds == 0 && pages[static_cast<size_t>(i) + 1].mask) continue;
    const VipsPart part = subifds > 0 ? VipsPart{.page = 0, .subifd = i} : VipsPart{.page = i + 1};
    const auto image = open_vips({.name = path}, part, VIPS_ACCESS_RANDOM);
    if (!image) break;
    const Size size = size_of(*image);
    const Size before = levels.back().size;
    const bool called_reduced = subifds > 0 || pages[static_cast<size_t>(i) + 1].reduced;
    if (!is_half(size, before) && !(called_reduced && is_reduction(size, before))) break;
    levels.push_back({part, size});
  }
  return levels;
}

// Returns a number from OpenSlide's properties of a slide; 0: there is none.
int slide_number(const VipsHandle& slide, const std::string& name) {
  const std::string key = "openslide." + name;
  const char* text = nullptr;
  if (vips_image_get_typeof(slide.get(), key.c_str()) == 0 ||
      vips_image_get_string(slide.get(), key.c_str(), &text) != 0) {
    return 0;
  }
  const std::string_view digits(text);
  int number = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return read.ec == std::errc() && read.ptr == digits.data() + digits.size() ? number : 0;
}

// As pyramid_levels(). Levels of slides are often a quarter of the previous.
std::vector<FoundLevel> slide_levels(const VipsHandle& first) {
  std::vector<FoundLevel> levels{{{.level = 0}, size_of(first)}};
  const int count = std::min(slide_number(first, "level-count"), kMostSlideLevels);
  for (int i = 1; i < count; ++i) {
    const Size size{slide_number(first, fmt::format("level[{}].width", i)),
                    slide_number(first, fmt::format("level[{}].height", i))};
    if (size.width < 1 || size.height < 1 || size.width >= levels.back().size.width) break;
    levels.push_back({{.level = i}, size});
  }
  return levels;
}

Result<VipsHandle> open_first(const std::string& path, bool slide) {
  if (!slide) return open_vips({.name = path}, {}, VIPS_ACCESS_RANDOM);
  auto first = open_vips({.name = path}, {.level = 0}, VIPS_ACCESS_RANDOM);
  if (first) return first;
  return fail(ErrorCode::kBadData,
              path +
                  " is a whole slide that cannot be read: it is damaged, or its other files, "
                  "which belong beside it, are missing");
}

}  // namespace

struct VipsPicture::Impl {
  std::string path;
  codecs::DisplayColor display;
  std::vector<std::optional<int>> pages{std::nullopt};  // empty: the file has one page
  bool by_region = false;                               // the format supports reading of regions
  bool slide = false;
  std::vector<FoundLevel> pyramid;   // more than one level: the file is a pyramid
  std::optional<VipsLevels> levels;  // levels of the current page
  std::string notice;

  void find_pages(const VipsHandle& first);
  Result<void> load(size_t page);
  Result<void> load_pyramid(const VipsHandle& header);
  Result<void> load_regions(const VipsHandle& header, const VipsPart& part);
  Result<void> load_whole(const VipsPart& part);
  Result<void> load_reduced(Size size);
  // Describes a large JPEG file, which is quickly read at a half, a quarter or an eighth of its
  // size.
  std::optional<PageInfo> glance_at_jpeg() const;
  std::optional<PagePreview> preview_jpeg(Size frame) const;
  // Chooses how the file's levels are shown: orientation from the page's header, range from these
  // samples.
  Result<void> prepare(const VipsHandle& header, const VipsHandle& samples);
};

// Masks and smaller versions of a page are not pages.
void VipsPicture::Impl::find_pages(const VipsHandle& first) {
  if (slide) {
    pyramid = slide_levels(first);
    return;
  }
  const std::vector<TiffPage> found = pages_of(path);
  const int count = std::min(vips_number(first, VIPS_META_N_PAGES, 1), kMostPages);
  if (found.empty() || static_cast<int>(found.size()) < count) return;
  if (by_region) pyramid = pyramid_levels(path, first, found);
  if (count < 2 || (pyramid.size() > 1 && vips_number(first, VIPS_META_N_SUBIFDS, 0) == 0)) return;
  pages = {0};
  for (int i = 1; i < count; ++i) {
    const TiffPage& page = found[static_cast<size_t>(i)];
    if (!page.mask && !page.reduced) pages.emplace_back(i);
  }
}

Result<std::unique_ptr<VipsPicture>> VipsPicture::open(const std::string& path,
                                                       const codecs::DisplayColor& display) {
  if (!is_vips_picture({.name = path})) return fail(ErrorCode::kBadData, path + refusal_of(path));
  const bool slide = is_slide({.name = path});
  auto first = open_first(path, slide);
  if (!first) return first.error();
  if (auto checked = check_pixels(size_of(*first), path); !checked) return checked.error();
  auto impl = std::make_unique<Impl>();
  impl->path = path;
  impl->display = display;
  impl->slide = slide;
  const std::string loader = vips_foreign_find_load(path.c_str());
  impl->by_region = (vips_foreign_flags(loader.c_str(), path.c_str()) & VIPS_FOREIGN_PARTIAL) != 0;
  impl->find_pages(*first);
  return std::unique_ptr<VipsPicture>(new VipsPicture(std::move(impl)));
}

VipsPicture::VipsPicture(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

VipsPicture::~VipsPicture() = default;

int VipsPicture::pages() const {
  return static_cast<int>(impl_->pages.size());
}

Result<PageInfo> VipsPicture::turn_to(int page) {
  impl_->notice.clear();
  impl_->levels.reset();
  if (auto loaded = impl_->load(static_cast<size_t>(page)); !loaded) {
    impl_->levels.reset();
    return loaded.error();
  }
  const std::string about_file = file_notice(impl_->path, impl_->display);
  if (!impl_->notice.empty() && !about_file.empty()) impl_->notice += "; ";
  impl_->notice += about_file;
  return PageInfo{.size = impl_->levels->size(),
                  .usual_scale = 1,
                  .max_scale = kMostEnlarged,
                  .notice = impl_->notice};
}

std::optional<PageInfo> VipsPicture::glance(int /*page*/) {
  return impl_->glance_at_jpeg();
}

std::optional<PagePreview> VipsPicture::preview(int page, Size frame) {
  if (impl_->pyramid.size() < 2) return impl_->preview_jpeg(frame);
  if (page > 0) return std::nullopt;
  const auto info = turn_to(page);
  if (!info) return std::nullopt;
  return impl_->levels->preview({.size = info->size, .max_scale = info->max_scale, .notice = {}},
                                frame);
}

std::optional<PageInfo> VipsPicture::Impl::glance_at_jpeg() const {
  if (slide || still_kind(head_of(path)) != StillKind::kJpeg) return std::nullopt;
  const auto header = open_vips({.name = path}, {}, VIPS_ACCESS_SEQUENTIAL);
  if (!header) return std::nullopt;
  const Size size = turned(size_of(*header), vips_image_get_orientation(header->get()));
  if (pixels_of(size) < kWorthPreviewPixels || pixels_of(size) > kMostPixelsWhole) {
    return std::nullopt;
  }
  return PageInfo{.size = size, .max_scale = kMostEnlarged, .notice = {}};
}

std::optional<PagePreview> VipsPicture::Impl::preview_jpeg(Size frame) const {
  constexpr int kMostShrink = 8;
  constexpr double kEnlarged = 2;  // at least: a preview is seen only for a moment
  const auto info = glance_at_jpeg();
  if (!info) return std::nullopt;
  const double scale = fitting_scale(info->size, frame);
  int shrink = 2;
  while (shrink < kMostShrink && shrink * scale < kEnlarged) shrink *= 2;
  // A damaged file is reported when it is read completely.
  const auto shown =
      show_still({.name = path}, {.shrink = shrink}, {.display = display}, VIPS_FAIL_ON_ERROR);
  if (!shown) return std::nullopt;
  Raster raster(size_of(shown->image));
  const Rect all{0, 0, raster.size.width, raster.size.height};
  if (!write_pixels(shown->image, raster, all, 0, 0, path)) return std::nullopt;
  const PageView view{.frame = raster.size,
                      .left = 0,
                      .top = 0,
                      .scale = static_cast<double>(raster.size.width) / info->size.width};
  return PagePreview{*info, {view, std::move(raster)}};
}

Result<void> VipsPicture::Impl::load(size_t page) {
  levels.emplace(path);
  const VipsPart part = slide ? VipsPart{.level = 0} : VipsPart{.page = pages[page]};
  auto header = open_vips({.name = path}, part, VIPS_ACCESS_RANDOM);
  if (!header) return header.error();
  if (pyramid.size() > 1 && page == 0) return load_pyramid(*header);
  const Size size = size_of(*header);
  if (pixels_of(size) <= kMostPixelsWhole) return load_whole(part);
  if (page > 0) {
    return fail(ErrorCode::kLimit,
                fmt::format("page {} of {} is too large, {}x{} pixels: save it as a separate file",
                            page + 1, path, size.width, size.height));
  }
  return by_region ? load_regions(*header, part) : load_reduced(size);
}

Result<void> VipsPicture::Impl::prepare(const VipsHandle& header, const VipsHandle& samples) {
  VipsColors colors = colors_of({.name = path}, 0);
  auto range = find_range(samples, colors, path);
  if (!range) return range.error();
  colors.range = *range;
  colors.display = display;
  if (*range) notice = range_notice(**range, path);
  levels->show_as(colors, vips_image_get_orientation(header.get()));
  return {};
}

Result<void> VipsPicture::Impl::load_pyramid(const VipsHandle& header) {
  const auto smallest = open_vips({.name = path}, pyramid.back().part, VIPS_ACCESS_RANDOM);
  if (!smallest) return smallest.error();
  if (auto prepared = prepare(header, *smallest); !prepared) return prepared;
  const int orientation = vips_image_get_orientation(header.get());
  for (const FoundLevel& level : pyramid) {
    levels->add_in_file(level.part, turned(level.size, orientation));
  }
  return {};
}

Result<void> VipsPicture::Impl::load_whole(const VipsPart& part) {
  const VipsFile file{.name = path};
  const auto whole = [&](VipsFailOn damage) -> Result<VipsHandle> {
    auto shown = show_still(file, part, {.display = display}, damage);
    if (!shown) return shown.error();
    notice = shown->range ? range_notice(*shown->range, path) : "";
    return in_memory(shown->image, path);
  };
  auto picture = whole(VIPS_FAIL_ON_ERROR);
  if (!picture) {
    picture = whole(VIPS_FAIL_ON_NONE);
    if (!picture) return picture.error();
    notice = damage_notice(path);
    const auto* first = static_cast<const uint8_t*>(vips_image_get_data(picture->get()));
    const std::span samples(first, VIPS_IMAGE_SIZEOF_IMAGE(picture->get()));
    if (auto seen = check_readable_part(samples, VIPS_IMAGE_SIZEOF_PEL(picture->get()), path);
        !seen) {
      return seen;
    }
  }
  levels->add_in_memory(std::move(*picture));
  return levels->add_halvings();
}

// Shows the whole picture by a reduced copy in memory, and reads regions at high zoom.
Result<void> VipsPicture::Impl::load_regions(const VipsHandle& header, const VipsPart& part) {
  if (auto prepared = prepare(header, header); !prepared) return prepared;
  levels->add_in_file(part, turned(size_of(header), vips_image_get_orientation(header.get())));
  auto copy = reduced_still(path, {kReducedSide, kReducedSide}, display);
  if (!copy) return copy.error();
  levels->add_in_memory(std::move(*copy));
  if (!notice.empty()) notice += "; ";
  notice += fmt::format(
      "{} has no reduced levels and is less sharp between full view and full zoom; `vips tiffsave "
      "{} pyramid.tif --tile --pyramid` creates a file with levels",
      path, path);
  return levels->add_halvings();
}

Result<void> VipsPicture::Impl::load_reduced(Size size) {
  const double factor =
      std::sqrt(static_cast<double>(kMostPixelsWhole) / static_cast<double>(pixels_of(size)));
  auto copy = reduced_still(
      path, {static_cast<int>(size.width * factor), static_cast<int>(size.height * factor)},
      display);
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
