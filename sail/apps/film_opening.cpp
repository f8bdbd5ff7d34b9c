#include "sail/apps/film_opening.h"

#include <unistd.h>

#include <optional>
#include <utility>

#include "sail/apps/test_source.h"
#include "sail/media/codestream_source.h"
#include "sail/media/media_source.h"
#include "sail/media/raw_source.h"
#include "sail/media/vmov_source.h"
#include "sail/wire/codec_name.h"

namespace sail {
namespace {

// A film of JPEG 2000 that nobody asks to have in another codec.
bool goes_as_stored(const std::string& film, const FilmWish& wish) {
  if (wish.codec_given && !codecs::is_j2k(parse_codec_spec(wish.codec)->codec.id)) return false;
  return is_codestream_film(film);
}

}  // namespace

Result<std::unique_ptr<Source>> open_film(const std::string& film, const FilmWish& wish) {
  if (wish.raw) {
    return std::unique_ptr<Source>(
        std::make_unique<RawSource>(STDIN_FILENO, *wish.raw, wish.interrupted));
  }
  if (is_test_url(film)) {
    const auto picture = parse_test_url(film);
    if (!picture) return fail(ErrorCode::kInvalidParams, film + " is not test:[WxH[@FPS]]");
    return std::unique_ptr<Source>(std::make_unique<TestSource>(*picture));
  }
  if (is_vmov_file(film)) {
    auto movie = VmovSource::open(film);
    if (!movie) return std::move(movie.error());
    return std::unique_ptr<Source>(std::move(*movie));
  }
  const codecs::CodecId codec = parse_codec_spec(wish.codec)->codec.id;
  const double fps = wish.fps && *wish.fps > 0 ? *wish.fps : kUsualFps;
  std::optional<Error> not_stored;
  if (goes_as_stored(film, wish)) {
    auto stored = CodestreamSource::open(
        film, {.fps = fps, .interrupted = wish.interrupted, .log = wish.log});
    if (stored && (!wish.codec_given || (*stored)->codec().id == codec)) {
      return std::unique_ptr<Source>(std::move(*stored));
    }
    // FFmpeg may read what receivers do not.
    if (!stored) not_stored = std::move(stored.error());
  }
  auto media = MediaSource::open(film, {.threads = wish.threads,
                                        .interrupted = wish.interrupted,
                                        .log = wish.log,
                                        .size = {},
                                        .keep_alpha = codec == codecs::CodecId::kDxt5,
                                        .for_j2k = codecs::is_j2k(codec),
                                        .sequence_fps = fps});
  if (!media) return not_stored.value_or(media.error());
  return std::unique_ptr<Source>(std::move(*media));
}

}  // namespace sail
