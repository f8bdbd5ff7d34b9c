#include "sail/apps/status_line.h"

#include <fmt/format.h>

namespace sail {

std::string format_time(int64_t time_ns) {
  const int64_t tenths = (time_ns < 0 ? 0 : time_ns) / 100'000'000;
  const int64_t seconds = tenths / 10;
  const int64_t minutes = seconds / 60;
  if (minutes < 60) return fmt::format("{}:{:02}.{}", minutes, seconds % 60, tenths % 10);
  return fmt::format("{}:{:02}:{:02}.{}", minutes / 60, minutes % 60, seconds % 60, tenths % 10);
}

std::string format_status(const PlayStatus& status) {
  std::string line = format_time(status.position_ns);
  if (status.duration_ns > 0) line += " / " + format_time(status.duration_ns);
  line += fmt::format("  {:.1f} fps  {} dropped", status.fps_shown, status.dropped);
  if (status.rate != 1) line += fmt::format("  rate {:g}", status.rate);
  if (status.paused) line += "  paused";
  return line;
}

}  // namespace sail
