#include "ui/client/film_place.h"

#include <fmt/core.h>

#include <algorithm>

#include "sail/core/wire/playback.h"
#include "ui/client/answers.h"
#include "ui/client/value_texts.h"

namespace ui {
namespace {

double real_member(const sail::Json& object, const char* name, double missing) {
  const sail::Json value = member(object, name);
  return value.is_number() ? value.get<double>() : missing;
}

sail::Playback playback_of(const sail::Json& playback) {
  return {.position_s = real_member(playback, "position_s", 0),
          .at_ns = number_member(playback, "at_ns"),
          .duration_s = real_member(playback, "duration_s", 0),
          .paused = true_member(playback, "paused"),
          .rate = real_member(playback, "rate", 1),
          .loop = true_member(playback, "loop"),
          .ended = true_member(playback, "ended")};
}

sail::Error unknown(const sail::Json& window, const char* what) {
  return {sail::ErrorCode::kConflict,
          fmt::format("window {} reports no {}: give the time from the start",
                      number_member(window, "window"), what)};
}

}  // namespace

std::optional<FilmPlace> read_film_place(const std::string& text) {
  using From = FilmPlace::From;
  if (text.ends_with('%')) {
    const auto share = read_share(text);
    return share ? std::optional(FilmPlace{From::kShare, *share}) : std::nullopt;
  }
  const bool forward = text.starts_with('+');
  const bool back = text.starts_with('-');
  const auto seconds = read_seconds(forward || back ? text.substr(1) : text);
  if (!seconds) return std::nullopt;
  return FilmPlace{forward || back ? From::kNow : From::kStart, back ? -*seconds : *seconds};
}

sail::Result<double> seconds_of(const FilmPlace& place, const sail::Json& window,
                                int64_t wall_now_ns) {
  if (place.from == FilmPlace::From::kStart) return place.value;
  const sail::Json reported = member(window, "playback");
  const sail::Playback playback = playback_of(reported);
  const double duration_s = playback.duration_s;
  if (place.from == FilmPlace::From::kShare) {
    if (duration_s <= 0) return unknown(window, "film length");
    return place.value * duration_s;
  }
  if (reported.empty()) return unknown(window, "film position");
  const double wanted_s =
      std::max(position_at(playback, std::max(wall_now_ns, playback.at_ns)) + place.value, 0.0);
  return duration_s > 0 ? std::min(wanted_s, duration_s) : wanted_s;
}

}  // namespace ui
