#include "manager/media_endings.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "sail/wire/text.h"

namespace manager {
namespace {

constexpr std::string_view kEndings[] = {
    ".mp4",  ".m4v",  ".mkv",  ".mov",  ".avi",  ".webm", ".mpg", ".mpeg", ".ts",  ".m2ts",
    ".mts",  ".mxf",  ".vmov", ".y4m",  ".ogv",  ".flv",  ".wmv", ".gif",  ".png", ".jpg",
    ".jpeg", ".tif",  ".tiff", ".bmp",  ".webp", ".exr",  ".dpx", ".jp2",  ".j2k", ".j2c",
    ".pdf",  ".heic", ".heif", ".avif", ".svg",  ".3gp",  ".asf", ".dv",   ".m2v", ".vob",
    ".h264", ".hevc", ".ppm",  ".tga",  ".mj2",  ".jph",  ".jhc"};

}  // namespace

bool has_media_ending(std::string_view file_name) {
  const size_t dot = file_name.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return false;
  return std::ranges::find(kEndings, sail::lower(file_name.substr(dot))) != std::end(kEndings);
}

}  // namespace manager
