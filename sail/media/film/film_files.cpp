#include "sail/media/film/film_files.h"

#include <filesystem>
#include <utility>

#include "sail/media/cinema/composition_sound.h"
#include "sail/media/cinema/composition_source.h"
#include "sail/media/film/medium.h"
#include "sail/media/vmov/vmov_reader.h"

namespace sail {
namespace {

using OpenedSource = Result<std::unique_ptr<Source>>;

template <typename Film>
OpenedSource as_source(Result<std::unique_ptr<Film>> film) {
  if (!film) return std::move(film.error());
  return std::unique_ptr<Source>(std::move(*film));
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
    return as_source(CodestreamSource::open(file, options));
  });
}

OpenedSource open_decoded_film(const std::string& name, const MediaOptions& options) {
  return open_reels(name,
                    [options](const std::string& file) { return open_medium(file, options); });
}

Result<std::unique_ptr<MediaSound>> open_film_sound(const std::string& name, int track) {
  if (is_package(name)) return CompositionSound::open(name);
  std::error_code ignored;
  const bool file = std::filesystem::is_regular_file(name, ignored) && !is_vmov_file(name);
  if (file || is_sound_device(name)) return MediaSound::open(name, track);
  return fail(ErrorCode::kNotFound, name + " is not a file with playable sound");
}

}  // namespace sail
