// Times and rates of films. Pure.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>

namespace sail {

// Frames per second as a fraction; 0/0: unknown.
struct FrameRate {
  uint32_t numerator = 0;
  uint32_t denominator = 0;

  bool operator==(const FrameRate&) const = default;
};

// 0: unknown.
constexpr double frames_a_second(const FrameRate& rate) {
  return rate.denominator == 0 ? 0 : static_cast<double>(rate.numerator) / rate.denominator;
}

// A part of a film.
struct ClipRange {
  int64_t from_ns = 0;
  std::optional<int64_t> to_ns;  // exclusive; empty: to the end
};

// The default rate of image sequences.
constexpr double kUsualFps = 25;
// The default duration of a picture.
constexpr int64_t kUsualDurationNs = 40'000'000;

// "1:02:03.4", "2:03.4", "0:03.4".
inline std::string format_time(int64_t time_ns) {
  const int64_t tenths = (time_ns < 0 ? 0 : time_ns) / 100'000'000;
  const int64_t seconds = tenths / 10;
  const int64_t minutes = seconds / 60;
  if (minutes < 60) return fmt::format("{}:{:02}.{}", minutes, seconds % 60, tenths % 10);
  return fmt::format("{}:{:02}:{:02}.{}", minutes / 60, minutes % 60, seconds % 60, tenths % 10);
}

}  // namespace sail
