#include "sail/media/film/medium.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "sail/core/text/text.h"
#include "sail/media/still/still_kind.h"
#include "sail/media/still/still_source.h"
#include "sail/media/storage/source_uri.h"

namespace sail {
namespace {

constexpr size_t kSniffedBytes = 64;
constexpr uint64_t kMostStillBytes = uint64_t{1} << 30;
constexpr std::array<std::string_view, 9> kStillEndings = {
    ".avif", ".heic", ".heif", ".jpeg", ".jpg", ".png", ".tif", ".tiff", ".webp"};

bool may_be_still(const std::string& name, const MediaOptions& options) {
  if (options.descriptor || options.open || name == kStandardInput) return false;
  if (is_capture_device(name)) return false;
  if (is_far(name)) {
    const std::string path = lower(name.substr(0, name.find_first_of("?#")));
    return std::ranges::any_of(kStillEndings, [&](auto end) { return path.ends_with(end); });
  }
  std::error_code error;
  const std::string path = name.starts_with("file:") ? name.substr(5) : name;
  return std::filesystem::is_regular_file(path, error);
}

// The file if it is a still; empty: FFmpeg may read it.
Result<std::optional<std::vector<uint8_t>>> still_in(const std::string& name,
                                                     const MediaOptions& options) {
  const auto source = open_bytes(name, options.interrupted);
  if (!source) return std::nullopt;
  const auto size = (*source)->size();
  if (!size || *size < kSniffedBytes) return std::nullopt;
  std::vector<uint8_t> file(kSniffedBytes);
  if (!(*source)->read(0, file) || still_kind(file) == StillKind::kNone) return std::nullopt;
  if (*size > kMostStillBytes) {
    return fail(ErrorCode::kLimit, name + " has more than 1 GiB: show it with: vitrail show");
  }
  file.resize(*size);
  if (auto read = (*source)->read(0, file); !read) return read.error();
  if (still_traits(file).film) return std::nullopt;
  return std::optional(std::move(file));
}

}  // namespace

Result<std::unique_ptr<Source>> open_medium(const std::string& name, const MediaOptions& options) {
  if (may_be_still(name, options)) {
    auto still = still_in(name, options);
    if (!still) return still.error();
    if (*still) {
      return StillSource::open(name, std::move(**still),
                               {.threads = options.threads,
                                .wish = {.size = options.size,
                                         .keep_alpha = options.keep_alpha,
                                         .deep = options.for_j2k},
                                .log = options.log});
    }
  }
  auto media = MediaSource::open(name, options);
  if (!media) return std::move(media.error());
  return std::unique_ptr<Source>(std::move(*media));
}

}  // namespace sail
