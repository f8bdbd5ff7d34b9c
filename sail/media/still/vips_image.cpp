#include "sail/media/still/vips_image.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "sail/core/text/text.h"
#include "sail/media/source/source_color.h"
#include "sail/media/source/tiff_tags.h"
#include "sail/media/still/still_display.h"
#include "sail/media/still/still_kind.h"
#include "sail/media/storage/reading/file.h"

namespace sail {
namespace {

constexpr int kColors = 3;
constexpr double kSeenPixels = 3;  // from this factor on, users want to see the pixels
constexpr size_t kLongestWords = 200;

using Made = Result<VipsHandle>;

// image: by reference, because it is set by the call whose result is `status`.
Made made(int status, VipsImage* const& image, const std::string& path) {
  if (status != 0) return vips_failure(path);
  return VipsHandle(image);
}

Made bands(const VipsHandle& image, int first, int count, const std::string& path) {
  VipsImage* out = nullptr;
  return made(vips_extract_band(image.get(), &out, first, "n", count, nullptr), out, path);
}

// Keeps colours and opacity, in this order.
Made known_bands(VipsHandle image, const VipsColors& colors, const std::string& path) {
  const int count = vips_image_get_bands(image.get());
  const bool has_alpha = colors.alpha && *colors.alpha < count && !colors.range;
  const int kept = colors.colors + (has_alpha ? 1 : 0);
  const bool in_order = !has_alpha || *colors.alpha == colors.colors;
  if (colors.colors == 0 || colors.colors > count || (in_order && kept == count)) return image;
  if (in_order) return bands(image, 0, kept, path);
  const auto front = bands(image, 0, colors.colors, path);
  if (!front) return front.error();
  const auto alpha = bands(image, *colors.alpha, 1, path);
  if (!alpha) return alpha.error();
  VipsImage* out = nullptr;
  return made(vips_bandjoin2(front->get(), alpha->get(), &out, nullptr), out, path);
}

// Converts the samples to integers that use the whole range of their format.
Made spread(VipsHandle image, const SampleRange& range, bool deep, const std::string& path) {
  const double most = deep ? 65535 : 255;
  const double width = range.white > range.black ? range.white - range.black : 1;
  const double factor = most / width;
  constexpr double kRounding = 0.5;
  VipsImage* out = nullptr;
  auto linear =
      made(vips_linear1(image.get(), &out, factor, kRounding - range.black * factor, nullptr), out,
           path);
  if (!linear) return linear;
  VipsImage* cast = nullptr;
  const VipsBandFormat format = deep ? VIPS_FORMAT_USHORT : VIPS_FORMAT_UCHAR;
  const auto whole = made(vips_cast(linear->get(), &cast, format, nullptr), cast, path);
  if (!whole) return whole.error();
  const bool grey = vips_image_get_bands(whole->get()) < kColors;
  const VipsInterpretation meaning =
      grey ? (deep ? VIPS_INTERPRETATION_GREY16 : VIPS_INTERPRETATION_B_W)
           : (deep ? VIPS_INTERPRETATION_RGB16 : VIPS_INTERPRETATION_sRGB);
  VipsImage* copy = nullptr;
  return made(vips_copy(whole->get(), &copy, "interpretation", meaning, nullptr), copy, path);
}

Made flattened(VipsHandle image, const std::string& path) {
  if (vips_image_hasalpha(image.get()) == 0) return image;
  VipsImage* out = nullptr;
  return made(vips_flatten(image.get(), &out, nullptr), out, path);
}

// Red, green and blue, whose primaries are BT.709's or, if a profile describes the colours of a
// picture for a wider display, P3's.
struct PlainColors {
  VipsHandle image;
  codecs::Primaries primaries = codecs::Primaries::kBt709;
};
Result<PlainColors> to_plain_colors(VipsHandle image, const VipsColors& colors,
                                    const std::string& path) {
  const bool deep = colors.deep;
  const bool wide = colors.display.primaries != codecs::Primaries::kBt709;
  VipsImage* out = nullptr;
  if (vips_image_get_typeof(image.get(), VIPS_META_ICC_NAME) != 0) {
    if (vips_icc_transform(image.get(), &out, wide ? "p3" : "srgb", "embedded", TRUE, "depth",
                           deep ? 16 : 8, nullptr) == 0) {
      return PlainColors{VipsHandle(out),
                         wide ? codecs::Primaries::kP3 : codecs::Primaries::kBt709};
    }
    vips_error_clear();  // unusable profile: ignore it
  }
  const auto meaning = deep ? VIPS_INTERPRETATION_RGB16 : VIPS_INTERPRETATION_sRGB;
  auto plain = made(vips_colourspace(image.get(), &out, meaning, nullptr), out, path);
  if (!plain) return plain.error();
  return PlainColors{std::move(*plain)};
}

// Eight bits per sample; opacity is kept.
Made for_display(VipsHandle image, const codecs::SourceColor& color,
                 const codecs::DisplayColor& display, const std::string& path) {
  if (vips_image_get_bands(image.get()) == kColors) {
    return to_display(std::move(image), color, display, path);
  }
  auto shown = bands(image, 0, kColors, path);
  if (shown) shown = to_display(std::move(*shown), color, display, path);
  if (!shown) return shown;
  const auto alpha = bands(image, kColors, 1, path);
  if (!alpha) return alpha.error();
  VipsImage* out = nullptr;
  return made(vips_bandjoin2(shown->get(), alpha->get(), &out, nullptr), out, path);
}

// A profile describes wide colours better than code points, but not HDR.
bool is_profiled_sdr(const VipsHandle& image, const codecs::SourceColor& color) {
  return color.transfer == codecs::Transfer::kSdr &&
         vips_image_get_typeof(image.get(), VIPS_META_ICC_NAME) != 0;
}

std::string loader_of(const VipsFile& file) {
  const char* loader = file.bytes.empty()
                           ? vips_foreign_find_load(file.name.c_str())
                           : vips_foreign_find_load_buffer(file.bytes.data(), file.bytes.size());
  return loader == nullptr ? "" : loader;
}

// libvips' list of named arguments cannot be made at run time, so there is a call for each set.
int load_vips(const VipsFile& file, const VipsPart& part, VipsImage** image, VipsAccess access,
              VipsFailOn damage) {
  if (!file.bytes.empty()) {
    const void* bytes = file.bytes.data();
    const size_t size = file.bytes.size();
    if (!part.count) {
      *image =
          vips_image_new_from_buffer(bytes, size, "", "access", access, "fail_on", damage, nullptr);
    } else {
      *image = vips_image_new_from_buffer(bytes, size, "", "n", *part.count, "access", access,
                                          "fail_on", damage, nullptr);
    }
    return *image == nullptr ? -1 : 0;
  }
  // Bypass libvips' parsing of options in file names.
  const std::string loader = loader_of(file);
  const char* path = file.name.c_str();
  if (loader.empty()) return -1;
  if (part.shrink) {
    return vips_jpegload(path, image, "shrink", *part.shrink, "access", access, "fail_on", damage,
                         nullptr);
  }
  if (part.level) {
    return vips_openslideload(path, image, "level", *part.level, "access", access, "fail_on",
                              damage, nullptr);
  }
  if (part.subifd) {
    return vips_tiffload(path, image, "page", part.page.value_or(0), "subifd", *part.subifd,
                         "access", access, "fail_on", damage, nullptr);
  }
  if (part.page) {
    return vips_call(loader.c_str(), path, image, "page", *part.page, "access", access, "fail_on",
                     damage, nullptr);
  }
  return vips_call(loader.c_str(), path, image, "access", access, "fail_on", damage, nullptr);
}

}  // namespace

Error vips_failure(const std::string& path) {
  return {ErrorCode::kBadData,
          path + " cannot be read: it is damaged, or its format is not supported"};
}

std::string take_vips_words() {
  std::string words = vips_error_buffer();
  vips_error_clear();
  std::ranges::replace(words, '\n', ' ');
  while (!words.empty() && words.back() == ' ') words.pop_back();
  if (words.size() > kLongestWords) words.resize(kLongestWords);
  return words;
}

int vips_number(const VipsHandle& image, const char* name, int missing) {
  int value = 0;
  if (vips_image_get_typeof(image.get(), name) == 0) return missing;
  return vips_image_get_int(image.get(), name, &value) == 0 ? value : missing;
}

bool is_vips_picture(const VipsFile& file) {
  const std::string loader = loader_of(file);
  if (loader.empty()) return false;
  const void* type = vips_class_find("VipsForeignLoad", loader.c_str());
  const auto* operation = static_cast<const VipsOperationClass*>(type);
  return operation != nullptr && (operation->flags & VIPS_OPERATION_BLOCKED) == 0;
}

bool is_slide(const VipsFile& file) {
  constexpr std::string_view kOpenSlide = "VipsForeignLoadOpenslide";
  // OpenSlide also recognizes MIRAX by its extension. The file itself is a small JPEG.
  return file.bytes.empty() &&
         (loader_of(file).starts_with(kOpenSlide) || lower(file.name).ends_with(".mrxs"));
}

Made open_vips(const VipsFile& file, const VipsPart& part, VipsAccess access, VipsFailOn damage) {
  VipsImage* image = nullptr;
  const int status = load_vips(file, part, &image, access, damage);
  return made(status, image, file.name);
}

std::vector<uint8_t> head_of(const std::string& path) {
  constexpr uint64_t kMostHead = 64 << 10;
  const auto file = File::open_to_read(path);
  const auto size = file ? file->size() : Result<uint64_t>(0);
  std::vector<uint8_t> head(size ? std::min(*size, kMostHead) : 0);
  if (!head.empty() && !file->read(0, head)) head.clear();
  return head;
}

bool is_animation(const std::string& path) {
  const std::vector<uint8_t> head = head_of(path);
  if (still_traits(head).moves) return true;
  const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  if (!text.starts_with("GIF8")) return false;
  const auto header = open_vips({.name = path}, {}, VIPS_ACCESS_SEQUENTIAL);
  return header && vips_number(*header, VIPS_META_N_PAGES, 1) > 1;
}

VipsColors colors_of(const VipsFile& file, int page) {
  if (is_slide(file)) return {};
  const size_t most = static_cast<size_t>(page) + 1;
  std::vector<TiffPage> pages;
  std::vector<uint8_t> head;
  if (!file.bytes.empty()) {
    pages = read_tiff_pages(tiff_bytes(file.bytes), most);
  } else if (const auto opened = File::open_to_read(file.name)) {
    pages = read_tiff_pages(
        [&](uint64_t at, std::span<uint8_t> bytes) { return opened->read(at, bytes).has_value(); },
        most);
    head = head_of(file.name);
  }
  if (pages.size() < most) {
    return {.wide = still_traits(file.bytes.empty() ? head : file.bytes).wide};
  }
  const TiffPage& found = pages.back();
  return {.colors = found.colors, .alpha = found.alpha, .raw_ycbcr = found.raw_ycbcr};
}

bool may_need_range(const VipsHandle& image, const VipsColors& colors) {
  const VipsBandFormat format = vips_image_get_format(image.get());
  const VipsInterpretation meaning = vips_image_guess_interpretation(image.get());
  if (format == VIPS_FORMAT_UCHAR || meaning == VIPS_INTERPRETATION_LAB ||
      meaning == VIPS_INTERPRETATION_LABS) {
    return false;
  }
  const bool grey = colors.colors == 1 || vips_image_get_bands(image.get()) == 1;
  return format != VIPS_FORMAT_USHORT || grey;
}

Result<std::optional<SampleRange>> find_range(const VipsHandle& image, const VipsColors& colors,
                                              const std::string& path) {
  constexpr double kTwelveBits = 4095;
  const int count = colors.colors > 0 ? colors.colors : vips_image_get_bands(image.get());
  if (!may_need_range(image, colors)) return std::nullopt;
  if (vips_band_format_iscomplex(vips_image_get_format(image.get())) != 0) {
    return fail(ErrorCode::kBadData, path + " has complex numbers, which are not a picture");
  }
  const auto shown = bands(image, 0, std::min(count, vips_image_get_bands(image.get())), path);
  if (!shown) return shown.error();
  SampleRange range;
  if (vips_min(shown->get(), &range.black, nullptr) != 0 ||
      vips_max(shown->get(), &range.white, nullptr) != 0) {
    return vips_failure(path);
  }
  if (!std::isfinite(range.black) || !std::isfinite(range.white)) {
    return fail(ErrorCode::kBadData, path + " has infinite samples, so its range is not known");
  }
  const bool plain = vips_image_get_format(image.get()) == VIPS_FORMAT_USHORT;
  if (plain && (range.white > kTwelveBits || range.white == 0)) return std::nullopt;
  return range;
}

std::string range_notice(const SampleRange& range, const std::string& path) {
  return fmt::format("{} has samples from {:g} to {:g}: shown from black to white", path,
                     range.black, range.white);
}

Made upright(VipsHandle image, int orientation, const std::string& path) {
  VipsImage* marked = nullptr;
  auto copy = made(vips_copy(image.get(), &marked, nullptr), marked, path);
  if (!copy || orientation <= 1) return copy;
  vips_image_set_int(copy->get(), VIPS_META_ORIENTATION, orientation);
  VipsImage* turned = nullptr;
  return made(vips_autorot(copy->get(), &turned, nullptr), turned, path);
}

Made to_display_colors(VipsHandle image, const VipsColors& colors, const std::string& path) {
  if (colors.raw_ycbcr) {
    return fail(ErrorCode::kBadData,
                path +
                    " has YCbCr samples outside of JPEG, which are not shown; convert it to "
                    "RGB: tiff2rgba IN OUT.tif");
  }
  auto known = known_bands(std::move(image), colors, path);
  if (known && colors.range) {
    known = spread(std::move(*known), *colors.range, colors.deep, path);
  }
  if (!known) return known;
  const bool stated = colors.wide && !is_profiled_sdr(*known, *colors.wide);
  if (stated && color_to_convert(colors.wide, colors.display)) {
    return to_display(std::move(*known), *colors.wide, colors.display, path);
  }
  auto plain = to_plain_colors(std::move(*known), colors, path);
  if (!plain) return plain.error();
  known =
      colors.keep_alpha ? Made(std::move(plain->image)) : flattened(std::move(plain->image), path);
  if (!known) return known;
  const VipsBandFormat format = colors.deep ? VIPS_FORMAT_USHORT : VIPS_FORMAT_UCHAR;
  VipsImage* out = nullptr;
  auto whole = made(vips_cast(known->get(), &out, format, nullptr), out, path);
  if (!whole) return whole;
  const int kept =
      colors.keep_alpha && vips_image_hasalpha(whole->get()) != 0 ? kColors + 1 : kColors;
  if (vips_image_get_bands(whole->get()) != kept) whole = bands(*whole, 0, kept, path);
  const codecs::SourceColor color{.primaries = plain->primaries,
                                  .transfer = codecs::Transfer::kSdr};
  const bool converts = !stated && color_to_convert(color, colors.display);
  return whole && converts ? for_display(std::move(*whole), color, colors.display, path)
                           : std::move(whole);
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

Made in_memory(const VipsHandle& image, const std::string& path) {
  VipsImage* out = vips_image_copy_memory(image.get());
  return made(out == nullptr ? -1 : 0, out, path);
}

}  // namespace sail
