#include "sail/apps/poster/poster.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include "sail/apps/poster/speaker_notes.h"
#include "sail/apps/show/deep_zoom.h"
#include "sail/apps/show/office_document.h"
#include "sail/apps/show/still_file.h"
#include "sail/apps/show/vips_levels.h"
#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"
#include "sail/media/film/film_files.h"
#include "sail/media/film/film_poster.h"
#include "sail/media/source/picture_spec.h"
#include "sail/media/source/small_picture.h"
#include "sail/media/still/still_pixels.h"
#include "sail/media/still/vips_image.h"
#include "sail/media/storage/reading/fed_bytes.h"

namespace sail {
namespace {

// Returns the file's first picture: upright, sRGB, at most as large as the bounds, never enlarged,
// transparent pixels on black. Returns kBadData also if the file is truncated. Requires
// start_vips().
Result<SmallPicture> vips_poster(const std::string& path, Size bounds) {
  const auto copy = reduced_still(path, bounds, {});
  if (!copy) return copy.error();
  SmallPicture picture{.size = size_of(*copy), .rgb = {}};
  size_t bytes = 0;
  void* pixels = vips_image_write_to_memory(copy->get(), &bytes);
  if (pixels == nullptr) return vips_failure(path);
  const auto* first = static_cast<const uint8_t*>(pixels);
  picture.rgb.assign(first, first + bytes);
  g_free(pixels);
  return picture;
}

Result<SmallPicture> document_poster(const std::string& path, Size bounds, int number) {
  const auto document = open_still(path);
  if (!document) return document.error();
  if (number >= (*document)->pages()) {
    return fail(ErrorCode::kNotFound, fmt::format("{} has {} pages", path, (*document)->pages()));
  }
  const auto page = (*document)->turn_to(number);
  if (!page) return page.error();
  const Size small = fit(page->size, bounds);
  // Rounding gives two slightly different scales. The larger one leaves no empty edge.
  const double scale = std::max(static_cast<double>(small.width) / page->size.width,
                                static_cast<double>(small.height) / page->size.height);
  const auto drawn = (*document)->draw({.frame = small, .left = 0, .top = 0, .scale = scale});
  if (!drawn) return drawn.error();
  codecs::ImageView view;
  view.width = small.width;
  view.height = small.height;
  view.planes[0] = drawn->bgra.data();
  view.strides[0] = ptrdiff_t{4} * small.width;
  return sampled(view, small);
}

Result<SmallPicture> small_picture(const std::string& path, Size bounds, int page) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error) && is_stored_film(path)) {
    return film_poster(path, bounds);
  }
  if (!std::filesystem::is_regular_file(path, error)) {
    return fail(ErrorCode::kNotFound, path + " does not exist or is not a regular file");
  }
  if (is_office_document(path) || is_pdf(path) || is_svg(path) || is_deep_zoom(path)) {
    return document_poster(path, bounds, page);
  }
  if (page > 0) return fail(ErrorCode::kNotFound, path + ": not a document with pages");
  if (is_vips_picture({.name = path})) return vips_poster(path, bounds);
  return film_poster(path, bounds);
}

Result<std::vector<uint8_t>> encoded(const Result<SmallPicture>& picture, const std::string& name) {
  if (!picture) return picture.error();
  auto jpeg = poster_jpeg(*picture);
  if (jpeg) return jpeg;
  return fail(jpeg.error().code, name + ": " + jpeg.error().message);
}

constexpr double kNsPerS = 1e9;

// Returns the size that the header of a large picture states: reading its pixels can take seconds.
// Its poster tells whether they can be read. Empty: the picture is small, or its samples decide.
std::optional<Size> stated_size(const std::string& path) {
  auto header = open_vips({.name = path}, {}, VIPS_ACCESS_SEQUENTIAL);
  if (!header) return std::nullopt;
  const Size size = size_of(*header);
  const VipsColors colors = colors_of({.name = path}, 0);
  if (int64_t{size.width} * size.height < kWorthPreviewPixels || colors.raw_ycbcr ||
      may_need_range(*header, colors)) {
    return std::nullopt;
  }
  const int orientation = vips_image_get_orientation(header->get());
  const auto turned = upright(std::move(*header), orientation, path);
  return turned ? std::optional(size_of(*turned)) : std::nullopt;
}

Result<Json> still_facts(const std::string& path, bool is_document) {
  const auto still = open_still(path);
  if (!still) return still.error();
  const bool is_picture = !is_document && !is_svg(path) && !is_deep_zoom(path);
  auto size = is_picture ? stated_size(path) : std::nullopt;
  if (!size) {
    const auto page = (*still)->turn_to(0);
    if (!page) return page.error();
    size = page->size;
  }
  if (is_document) return Json{{"pages", (*still)->pages()}};
  Json facts{{"size", size_json(*size)}};
  if ((*still)->pages() > 1) facts["pages"] = (*still)->pages();
  return facts;
}

Result<Json> film_facts(const std::string& path) {
  const auto film = open_film(path);
  if (!film) return film.error();
  const auto first = (*film)->next();
  if (!first) return first.error();
  if (!*first) return fail(ErrorCode::kBadData, path + ": no frame could be decoded");
  Json facts{{"size", size_json((*first)->display_size)}};
  // A still picture has a duration, too: that of one frame. Only a second frame makes it a video.
  const auto second = (*film)->next();
  const auto duration_ns = static_cast<double>((*film)->info().duration_ns);
  if (second && *second && duration_ns > 0) facts["duration_s"] = duration_ns / kNsPerS;
  return facts;
}

Result<Json> facts_of(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    return fail(ErrorCode::kNotFound, path + " does not exist or is not a regular file");
  }
  if (is_pdf(path)) return still_facts(path, true);
  if (is_office_document(path)) {
    auto facts = still_facts(path, true);
    // The number of pages is known once the document has been shown.
    return !facts && facts.error().code == ErrorCode::kUnavailable ? Json::object() : facts;
  }
  if (is_animation(path)) return film_facts(path);
  if (is_svg(path) || is_deep_zoom(path) || is_vips_picture({.name = path})) {
    return still_facts(path, false);
  }
  return film_facts(path);
}

std::string without_path(std::string words, const std::string& path) {
  constexpr std::string_view kFile = "the file";
  for (size_t at = 0; (at = words.find(path, at)) != std::string::npos; at += kFile.size()) {
    words.replace(at, path.size(), kFile);
  }
  return words;
}

}  // namespace

Result<std::vector<uint8_t>> make_poster(const std::string& path, Size bounds, int page) {
  return encoded(small_picture(path, bounds, page), path);
}

Result<std::vector<uint8_t>> make_fed_poster(const std::string& name, int socket, Size bounds) {
  const auto fed = [&] { return FedBytes::open(name, socket); };
  return encoded(film_poster(name, bounds, fed), name);
}

Result<Json> file_facts(const std::string& path) {
  auto facts = facts_of(path);
  if (facts) return facts;
  return fail(facts.error().code, without_path(facts.error().message, path));
}

Result<Json> file_notes(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    return fail(ErrorCode::kNotFound, "the file does not exist or is not a regular file");
  }
  const auto notes = speaker_notes(path);
  if (notes) return Json{{"pages", to_json(*notes)}};
  return fail(notes.error().code, without_path(notes.error().message, path));
}

}  // namespace sail
