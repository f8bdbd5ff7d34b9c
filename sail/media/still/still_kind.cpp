#include "sail/media/still/still_kind.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "sail/core/text/text.h"
#include "sail/media/source/source_color.h"
#include "sail/media/source/tiff_tags.h"
#include "sail/media/still/heif_boxes.h"

namespace sail {
namespace {

using Bytes = std::span<const uint8_t>;

bool has_at(Bytes file, size_t at, std::string_view text) {
  return at <= file.size() && file.size() - at >= text.size() &&
         std::equal(text.begin(), text.end(), file.begin() + static_cast<ptrdiff_t>(at),
                    [](char a, uint8_t b) { return static_cast<uint8_t>(a) == b; });
}

bool contains(Bytes bytes, std::string_view text) {
  const auto is_same = [](uint8_t a, char b) { return a == static_cast<uint8_t>(b); };
  return std::search(bytes.begin(), bytes.end(), text.begin(), text.end(), is_same) != bytes.end();
}

uint64_t big_endian_at(Bytes file, size_t at, size_t count) {
  uint64_t value = 0;
  for (const uint8_t byte : file.subspan(at, count)) value = value << 8 | byte;
  return value;
}

bool is_heif_brand(Bytes head, size_t at) {
  constexpr std::array<std::string_view, 9> kBrands = {"avif", "avis", "heic", "heix", "heim",
                                                       "heis", "hevc", "mif1", "msf1"};
  return std::ranges::any_of(kBrands, [&](auto brand) { return has_at(head, at, brand); });
}

bool is_drawing(Bytes head) {
  constexpr size_t kMostHead = 8 << 10;  // a comment with a licence may come first
  const std::string_view text(reinterpret_cast<const char*>(head.data()),
                              std::min(head.size(), kMostHead));
  const size_t first = text.find_first_not_of("\xEF\xBB\xBF \t\r\n");
  return first != std::string_view::npos && text[first] == '<' &&
         text.find("<svg") != std::string_view::npos;
}

// Whether the path, without the query of a URL, ends like this.
bool has_ending(std::string_view name, std::span<const std::string_view> endings) {
  const std::string path = lower(name.substr(0, name.find_first_of("?#")));
  return std::ranges::any_of(endings, [&](auto ending) { return path.ends_with(ending); });
}

// Reads the chunks before the pixels.
void read_png(Bytes file, StillTraits& traits) {
  constexpr size_t kHead = 8, kAround = 12;  // a chunk's length, type and checksum
  codecs::LightLevels levels;
  size_t at = kHead;
  while (file.size() - at >= kAround) {
    const uint64_t length = big_endian_at(file, at, 4);
    if (length > file.size() - at - kAround || has_at(file, at + 4, "IDAT")) break;
    const Bytes chunk = file.subspan(at + 8, length);
    if (has_at(file, at + 4, "acTL")) traits.film = traits.moves = true;
    if (has_at(file, at + 4, "eXIf")) traits.for_ffmpeg = false;
    if (has_at(file, at + 4, "iCCP") &&
        !contains(chunk.first(std::min<size_t>(length, 80)), "sRGB"))
      traits.for_ffmpeg = false;
    if (has_at(file, at + 4, "cICP") && length >= 2) traits.wide = source_color(chunk[0], chunk[1]);
    if (has_at(file, at + 4, "cLLI") && length >= 8) {
      constexpr double kPerNit = 10'000;
      levels.max_cll = static_cast<double>(big_endian_at(chunk, 0, 4)) / kPerNit;
      levels.max_fall = static_cast<double>(big_endian_at(chunk, 4, 4)) / kPerNit;
    }
    at += kAround + length;
  }
  if (!traits.wide) return;
  traits.wide->peak_nits = codecs::peak_of(levels);
  traits.for_ffmpeg = false;
}

// Reads segments up to the picture's end. A picture that follows another is one of MJPEG, unless
// the first one says that it has companions.
void read_jpeg(Bytes file, StillTraits& traits) {
  constexpr uint8_t kEnd = 0xD9, kScan = 0xDA, kApp2 = 0xE2, kFirstFrame = 0xC0, kLastFrame = 0xC2,
                    kJpegLs = 0xF7;
  constexpr size_t kComponentsAt = 9;  // from the marker
  bool companions = false;
  bool in_scan = false;
  size_t at = 2;
  while (at + 4 <= file.size()) {
    const uint8_t marker = file[at + 1];
    const bool data =
        file[at] != 0xFF || marker == 0 || marker == 0xFF || (marker >= 0xD0 && marker <= 0xD7);
    if (data && !in_scan && marker != 0xFF) return;  // damaged
    if (data) {
      ++at;
      continue;
    }
    if (marker == kJpegLs) traits.film = true;
    if (marker == kEnd) {
      traits.film |= !companions && has_at(file, at + 2, "\xFF\xD8\xFF");
      return;
    }
    const size_t length = std::min<size_t>(big_endian_at(file, at + 2, 2), file.size() - at - 2);
    const Bytes segment = file.subspan(at, length + 2);
    if (marker == kApp2 && has_at(segment, 4, "MPF")) companions = true;
    if (marker == kApp2 && has_at(segment, 4, "ICC_PROFILE") && !contains(segment, "sRGB"))
      traits.for_ffmpeg = false;
    if (marker >= kFirstFrame && marker <= kLastFrame && segment.size() > kComponentsAt)
      traits.for_ffmpeg &= segment[kComponentsAt] != 4;  // CMYK
    in_scan = marker == kScan;
    at += segment.size();
  }
}

void read_webp(Bytes file, StillTraits& traits) {
  constexpr size_t kFlagsAt = 20;
  constexpr uint8_t kMoves = 0x02, kExif = 0x08, kProfile = 0x20;
  if (!has_at(file, 12, "VP8X") || file.size() <= kFlagsAt) return;
  traits.moves = (file[kFlagsAt] & kMoves) != 0;
  traits.for_ffmpeg = (file[kFlagsAt] & (kMoves | kExif | kProfile)) == 0;
}

void read_heif(Bytes file, StillTraits& traits) {
  constexpr size_t kBrandAt = 8;
  traits.for_ffmpeg = false;  // FFmpeg neither joins tiles nor rotates
  for (const std::string_view brand : {"avis", "hevc", "msf1"}) {
    traits.film |= has_at(file, kBrandAt, brand);
  }
  traits.moves = traits.film;
  const auto color = heif_color(file);
  if (color) traits.wide = source_color(color->primaries, color->transfer);
  if (!traits.wide) return;
  traits.wide->peak_nits = codecs::peak_of({.max_cll = static_cast<double>(color->max_cll),
                                            .max_fall = static_cast<double>(color->max_fall)});
}

void read_tiff(Bytes file, StillTraits& traits) {
  const auto pages = read_tiff_pages(tiff_bytes(file), 1);
  if (pages.empty()) return;
  const TiffPage& page = pages.front();
  // FFmpeg would decode tiles to black, and does not rotate pictures. libvips' reader refuses such
  // files.
  const bool plain_ycbcr = page.raw_ycbcr && !page.tiled && page.orientation == 1;
  traits.film = page.dng || plain_ycbcr;
  traits.for_ffmpeg = page.for_ffmpeg || plain_ycbcr;
}

constexpr uint64_t kMostSvgBytes = uint64_t{16} << 20;
constexpr int64_t kMostSvgTags = 300'000;  // an element takes librsvg up to 1.2 kB

}  // namespace

Result<void> check_svg_bytes(uint64_t bytes, const std::string& name) {
  if (bytes <= kMostSvgBytes) return {};
  return fail(ErrorCode::kLimit, name + " is too large: a drawing has at most 16 MiB");
}

Result<void> check_svg_tags(std::span<const uint8_t> file, const std::string& name) {
  if (std::ranges::count(file, '<') <= kMostSvgTags) return {};
  return fail(ErrorCode::kLimit,
              fmt::format("{} is too large: a drawing has at most {} tags", name, kMostSvgTags));
}

StillKind still_kind(Bytes head) {
  using namespace std::string_view_literals;
  constexpr size_t kBrandAt = 8;
  if (has_at(head, 0, "\xFF\xD8\xFF"sv)) return StillKind::kJpeg;
  if (has_at(head, 0, "\x89PNG\r\n\x1A\n"sv)) return StillKind::kPng;
  for (const auto start : {"II*\0"sv, "MM\0*"sv, "II+\0"sv, "MM\0+"sv}) {
    if (has_at(head, 0, start)) return StillKind::kTiff;
  }
  if (has_at(head, 0, "RIFF") && has_at(head, kBrandAt, "WEBP")) return StillKind::kWebp;
  if (has_at(head, 4, "ftyp") && is_heif_brand(head, kBrandAt)) return StillKind::kHeif;
  return is_drawing(head) ? StillKind::kSvg : StillKind::kNone;
}

bool names_slide(std::string_view name) {
  constexpr std::array<std::string_view, 5> kEndings = {".svs", ".svslide", ".ndpi", ".scn",
                                                        ".bif"};
  return has_ending(name, kEndings);
}

bool names_several_files(std::string_view name) {
  constexpr std::array<std::string_view, 4> kEndings = {".mrxs", ".vms", ".vmu", ".dzi"};
  return has_ending(name, kEndings);
}

std::string conversion_notice(const StillTraits& traits, const codecs::DisplayColor& display,
                              const std::string& name) {
  if (!traits.wide || !color_to_convert(traits.wide, display)) return "";
  return name + " is shown converted: " + conversion_words(*traits.wide, display);
}

StillTraits still_traits(Bytes file) {
  StillTraits traits{.kind = still_kind(file)};
  switch (traits.kind) {
    case StillKind::kJpeg:
      read_jpeg(file, traits);
      break;
    case StillKind::kPng:
      read_png(file, traits);
      break;
    case StillKind::kTiff:
      read_tiff(file, traits);
      break;
    case StillKind::kWebp:
      read_webp(file, traits);
      break;
    case StillKind::kHeif:
      read_heif(file, traits);
      break;
    case StillKind::kSvg:
    case StillKind::kNone:
      break;
  }
  return traits;
}

}  // namespace sail
