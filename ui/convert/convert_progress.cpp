#include "ui/convert/convert_progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "sail/core/base/environment.h"
#include "sail/media/source/film_time.h"
#include "ui/client/value_texts.h"

namespace ui {
namespace {

constexpr std::chrono::milliseconds kDrawEvery(200);
constexpr std::chrono::seconds kLineEvery(5);

// Formats seconds as "1:02:03" or "0:09".
std::string whole_seconds(double seconds) {
  constexpr double kLongest = 1e8;
  const auto rounded = static_cast<int64_t>(std::lround(std::min(seconds, kLongest)));
  std::string text = sail::format_time(rounded * 1'000'000'000);
  text.resize(text.size() - 2);  // removes the tenths
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
