#include "sail/media/still/still_pixels.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "sail/core/text/limits.h"
#include "sail/media/still/still_kind.h"
#include "sail/media/still/svg_drawing.h"

namespace sail {
namespace {

void add_notice(std::string& notice, const std::string& sentence) {
  if (!notice.empty() && !sentence.empty()) notice += "; ";
  notice += sentence;
}

}  // namespace

Result<ShownStill> show_still(const VipsFile& file, const VipsPart& part, VipsColors colors,
                              VipsFailOn damage) {
  const VipsColors known = colors_of(file, part.page.value_or(0));
  colors.colors = known.colors;
  colors.alpha = known.alpha;
  colors.raw_ycbcr = known.raw_ycbcr;
  colors.wide = known.wide;
  auto image = open_vips(file, part, VIPS_ACCESS_SEQUENTIAL, damage);
  if (!image) return image.error();
  const bool drawing = still_kind(file.bytes) == StillKind::kSvg;
  if (drawing && !colors.keep_alpha) image = on_white(*image, file.name);
  if (!image) return image.error();
  const int orientation = vips_image_get_orientation(image->get());
  const bool has_range = may_need_range(*image, colors);
  // Turning, and finding the range, requires the picture in memory.
  if (orientation > 1 || (has_range && !colors.range)) image = in_memory(*image, file.name);
  if (!image) return image.error();
  if (has_range && !colors.range) {
    auto range = find_range(*image, colors, file.name);
    if (!range) return range.error();
    colors.range = *range;
  }
  if (!has_range) colors.range.reset();
  if (orientation > 1) image = upright(std::move(*image), orientation, file.name);
  if (image) image = to_display_colors(std::move(*image), colors, file.name);
  if (!image) return image.error();
  return ShownStill{std::move(*image), colors.range};
}

Result<VipsHandle> reduced_still(const std::string& path, Size bounds,
                                 const codecs::DisplayColor& display) {
  const VipsFile file{.name = path};
  auto header = open_vips(file, {}, VIPS_ACCESS_RANDOM);
  if (!header) return header;
  VipsColors colors = colors_of(file, 0);
  const bool plain = !colors.raw_ycbcr && !colors.wide &&
                     vips_image_get_format(header->get()) == VIPS_FORMAT_UCHAR &&
                     (colors.colors == 0 || vips_image_get_bands(header->get()) == colors.colors);
  VipsImage* out = nullptr;
  if (plain) {
    if (vips_thumbnail(path.c_str(), &out, bounds.width, "height", bounds.height, "size",
                       VIPS_SIZE_DOWN, "fail_on", VIPS_FAIL_ON_ERROR, nullptr) != 0) {
      return vips_failure(path);
    }
    auto reduced = to_display_colors(VipsHandle(out), {.display = display}, path);
    return reduced ? in_memory(*reduced, path) : std::move(reduced);
  }
  header->reset();
  auto shown = show_still(file, {}, {.display = display}, VIPS_FAIL_ON_ERROR);
  if (!shown) return shown.error();
  if (vips_thumbnail_image(shown->image.get(), &out, bounds.width, "height", bounds.height, "size",
                           VIPS_SIZE_DOWN, nullptr) != 0) {
    return vips_failure(path);
  }
  return in_memory(VipsHandle(out), path);
}

Result<StillPixels> take_pixels(VipsHandle image, const StillWish& wish, const std::string& path) {
  if (wish.size && *wish.size != size_of(image)) {
    VipsImage* scaled = nullptr;
    if (vips_thumbnail_image(image.get(), &scaled, wish.size->width, "height", wish.size->height,
                             "size", VIPS_SIZE_FORCE, "no_rotate", TRUE, nullptr) != 0) {
      return vips_failure(path);
    }
    image.reset(scaled);
  }
  StillPixels pixels;
  pixels.size = size_of(image);
  pixels.bands = vips_image_get_bands(image.get());
  pixels.bits = wish.deep ? 16 : 8;
  size_t bytes = 0;
  pixels.samples = {static_cast<uint8_t*>(vips_image_write_to_memory(image.get(), &bytes)), g_free};
  if (!pixels.samples) return vips_failure(path);
  if (bytes != pixels.row_bytes() * static_cast<size_t>(pixels.size.height)) {
    return fail(ErrorCode::kInternal, path + " cannot be converted to the display's colours");
  }
  return pixels;
}

Result<void> check_readable_part(std::span<const uint8_t> samples, size_t pixel_bytes,
                                 const std::string& path) {
  const size_t others = samples.size() - std::min(pixel_bytes, samples.size());
  if (std::memcmp(samples.data(), samples.data() + samples.size() - others, others) != 0) return {};
  return fail(ErrorCode::kBadData,
              path + " is damaged: nothing of its picture can be read, or all of it has one color");
}

std::string damage_notice(const std::string& path) {
  return path + " is damaged: only its readable part is shown";
}

Result<StillPixels> read_still(const VipsFile& file, const StillWish& wish) {
  const auto header = open_vips(file, {}, VIPS_ACCESS_SEQUENTIAL);
  if (!header) return header.error();
  const Size size = size_of(*header);
  if (size.width > kMaxFrameSide || size.height > kMaxFrameSide) {
    return fail(ErrorCode::kLimit,
                fmt::format("{} is {}x{}: at most {} pixels per side can be played; show it with: "
                            "vitrail show",
                            file.name, size.width, size.height, kMaxFrameSide));
  }
  const VipsColors colors{
      .range = wish.range,
      .keep_alpha = wish.keep_alpha && !wish.deep,
      .deep = wish.deep && vips_image_get_format(header->get()) != VIPS_FORMAT_UCHAR &&
              wish.display.primaries == codecs::Primaries::kBt709 && !colors_of(file, 0).wide,
      .display = wish.display};
  StillWish kept = wish;
  kept.deep = colors.deep;
  std::string notice;
  const auto read = [&](VipsFailOn damage) -> Result<StillPixels> {
    auto shown = show_still(file, {}, colors, damage);
    if (!shown) return shown.error();
    auto pixels = take_pixels(std::move(shown->image), kept, file.name);
    if (pixels) pixels->range = shown->range;
    return pixels;
  };
  auto pixels = read(VIPS_FAIL_ON_ERROR);
  if (!pixels && !wish.complete) {
    pixels = read(VIPS_FAIL_ON_NONE);
    notice = damage_notice(file.name);
    if (!pixels) return pixels;
    const size_t pixel_bytes = pixels->row_bytes() / static_cast<size_t>(pixels->size.width);
    const size_t bytes = pixels->row_bytes() * static_cast<size_t>(pixels->size.height);
    if (auto seen = check_readable_part({pixels->samples.get(), bytes}, pixel_bytes, file.name);
        !seen) {
      return seen.error();
    }
  }
  if (!pixels) return pixels;
  if (pixels->range) add_notice(notice, range_notice(*pixels->range, file.name));
  add_notice(notice, conversion_notice(still_traits(file.bytes), wish.display, file.name));
  pixels->notice = notice;
  return pixels;
}

}  // namespace sail
