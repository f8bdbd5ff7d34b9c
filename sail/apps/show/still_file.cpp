#include "sail/apps/show/still_file.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <utility>

#include "sail/apps/show/deep_zoom.h"
#include "sail/core/wire/content.h"

namespace sail {
namespace {

template <typename Kind>
Result<std::unique_ptr<Still>> open_as(const std::string& path) {
  auto opened = Kind::open(path);
  if (!opened) return opened.error();
  return std::unique_ptr<Still>(std::move(*opened));
}

}  // namespace

bool is_pdf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::array<char, 1024> start{};
  file.read(start.data(), start.size());
  const std::string_view read(start.data(), static_cast<size_t>(file.gcount()));
  return read.find("%PDF-") != std::string_view::npos;
}

Result<std::unique_ptr<Still>> open_still(const std::string& path) {
  if (is_written(path)) return open_as<TextLayout>(path);
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    return fail(ErrorCode::kNotFound,
                path + " is a folder: name its files instead, for example " + path + "/*.png");
  }
  // Opening a pipe would wait for its writer.
  if (std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error)) {
    return fail(ErrorCode::kInvalidParams, path + " is not a file");
  }
  if (!std::ifstream(path, std::ios::binary)) {
    return fail(ErrorCode::kNotFound, path + " does not exist or cannot be read");
  }
  if (is_pdf(path)) return open_as<PdfDocument>(path);
  if (is_svg(path)) return open_as<SvgDocument>(path);
  return is_deep_zoom(path) ? open_as<DeepZoomPicture>(path) : open_as<VipsPicture>(path);
}

}  // namespace sail
