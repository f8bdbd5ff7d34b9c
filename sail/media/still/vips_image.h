// Handles of libvips and the operations needed to show pictures. Errors are sentences;
// take_vips_words() has libvips' own message.
#pragma once

// Disable the names of libvips 7, which newer headers define as macros, such as Rect.
#define VIPS_DISABLE_COMPAT
#include <vips/vips.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codecs/color/color_transform.h"
#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"
#include "sail/media/still/still_wish.h"

namespace sail {

struct VipsUnref {
  void operator()(VipsImage* image) const { g_object_unref(image); }
};
// Reference-counted. libvips evaluates an image when its pixels are requested.
using VipsHandle = std::unique_ptr<VipsImage, VipsUnref>;

// The input of libvips: a file, or its bytes in memory, which must outlive all its images.
struct VipsFile {
  std::string name;
  std::span<const uint8_t> bytes = {};  // empty: the file `name`
};

// Position of an image in a file.
struct VipsPart {
  std::optional<int> page = {};    // for formats with pages
  std::optional<int> subifd = {};  // for TIFF files
  std::optional<int> level = {};   // for whole slides
  std::optional<int> shrink = {};  // for JPEG files: 2, 4 or 8 reads at this fraction of the size
  // Number of pages, one below the other; -1: all.
  std::optional<int> count = {};
};

// How the samples of a picture become colours.
struct VipsColors {
  // Samples of a pixel that are colour; 0: libvips knows them, and the rest is opacity.
  int colors = 0;
  std::optional<int> alpha = {};  // position of the opacity; only with `colors`
  bool raw_ycbcr = false;         // see TiffPage
  // HDR or wide primaries that no profile describes; excludes `deep`.
  std::optional<codecs::SourceColor> wide = {};
  std::optional<SampleRange> range = {};  // empty: that of the format
  bool keep_alpha = false;                // false: transparent pixels are blended over black
  bool deep = false;                      // 16 bits a sample instead of 8; only for BT.709
  codecs::DisplayColor display = {};
};

inline Size size_of(const VipsHandle& image) {
  return {vips_image_get_width(image.get()), vips_image_get_height(image.get())};
}

// Why the picture cannot be read. libvips' message is kept for take_vips_words().
Error vips_failure(const std::string& path);
// Returns libvips' messages since the last call on one line; empty: none.
std::string take_vips_words();

// Returns an integer from the picture's header, or `missing`.
int vips_number(const VipsHandle& image, const char* name, int missing);
// Returns true if a loader that is not blocked recognizes the file's first bytes.
bool is_vips_picture(const VipsFile& file);

// Returns true for a whole slide, which OpenSlide reads, even if other files of the slide are
// missing. Other readers would show its label or a small overview.
bool is_slide(const VipsFile& file);

// Opens a file or a part of it. damage: kind of damage that makes reading fail.
Result<VipsHandle> open_vips(const VipsFile& file, const VipsPart& part, VipsAccess access,
                             VipsFailOn damage = VIPS_FAIL_ON_NONE);
// Returns the beginning of a file, which suffices for still_traits(); empty: it cannot be read.
std::vector<uint8_t> head_of(const std::string& path);
// True for animations of GIF, WebP, PNG, AVIF and HEIC, by content. Requires start_vips().
bool is_animation(const std::string& path);
// Finds how the samples of TIFF, PNG and HEIF become colours; other formats need nothing.
VipsColors colors_of(const VipsFile& file, int page);
// The range of the samples in scientific pictures: floating-point and signed numbers, integers of
// 32 bits, and grey of up to 12 bits in 16. Empty: that of the format. Reads all samples of such a
// picture, so the image must not be sequential.
Result<std::optional<SampleRange>> find_range(const VipsHandle& image, const VipsColors& colors,
                                              const std::string& path);
// True if find_range() may read the samples.
bool may_need_range(const VipsHandle& image, const VipsColors& colors);
// Notice for users about a picture that is shown with this range.
std::string range_notice(const SampleRange& range, const std::string& path);

// Turns by the orientation. A sequential image must be in memory.
Result<VipsHandle> upright(VipsHandle image, int orientation, const std::string& path);
// Converts to red, green, blue of the display, and opacity if it is kept; applies colour profiles.
// Refuses raw_ycbcr.
Result<VipsHandle> to_display_colors(VipsHandle image, const VipsColors& colors,
                                     const std::string& path);
// Returns a part of the image. The part must lie within the image.
Result<VipsHandle> crop(const VipsHandle& image, const Rect& part, const std::string& path);
// Scales down by averaging; from a factor of 3 up, enlarges with visible pixels.
Result<VipsHandle> scale(VipsHandle image, double scale_x, double scale_y, const std::string& path);
// Evaluates the image into memory.
Result<VipsHandle> in_memory(const VipsHandle& image, const std::string& path);

}  // namespace sail
