#include "ui/client/value_texts.h"

#include <fmt/chrono.h>
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <ctime>
#include <iterator>
#include <string_view>

#include "sail/core/text/limits.h"
#include "sail/core/wire/playback.h"
#include "ui/client/answers.h"

namespace ui {
namespace {

// Replaces × (as `ls` prints sizes) and X by x.
std::string with_plain_cross(std::string text) {
  constexpr std::string_view kCross = "×";
  for (size_t at = text.find(kCross); at != std::string::npos; at = text.find(kCross)) {
    text.replace(at, kCross.size(), "x");
  }
  std::ranges::replace(text, 'X', 'x');
  return text;
}

template <typename Number>
std::optional<Number> read_number(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

std::optional<std::pair<int, int>> read_size(const std::string& text) {
  const std::string plain = with_plain_cross(text);
  const size_t cross = plain.find('x');
  const std::string width = plain.substr(0, cross);
  const std::string height = cross == std::string::npos ? "" : plain.substr(cross + 1);
  const auto side = [](const std::string& digits) {
    return digits.empty() ? std::optional(0) : read_number<int>(digits);
  };
  const auto first = side(width);
  const auto second = side(height);
  const auto fits = [](int pixels) { return pixels >= 0 && pixels <= sail::kMaxWindowSide; };
  if (!first || !second || !fits(*first) || !fits(*second) || *first + *second == 0) {
    return std::nullopt;
  }
  return std::pair(*first, *second);
}

std::optional<double> read_share(const std::string& text) {
  const bool percent = text.ends_with('%');
  const auto number = read_number<double>(std::string_view(text).substr(0, text.size() - percent));
  if (!number) return std::nullopt;
  const double share = percent ? *number / 100 : *number;
  return share >= 0 && share <= 1 ? std::optional(share) : std::nullopt;
}

std::optional<double> read_seconds(const std::string& text) {
  constexpr double kMinute = 60;
  constexpr double kLongest = 1e9;
  double seconds = 0;
  std::string_view rest = text;
  for (int parts = 0; parts < 3; ++parts) {
    const size_t colon = rest.find(':');
    const auto number = read_number<double>(rest.substr(0, colon));
    const bool last = colon == std::string_view::npos;
    const double most = parts > 0 ? kMinute : kLongest;
    if (!number || !(*number >= 0 && *number < most)) return std::nullopt;
    seconds = seconds * kMinute + *number;
    if (last) return seconds;
    rest.remove_prefix(colon + 1);
  }
  return std::nullopt;
}

bool read_rect(const std::string& written, sail::Json& rect) {
  const std::string text = with_plain_cross(written);
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
  int used = 0;
  if (std::sscanf(text.c_str(), "%d,%d,%dx%d%n", &x, &y, &width, &height, &used) != 4 ||
      used != static_cast<int>(text.size())) {
    return false;
  }
  const auto is_offset = [](int at) {
    return at >= -sail::kMaxWindowOffset && at <= sail::kMaxWindowOffset;
  };
  const auto is_side = [](int pixels) { return pixels >= 1 && pixels <= sail::kMaxWindowSide; };
  rect = {x, y, width, height};
  return is_offset(x) && is_offset(y) && is_side(width) && is_side(height);
}

bool read_point(const std::string& text, sail::Json& point) {
  int x = 0;
  int y = 0;
  int used = 0;
  if (std::sscanf(text.c_str(), "%d,%d%n", &x, &y, &used) != 2 ||
      used != static_cast<int>(text.size())) {
    return false;
  }
  point = {x, y};
  return true;
}

std::string duration_text(double seconds) {
  constexpr double kLongest = 1e9;
  const auto whole = static_cast<int64_t>(std::clamp(seconds, 0.0, kLongest));
  const int64_t minutes = whole / 60;
  if (minutes < 60) return fmt::format("{}:{:02}", minutes, whole % 60);
  return fmt::format("{}:{:02}:{:02}", minutes / 60, minutes % 60, whole % 60);
}

std::string bytes_text(double bytes) {
  constexpr const char* kUnits[] = {"B", "kB", "MB", "GB", "TB"};
  size_t unit = 0;
  for (; bytes >= 999.5 && unit + 1 < std::size(kUnits); ++unit) bytes /= 1000;
  return fmt::format("{:.{}f} {}", bytes, unit == 0 || bytes >= 99.5 ? 0 : 1, kUnits[unit]);
}

std::string progress_bar(double fraction, int width, bool color) {
  constexpr const char* kGreen = "\033[32m";
  constexpr const char* kPlain = "\033[0m";
  const int done = std::clamp(static_cast<int>(std::lround(fraction * width)), 0, width);
  std::string bar;
  for (int i = 0; i < width; ++i) {
    if (color) {
      bar += i < done ? "█" : "░";
    } else {
      bar += i < done ? '#' : '.';
    }
  }
  return color ? kGreen + bar + kPlain : bar;
}

std::string age_text(int64_t then_s, int64_t now_s) {
  constexpr int64_t kMinute = 60;
  constexpr int64_t kHour = 60 * kMinute;
  constexpr int64_t kDay = 24 * kHour;
  const int64_t age_s = now_s - then_s;
  if (then_s <= 0) return "–";
  if (age_s < kMinute) return "just now";
  if (age_s < kHour) return fmt::format("{} min ago", age_s / kMinute);
  if (age_s < kDay) return fmt::format("{} h ago", age_s / kHour);
  return fmt::format("{:%Y-%m-%d}", fmt::localtime(static_cast<std::time_t>(then_s)));
}

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
