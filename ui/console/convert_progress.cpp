#include "ui/console/convert_progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string_view>
#include <utility>

#include "sail/base/environment.h"
#include "sail/media/film_time.h"

namespace ui {
namespace {

constexpr std::chrono::milliseconds kDrawEvery(200);
constexpr std::chrono::seconds kLineEvery(5);
constexpr const char* kGreen = "\033[32m";
constexpr const char* kPlain = "\033[0m";

// "1:02:03", "0:09".
std::string whole_seconds(double seconds) {
  constexpr double kLongest = 1e8;
  const auto rounded = static_cast<int64_t>(std::lround(std::min(seconds, kLongest)));
  std::string text = sail::format_time(rounded * 1'000'000'000);
  text.resize(text.size() - 2);  // tenths
  return text;
}

double fraction_done(const sail::ConvertProgress& progress) {
  return static_cast<double>(progress.frames) / static_cast<double>(progress.expected);
}

}  // namespace

std::string progress_text(const sail::ConvertProgress& progress, double seconds) {
  const auto fresh = static_cast<double>(progress.frames - progress.kept);
  const double fps = seconds > 0 ? fresh / seconds : 0;
  if (progress.expected == 0) return fmt::format("{} frames  {:.1f} fps", progress.frames, fps);
  std::string text = fmt::format("{}/{} frames  {:.0f}%  {:.1f} fps", progress.frames,
                                 progress.expected, 100 * fraction_done(progress), fps);
  if (fps > 0) {
    const auto left = static_cast<double>(progress.expected - progress.frames);
    text += "  ETA " + whole_seconds(left / fps);
  }
  return text;
}

std::string progress_bar(double fraction, int width, bool color) {
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

std::string bytes_text(uint64_t bytes) {
  constexpr std::string_view kUnits[] = {"kB", "MB", "GB", "TB"};
  double value = static_cast<double>(bytes) / 1e3;
  size_t unit = 0;
  for (; value >= 1000 && unit + 1 < std::size(kUnits); ++unit) value /= 1e3;
  return fmt::format("{:.1f} {}", value, kUnits[unit]);
}

ConvertProgressDisplay::ConvertProgressDisplay(bool quiet)
    : quiet_(quiet),
      in_place_(sail::takes_control_codes()),
      color_(sail::environment("NO_COLOR").empty()) {}

double ConvertProgressDisplay::seconds() const {
  return std::chrono::duration<double>(Clock::now() - began_).count();
}

void ConvertProgressDisplay::update(const sail::ConvertProgress& progress) {
  const Clock::time_point now = Clock::now();
  const Clock::duration every = in_place_ ? Clock::duration(kDrawEvery) : kLineEvery;
  if (quiet_ || now - drawn_at_ < every) return;
  drawn_at_ = now;
  std::string line = progress_text(progress, seconds());
  if (!in_place_) {
    fmt::print(stderr, "{}\n", line);
    return;
  }
  if (progress.expected > 0) {
    line = progress_bar(fraction_done(progress), kBarWidth, color_) + "  " + line;
  }
  fmt::print(stderr, "\r{}\033[K", line);
  std::fflush(stderr);
  drawn_ = true;
}

void ConvertProgressDisplay::clear() {
  if (std::exchange(drawn_, false)) fmt::print(stderr, "\r\033[K");
}

}  // namespace ui
