#include "ui/console/value_texts.h"

#include <fmt/chrono.h>
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <iterator>

namespace ui {

bool read_rect(const std::string& text, sail::Json& rect) {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
  int used = 0;
  if (std::sscanf(text.c_str(), "%d,%d,%dx%d%n", &x, &y, &width, &height, &used) != 4 ||
      used != static_cast<int>(text.size())) {
    return false;
  }
  rect = {x, y, width, height};
  return true;
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

}  // namespace ui
