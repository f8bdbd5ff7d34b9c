#include "sail/media/film/film_files.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "sail/core/text/text.h"
#include "sail/core/time/clock.h"
#include "sail/media/cinema/composition_sound.h"
#include "sail/media/cinema/composition_source.h"
#include "sail/media/ffmpeg/media_source_carried.h"
#include "sail/media/source/black_pictures.h"
#include "sail/media/source/file_sequence.h"
#include "sail/media/source/held_end.h"
#include "sail/media/still/still_kind.h"
#include "sail/media/still/still_library.h"
#include "sail/media/storage/source_uri.h"
#include "sail/media/vmov/vmov_reader.h"

namespace sail {
namespace {

using OpenedSource = Result<std::unique_ptr<Source>>;

template <typename Film>
OpenedSource as_source(Result<std::unique_ptr<Film>> film) {
  if (!film) return std::move(film.error());
  return std::unique_ptr<Source>(std::move(*film));
}

constexpr uint64_t kSniffedBytes = 8 << 10;  // as still_kind() looks for drawings
constexpr uint64_t kMostStillBytes = uint64_t{1} << 30;
constexpr std::array<std::string_view, 11> kStillEndings = {
    ".avif", ".btf", ".heic", ".heif", ".jpeg", ".jpg", ".png", ".svg", ".tif", ".tiff", ".webp"};

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
  if (!size || *size == 0) return std::nullopt;
  std::vector<uint8_t> file(std::min(*size, kSniffedBytes));
  if (!(*source)->read(0, file)) return std::nullopt;
  const StillKind kind = still_kind(file);
  if (kind == StillKind::kNone) return std::nullopt;
  if (kind == StillKind::kSvg) {
    if (auto checked = check_svg_bytes(*size, name); !checked) return checked.error();
  }
  if (*size > kMostStillBytes) {
    return fail(ErrorCode::kLimit, name + " has more than 1 GiB: show it with: vitrail show");
  }
  file.resize(*size);
  if (auto read = (*source)->read(0, file); !read) return read.error();
  if (still_traits(file).film) return std::nullopt;
  return std::optional(std::move(file));
}

// Stills of libvips (JPEG, PNG, TIFF, WebP, HEIC, AVIF, SVG) through libvips, everything else
// through FFmpeg. Of files on other hosts only those with the extension of a still may be stills,
// because some servers send a stream once.
OpenedSource open_file(const std::string& name, const MediaOptions& options) {
  if (is_far(name) && names_several_files(name)) {
    return fail(ErrorCode::kBadData, without_passwords(name) + std::string(kSeveralFiles));
  }
  if (is_far(name) && names_slide(name)) {
    return fail(ErrorCode::kBadData,
                without_passwords(name) + " is a whole slide: show it with: vitrail show");
  }
  if (may_be_still(name, options)) {
    auto still = still_in(name, options);
    if (!still) return still.error();
    if (*still) {
      if (options.needs_subtitles) {
        return fail(ErrorCode::kInvalidParams, name + " is a still, which has no subtitles");
      }
      const auto stills = still_library();
      if (!stills) return fail(stills.error().code, name + ": " + stills.error().message);
      return (*stills)->open(name, std::move(**still),
                             {.threads = options.threads,
                              .wish = {.size = options.size,
                                       .keep_alpha = options.keep_alpha,
                                       .deep = options.for_j2k,
                                       .display = options.display},
                              .log = options.log});
    }
  }
  return as_source(MediaSource::open(name, options));
}

// A film of numbered files keeps its length where it lacks some, unless it is to end there.
OpenedSource with_its_length(OpenedSource film, const std::string& name, MissingAction missing,
                             double fps) {
  if (!film || missing == MissingAction::kStop || fps <= 0 || !names_sequence(name)) return film;
  if (missing == MissingAction::kHold) {
    return std::unique_ptr<Source>(std::make_unique<HeldEnd>(std::move(*film)));
  }
  const double pictures = static_cast<double>((*film)->info().duration_ns) * fps / kSecondNs;
  if (pictures > static_cast<double>(kMaxSequenceFiles)) {
    return fail(ErrorCode::kLimit,
                fmt::format("{}: its numbers cover {:.0f} pictures, of which most are missing: "
                            "--missing black allows {}",
                            name, pictures, kMaxSequenceFiles));
  }
  return std::unique_ptr<Source>(std::make_unique<BlackPictures>(std::move(*film), fps));
}

// A package's reels, or the file itself.
OpenedSource open_reels(const std::string& name, CompositionSource::Open open) {
  return is_package(name) ? as_source(CompositionSource::open(name, std::move(open))) : open(name);
}

}  // namespace

bool is_stored_film(const std::string& name) {
  return is_package(name) || is_codestream_film(name);
}

OpenedSource open_stored_film(const std::string& name, const CodestreamOptions& options) {
  return open_reels(name, [options](const std::string& file) {
    return with_its_length(as_source(CodestreamSource::open(file, options)), file, options.missing,
                           options.fps);
  });
}

OpenedSource open_carried_film(const std::string& name, const MediaOptions& options) {
  const auto refuse = [&](std::string_view what) {
    return fail(ErrorCode::kBadData, fmt::format("{} cannot be sent with --codec carried: it {}",
                                                 without_passwords(name), what));
  };
  if (is_package(name)) return refuse("is a package of digital cinema");
  if (may_be_still(name, options)) {
    auto still = still_in(name, options);
    if (!still) return still.error();
    if (*still) return refuse("is a still picture");
  }
  return open_carried(name, options);
}

OpenedSource open_decoded_film(const std::string& name, const MediaOptions& options) {
  MediaOptions of_file = options;
  if (is_package(name)) of_file.range = {};  // the range is that of the whole film
  return open_reels(name, [options = std::move(of_file)](const std::string& file) {
    return with_its_length(open_file(file, options), file, options.missing, options.sequence_fps);
  });
}

Result<std::unique_ptr<MediaSound>> open_film_sound(const std::string& name, int track) {
  if (is_package(name)) return CompositionSound::open(name);
  std::error_code ignored;
  const bool file = std::filesystem::is_regular_file(name, ignored) && !is_vmov_file(name);
  if (file || is_sound_device(name)) return MediaSound::open(name, track);
  return fail(ErrorCode::kNotFound, name + " is not a file with playable sound");
}

}  // namespace sail
