#include "ui/console/value_texts.h"

#include <fmt/chrono.h>
#include <fmt/core.h>

#include <cstdio>
#include <ctime>

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
