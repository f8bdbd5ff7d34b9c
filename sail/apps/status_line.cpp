#include "sail/apps/status_line.h"

#include <fmt/format.h>

#include "sail/media/film_time.h"

namespace sail {

std::string format_status(const PlayStatus& status) {
  std::string line = format_time(status.position_ns);
  if (status.duration_ns > 0) line += " / " + format_time(status.duration_ns);
  line += fmt::format("  {:.1f} fps  {} dropped", status.fps_shown, status.dropped);
  if (status.rate != 1) line += fmt::format("  rate {:g}", status.rate);
  if (status.paused) line += "  paused";
  return line;
}

}  // namespace sail
