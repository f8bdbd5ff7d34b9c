// The windows of scripts/bench page: many still windows, and above them a film that the page moves.
// Prints a line of JSON when all are open, then one for each place at which the tiles have shown
// the film. Runs until killed.
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "sail/core/command_line/command_line.h"
#include "sail/core/time/clock.h"
#include "sail/sail.hpp"
#include "tests/bench/ui/still_windows.h"

namespace {

constexpr int64_t kFrameNs = 1'000'000'000 / 60;
constexpr sail::Size kPicture{320, 180};

void tell(const std::string& line) {
  fmt::print("{}\n", line);
  std::fflush(stdout);
}

// Single-threaded. The session must outlive it.
class Film {
 public:
  Film(sail::Session& session, sail::Stream stream)
      : session_(session),
        stream_(std::move(stream)),
        pixels_(static_cast<size_t>(kPicture.width) * kPicture.height * 4) {
    stream_.watch_frames();
  }
  // Plays until the window is closed.
  void play();

 private:
  // A place of the window, and the first frame submitted after the application learned of it.
  struct Place {
    int x = 0;
    uint64_t frame = 0;  // 0: none yet
  };
  void submit();
  void attend(int64_t until_ns);
  void take_shown(const sail_event& event);

  sail::Session& session_;
  sail::Stream stream_;
  std::vector<uint8_t> pixels_;
  std::vector<Place> places_;  // not shown yet, oldest first
  bool open_ = true;
};

void Film::play() {
  for (int64_t due_ns = sail::steady_now_ns(); open_; due_ns += kFrameNs) {
    attend(due_ns);
    submit();
  }
}

void Film::submit() {
  std::fill(pixels_.begin(), pixels_.end(), static_cast<uint8_t>(pixels_[0] + 1));
  sail_frame frame{};
  frame.format = SAIL_BGRA;
  frame.planes[0] = pixels_.data();
  frame.strides[0] = ptrdiff_t{kPicture.width} * 4;
  uint64_t number = 0;
  if (stream_.submit(frame, &number) != SAIL_OK) return;
  if (!places_.empty() && places_.back().frame == 0) places_.back().frame = number;
}

void Film::attend(int64_t until_ns) {
  for (;;) {
    const int64_t left_ms = (until_ns - sail::steady_now_ns()) / 1'000'000;
    const auto event = session_.poll(static_cast<int>(std::max<int64_t>(left_ms, 0)));
    if (!event && left_ms <= 0) return;
    if (!event) continue;
    if (event->type == SAIL_EVENT_CLOSE) open_ = false;
    if (!open_) return;
    if (event->type == SAIL_EVENT_RESIZE) {
      // A place without a frame is never shown.
      if (!places_.empty() && places_.back().frame == 0) places_.pop_back();
      places_.push_back({.x = event->rect.x});
    }
    if (event->type == SAIL_EVENT_FRAME && event->frame.shown != 0) take_shown(*event);
  }
}

// Reports the newest place whose frame is shown, and drops older places.
void Film::take_shown(const sail_event& event) {
  const auto later = std::find_if(places_.begin(), places_.end(), [&event](const Place& place) {
    return place.frame == 0 || place.frame > event.frame.number;
  });
  if (later == places_.begin()) return;
  tell(fmt::format(R"({{"x":{},"swapped_ns":{}}})", std::prev(later)->x,
                   event.frame.last_swapped_ns));
  places_.erase(places_.begin(), later);
}

int run(const std::string& manager, size_t windows, sail::Size wall) {
  auto stills = bench::StillWindows::open(manager, windows - 1, wall);
  if (!stills) {
    fmt::print(stderr, "page_windows: {}\n", stills.error().message);
    return 1;
  }
  sail_session_options session_options{};
  session_options.name = "film";
  session_options.manager = manager.c_str();
  session_options.quiet = 1;
  std::string error;
  sail::Session session(session_options, &error);
  sail_stream_options options{};
  options.title = "moved film";
  options.width = kPicture.width;
  options.height = kPicture.height;
  options.codec = "dxt1:fast";
  options.place = {0, 0, kPicture.width, kPicture.height};
  sail::Stream stream = session ? session.open(options, &error) : sail::Stream();
  if (!stream) {
    fmt::print(stderr, "page_windows: {}\n", error);
    return 1;
  }
  tell(fmt::format(R"({{"window":{}}})", stream.id()));
  Film(session, std::move(stream)).play();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  sail::CommandLine line("page_windows", "The windows of scripts/bench page.");
  std::string manager;
  size_t windows = 50;
  sail::Size wall;
  line.option("--manager", manager, "HOST:PORT").required();
  line.option("--windows", windows).between(1, 2000).shows_default();
  line.option("--width", wall.width, "Of the wall, pixels").required();
  line.option("--height", wall.height, "Of the wall, pixels").required();
  if (const auto answer = line.read(argc, argv)) return answer->say();
  return run(manager, windows, wall);
}
