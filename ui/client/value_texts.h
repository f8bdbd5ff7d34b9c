// Converts between values as users write them and the JSON of the verbs. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sail/core/base/result.h"
#include "sail/core/text/json.h"

namespace ui {

// "X,Y,WIDTHxHEIGHT" to [x, y, width, height]. Returns false for other text, and for sides and
// places that no window can have.
constexpr const char* kRectForm =
    "X,Y,WIDTHxHEIGHT, with X and Y from -1000000 to 1000000 and sides from 1 to 65536";
bool read_rect(const std::string& text, sail::Json& rect);
// "X,Y" to [x, y]. Returns false for other text.
bool read_point(const std::string& text, sail::Json& point);
// "1920x1080" or "1920×1080"; in "1920" and "x1080" the other side is 0. Empty optional: not
// the size of a window.
std::optional<std::pair<int, int>> read_size(const std::string& text);
// A share such as "0.5" or "50%". Empty optional: not a number from 0 to 1.
std::optional<double> read_share(const std::string& text);
// Seconds: "90", "1.5", "1:30" or "1:02:03". Empty optional: not a time.
std::optional<double> read_seconds(const std::string& text);
// "0:42", "1:02:03".
std::string duration_text(double seconds);
// "812 B", "4.2 MB", with decimal units as `ls --si`.
std::string bytes_text(double bytes);
// "██████░░░░", or "######...." without colour.
std::string progress_bar(double fraction, int width, bool color);
constexpr int kBarWidth = 24;
// Age of a time; both are seconds since 1970: "just now", "5 min ago", "2026-03-01".
std::string age_text(int64_t then_s, int64_t now_s);

// A place in a film.
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
