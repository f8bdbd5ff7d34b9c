#include "sail/media/source/film_time.h"

#include <fmt/format.h>

namespace sail {

std::string format_time(int64_t time_ns) {
  const int64_t tenths = (time_ns < 0 ? 0 : time_ns) / 100'000'000;
  const int64_t seconds = tenths / 10;
  const int64_t minutes = seconds / 60;
  if (minutes < 60) return fmt::format("{}:{:02}.{}", minutes, seconds % 60, tenths % 10);
  return fmt::format("{}:{:02}:{:02}.{}", minutes / 60, minutes % 60, seconds % 60, tenths % 10);
}

}  // namespace sail
