#include "sail/core/command_line/start_time.h"

#include <fmt/core.h>
#include <time.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "sail/core/time/clock.h"

namespace sail {
namespace {

constexpr int64_t kDayNs = 86400 * kSecondNs;

std::optional<double> seconds_in(const std::string& text) {
  char* end = nullptr;
  const double seconds = std::strtod(text.c_str() + 1, &end);
  if (text.size() < 2 || *end != '\0' || !(std::abs(seconds) < 1e10)) return std::nullopt;
  return seconds;
}

// Parses a local time; fields not in the format are taken from `time`.
std::optional<int64_t> local_time(const std::string& text, const char* format, tm time) {
  const char* end = strptime(text.c_str(), format, &time);
  if (end == nullptr || *end != '\0') return std::nullopt;
  time.tm_isdst = -1;
  const time_t seconds = mktime(&time);
  if (seconds < 0) return std::nullopt;
  return int64_t{seconds} * kSecondNs;
}

std::optional<int64_t> read(const std::string& text, int64_t now_ns) {
  if (text.starts_with("+") || text.starts_with("@")) {
    const auto seconds = seconds_in(text);
    if (!seconds) return std::nullopt;
    return (text[0] == '+' ? now_ns : 0) + std::llround(*seconds * kSecondNs);
  }
  const time_t now = now_ns / kSecondNs;
  tm today{};
  localtime_r(&now, &today);
  today.tm_sec = 0;
  for (const char* format : {"%H:%M:%S", "%H:%M"}) {
    auto time_ns = local_time(text, format, today);
    if (!time_ns) continue;
    if (*time_ns + kSecondNs > now_ns) return time_ns;
    ++today.tm_mday;
    return local_time(text, format, today);
  }
  for (const char* format : {"%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M"}) {
    if (const auto time_ns = local_time(text, format, tm{})) return time_ns;
  }
  return std::nullopt;
}

}  // namespace

int64_t calendar_now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

Result<int64_t> parse_start_time(const std::string& text, int64_t now_ns) {
  const auto time_ns = read(text, now_ns);
  if (!time_ns) {
    return fail(ErrorCode::kInvalidParams,
                fmt::format("\"{}\" is not a time: use +SECONDS, HH:MM[:SS], YYYY-MM-DDTHH:MM[:SS] "
                            "or @SECONDS since 1970",
                            text));
  }
  if (*time_ns > now_ns + 366 * kDayNs || *time_ns < now_ns - kDayNs) {
    return fail(ErrorCode::kInvalidParams,
                fmt::format("\"{}\" is more than a year ahead or a day ago", text));
  }
  return *time_ns;
}

}  // namespace sail
