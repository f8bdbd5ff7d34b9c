// Places in a film as users write them. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sail/core/base/result.h"
#include "sail/core/text/json.h"

namespace ui {

struct FilmPlace {
  enum class From : uint8_t {
    kStart,  // seconds from the start
    kNow,    // seconds from where the film is
    kShare,  // share of the film, 0 to 1
  };
  From from = From::kStart;
  double value = 0;
};

constexpr const char* kFilmPlaceForms = "seconds, 1:30 or 1:02:03, +5 or -1:30 from here, or 50%";

// Empty optional: not a place.
std::optional<FilmPlace> read_film_place(const std::string& text);

// Seconds from the start of the film that the window of "list" plays. Steps end at the film's ends.
sail::Result<double> seconds_of(const FilmPlace& place, const sail::Json& window,
                                int64_t wall_now_ns);

}  // namespace ui
