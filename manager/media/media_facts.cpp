#include "manager/media/media_facts.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "sail/core/text/json.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"
#include "sail/core/wire/content.h"

namespace manager {
namespace {

constexpr size_t kLongestFacts = 4096;
constexpr size_t kLongestReason = 300;
constexpr double kLongestFilmS = 1e9;
constexpr int kMostPages = 10'000'000;
constexpr int64_t kLargestSide = int64_t{1} << 30;

}  // namespace

sail::Result<MediaFacts> parse_media_facts(std::string_view text) {
  const auto json = sail::parse_json(text, kLongestFacts);
  if (!json) return json.error();
  sail::JsonFields fields(*json, "facts");
  MediaFacts facts;
  if (fields.has("size")) {
    const auto [width, height] = fields.pair("size", 1, kLargestSide);
    facts.size = sail::Size{width, height};
  }
  if (fields.has("duration_s")) facts.duration_s = fields.number("duration_s", 0, kLongestFilmS);
  if (fields.has("pages")) facts.pages = static_cast<int>(fields.integer("pages", 1, kMostPages));
  if (fields.has("unplayable")) {
    facts.unplayable =
        sail::make_plain_text(fields.raw_string("unplayable", kLongestFacts), kLongestReason);
  }
  if (auto error = fields.finish()) return *error;
  return facts;
}

namespace {

constexpr std::string_view kMediaExtensions[] = {
    ".mp4",  ".m4v",  ".mkv",  ".mov",  ".avi",  ".webm", ".mpg",     ".mpeg", ".ts",  ".m2ts",
    ".mts",  ".mxf",  ".vmov", ".y4m",  ".ogv",  ".flv",  ".wmv",     ".gif",  ".png", ".jpg",
    ".jpeg", ".tif",  ".tiff", ".bmp",  ".webp", ".exr",  ".dpx",     ".jp2",  ".j2k", ".j2c",
    ".pdf",  ".heic", ".heif", ".avif", ".svg",  ".3gp",  ".asf",     ".dv",   ".m2v", ".vob",
    ".h264", ".hevc", ".ppm",  ".tga",  ".mj2",  ".jph",  ".jhc",     ".btf",  ".dzi", ".svs",
    ".ndpi", ".scn",  ".mrxs", ".vms",  ".vmu",  ".bif",  ".svslide", ".apng"};
// GIF is missing: most GIFs are films. vitrail-show hands other animations to bplay.
constexpr std::string_view kStillExtensions[] = {
    ".pdf", ".png", ".jpg", ".jpeg", ".tif", ".tiff", ".webp", ".svg", ".heic", ".heif",   ".avif",
    ".btf", ".dzi", ".svs", ".ndpi", ".scn", ".mrxs", ".vms",  ".vmu", ".bif",  ".svslide"};

constexpr std::string_view kPictureExtensions[] = {".png",  ".jpg", ".jpeg", ".tif",  ".tiff",
                                                   ".webp", ".svg", ".heic", ".heif", ".avif"};

// Returns the extension in lower case; empty: none.
std::string file_extension_of(std::string_view file_name) {
  const size_t dot = file_name.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return "";
  return sail::lower(file_name.substr(dot));
}

}  // namespace

bool has_media_extension(std::string_view file_name) {
  return sail::names_office_document(file_name) ||
         std::ranges::find(kMediaExtensions, file_extension_of(file_name)) !=
             std::end(kMediaExtensions);
}

// URLs and patterns of numbered pictures (name.%05d.png) are films.
bool is_still(std::string_view medium) {
  if (sail::is_written(medium)) return true;
  return medium.find("://") == std::string_view::npos &&
         medium.find('%') == std::string_view::npos &&
         (sail::names_office_document(medium) ||
          std::ranges::find(kStillExtensions, file_extension_of(medium)) !=
              std::end(kStillExtensions));
}

bool is_picture(std::string_view medium) {
  return is_still(medium) && !sail::is_written(medium) &&
         std::ranges::find(kPictureExtensions, file_extension_of(medium)) !=
             std::end(kPictureExtensions);
}

}  // namespace manager
