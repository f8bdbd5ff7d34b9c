#include "sail/apps/poster/poster.h"

#include <algorithm>
#include <filesystem>

#include "sail/apps/poster/vips_poster.h"
#include "sail/apps/show/still_file.h"
#include "sail/media/codestream/codestream_source.h"
#include "sail/media/film/film_poster.h"
#include "sail/media/source/picture_spec.h"
#include "sail/media/storage/reading/fed_bytes.h"

namespace sail {
namespace {

Result<SmallPicture> document_poster(const std::string& path, Size bounds) {
  const auto document = open_still(path);
  if (!document) return document.error();
  const auto page = (*document)->turn_to(0);
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

Result<SmallPicture> small_picture(const std::string& path, Size bounds) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error) && is_codestream_film(path)) {
    return film_poster(path, bounds);
  }
  if (!std::filesystem::is_regular_file(path, error)) {
    return fail(ErrorCode::kNotFound, path + " does not exist or is not a regular file");
  }
  if (is_pdf(path)) return document_poster(path, bounds);
  if (is_vips_picture(path)) return vips_poster(path, bounds);
  return film_poster(path, bounds);
}

Result<std::vector<uint8_t>> encoded(const Result<SmallPicture>& picture, const std::string& name) {
  if (!picture) return picture.error();
  auto jpeg = poster_jpeg(*picture);
  if (jpeg) return jpeg;
  return fail(jpeg.error().code, name + ": " + jpeg.error().message);
}

}  // namespace

Result<std::vector<uint8_t>> make_poster(const std::string& path, Size bounds) {
  return encoded(small_picture(path, bounds), path);
}

Result<std::vector<uint8_t>> make_fed_poster(const std::string& name, int socket, Size bounds) {
  const auto fed = [&] { return FedBytes::open(name, socket); };
  return encoded(film_poster(name, bounds, fed), name);
}

}  // namespace sail
