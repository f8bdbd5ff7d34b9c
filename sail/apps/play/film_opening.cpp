#include "sail/apps/play/film_opening.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "sail/apps/play/test_card.h"
#include "sail/core/text/text.h"
#include "sail/core/wire/data/codec_name.h"
#include "sail/media/ffmpeg/live_source.h"
#include "sail/media/film/film_files.h"
#include "sail/media/source/raw_source.h"
#include "sail/media/storage/source_uri.h"
#include "sail/media/vmov/vmov_source.h"

namespace sail {
namespace {

// Returns true for JPEG 2000 videos if no other codec is requested, and no subtitles, which are
// drawn into decoded pictures.
bool goes_as_stored(const std::string& film, const FilmWish& wish) {
  if (wish.subtitles.is_explicit()) return false;
  if (wish.codec_given && !codecs::is_j2k(parse_codec_spec(wish.codec)->codec.id)) return false;
  return is_stored_film(film);
}

double frames_per_second(const FilmWish& wish) {
  return wish.fps && *wish.fps > 0 ? *wish.fps : kUsualFps;
}

MediaOptions media_options(const FilmWish& wish) {
  const codecs::CodecId codec = parse_codec_spec(wish.codec)->codec.id;
  return {.threads = wish.threads,
          .interrupted = wish.interrupted,
          .log = wish.log,
          .keep_alpha = codec == codecs::CodecId::kDxt5,
          .for_j2k = codecs::is_j2k(codec),
          .display = wish.display,
          .deinterlacing = wish.deinterlacing,
          .sequence_fps = frames_per_second(wish),
          .missing = wish.missing,
          .subtitles = wish.subtitles};
}

enum class Carrying : uint8_t { kNo, kIfPossible, kYes };

// A film that has subtitles for what is not in its language is decoded, to draw them.
Result<std::unique_ptr<Source>> open_either(
    const std::string& film, const MediaOptions& options,
    const std::function<void(const std::string&)>& explain) {
  std::string why;
  if (auto carried = open_carried_film(film, options)) {
    if (std::ranges::none_of((*carried)->info().subtitles, &SubtitleTrackFacts::forced)) {
      explain(without_passwords(film) + " is sent undecoded");
      return carried;
    }
    why = film + " has forced subtitles, which are drawn into decoded pictures";
  } else {
    why = carried.error().message;
  }
  auto decoded = open_decoded_film(film, options);
  if (decoded) explain(without_passwords(why) + "; it is decoded here");
  return decoded;
}

Result<std::unique_ptr<Source>> open_media(
    const std::string& film, const MediaOptions& options, bool patient,
    Carrying carrying = Carrying::kNo,
    const std::function<void(const std::string&)>& explain = {}) {
  const auto open = [film, options, carrying, explain] {
    if (carrying == Carrying::kIfPossible) return open_either(film, options, explain);
    return carrying == Carrying::kYes ? open_carried_film(film, options)
                                      : open_decoded_film(film, options);
  };
  return LiveSource::open(open,
                          {.name = film, .interrupted = options.interrupted, .log = options.log},
                          patient && (is_far(film) || is_capture_device(film)));
}

Result<std::unique_ptr<Source>> open_standard_input(const FilmWish& wish) {
  if (isatty(STDIN_FILENO) == 1) {
    return fail(ErrorCode::kIo, "standard input is a terminal: pipe a film into it");
  }
  if (wish.raw) {
    return std::unique_ptr<Source>(
        std::make_unique<RawSource>(STDIN_FILENO, *wish.raw, wish.interrupted));
  }
  return open_media(std::string(kStandardInput), media_options(wish), false);
}

}  // namespace

std::string film_title(const std::string& film) {
  if (film == kStandardInput) return "standard input";
  const size_t query = is_far(film) ? film.find_first_of("?#") : std::string::npos;
  const std::string path = without_passwords(film.substr(0, query));
  const std::string name = std::filesystem::path(path).filename().string();
  return name.empty() ? path : name;
}

namespace {

// Nothing can be drawn into the pictures, and none are made here.
Result<std::unique_ptr<Source>> open_undecoded(const std::string& film, const FilmWish& wish) {
  const auto refuse = [&](const char* what) {
    return fail(ErrorCode::kInvalidParams, film + " cannot be sent with --codec carried: " + what);
  };
  if (film == kStandardInput) return refuse("standard input is not supported");
  if (is_test_url(film)) return refuse("it is a test card");
  if (is_vmov_file(film)) return refuse("it is a .vmov film, which has its own codec");
  if (wish.subtitles.is_explicit()) return refuse("subtitles are drawn into decoded pictures");
  const MediaOptions options{.interrupted = wish.interrupted,
                             .log = wish.log,
                             .display = wish.display,
                             .deinterlacing = wish.deinterlacing};
  return open_media(film, options, wish.patient, Carrying::kYes);
}

}  // namespace

Result<std::unique_ptr<Source>> open_film(const std::string& film, const FilmWish& wish) {
  if (wish.codec == kCarried) return open_undecoded(film, wish);
  if (film == kStandardInput) return open_standard_input(wish);
  if (is_test_url(film)) {
    const auto picture = parse_test_url(film);
    if (!picture) return fail(ErrorCode::kInvalidParams, film + " is not test:[WxH[@FPS]]");
    return std::unique_ptr<Source>(std::make_unique<TestSource>(*picture));
  }
  if (is_vmov_file(film)) {
    auto movie = VmovSource::open(film);
    if (!movie) return std::move(movie.error());
    if (wish.subtitles.is_explicit() && wish.log != nullptr) {
      wish.log->warning(
          "{}: subtitles cannot be drawn into compressed pictures: use `vitrail "
          "convert --subtitles`",
          film);
    }
    return std::unique_ptr<Source>(std::move(*movie));
  }
  const MediaOptions options = media_options(wish);
  std::optional<Error> not_stored;
  if (goes_as_stored(film, wish)) {
    auto stored = open_stored_film(film, {.fps = options.sequence_fps,
                                          .missing = wish.missing,
                                          .display = wish.display,
                                          .interrupted = wish.interrupted,
                                          .log = wish.log});
    const codecs::CodecId codec = parse_codec_spec(wish.codec)->codec.id;
    if (stored && (!wish.codec_given || (*stored)->info().stored->id == codec)) {
      return stored;
    }
    // FFmpeg may read codestreams that receivers cannot decode, and colours are converted.
    if (!stored) not_stored = std::move(stored.error());
  }
  // A fallback has another codec than the source that it stands for.
  const bool may_carry = wish.may_carry && !wish.patient && !wish.subtitles.is_explicit();
  auto media = open_media(film, options, wish.patient,
                          may_carry ? Carrying::kIfPossible : Carrying::kNo, wish.explain);
  if (!media && not_stored) return *not_stored;
  return media;
}

}  // namespace sail
