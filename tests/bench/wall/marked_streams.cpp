// The windows of scripts/bench scale: many small windows over the whole wall, of one application.
// The first ones are streams, the others still pictures. Runs until killed.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "sail/core/base/environment.h"
#include "sail/core/base/geometry.h"
#include "sail/core/command_line/command_line.h"
#include "sail/core/time/clock.h"
#include "sail/sail.hpp"
#include "tests/bench/wall/marked_picture.h"

namespace {

constexpr sail::Size kPicture{160, 96};
constexpr double kOverlap = 1.2;  // size of a window relative to its cell

struct Options {
  std::string manager;
  int streams = 1;
  int windows = 1;
  double fps = 5;
  int width = 1920;
  int height = 1080;
};

// Single-threaded.
class Streams {
 public:
  // Opens all streams with a first picture. Returns an empty text, or an error message.
  std::string open(const Options& options) {
    sail_session_options session{};
    session.name = "scale";
    session.manager = options.manager.c_str();
    session.encode_threads = -1;
    std::string error;
    session_ = std::make_unique<sail::Session>(session, &error);
    if (!*session_) return error;
    const int columns = static_cast<int>(std::ceil(std::sqrt(options.windows)));
    const int rows = (options.windows + columns - 1) / columns;
    const sail::Size cell{options.width / columns, options.height / rows};
    for (int i = 0; i < options.windows; ++i) {
      sail_stream_options stream{};
      const std::string title = std::to_string(i + 1);
      stream.title = title.c_str();
      stream.width = kPicture.width;
      stream.height = kPicture.height;
      stream.codec = "dxt1:fast";
      stream.place = {i % columns * cell.width, i / columns * cell.height,
                      std::max(16, static_cast<int>(cell.width * kOverlap)),
                      std::max(16, static_cast<int>(cell.height * kOverlap))};
      streams_.push_back({session_->open(stream, &error), 0});
      if (!streams_.back().stream) return error;
      show(streams_.size() - 1);
    }
    return {};
  }

  // Submits frames in turn, at this rate for each stream.
  void play(int streams, double fps) {
    const auto pause_ns = static_cast<int64_t>(1e9 / (fps * streams));
    size_t next = 0;
    for (int64_t due_ns = sail::steady_now_ns();; due_ns += pause_ns) {
      attend(due_ns);
      ++streams_[next].frame;
      show(next);
      next = (next + 1) % static_cast<size_t>(streams);
    }
  }

 private:
  struct Marked {
    sail::Stream stream;
    uint32_t frame;
  };

  void show(size_t index) {
    const uint32_t colour =
        bench::marked_colour({static_cast<uint32_t>(index + 1), streams_[index].frame});
    std::fill(pixels_.begin(), pixels_.end(), colour);
    sail_frame frame{};
    frame.format = SAIL_BGRA;
    frame.planes[0] = reinterpret_cast<const uint8_t*>(pixels_.data());
    frame.strides[0] = ptrdiff_t{kPicture.width} * 4;
    streams_[index].stream.submit(frame);
  }

  // Handles events until this time: submits pictures again on request.
  void attend(int64_t until_ns) {
    for (;;) {
      const int64_t left_ms = std::max<int64_t>((until_ns - sail::steady_now_ns()) / 1'000'000, 0);
      const auto event = session_->poll(static_cast<int>(left_ms));
      if (!event && left_ms == 0) return;
      if (!event || event->type != SAIL_EVENT_REFRESH) continue;
      const auto wanted = std::find_if(streams_.begin(), streams_.end(), [&](const auto& one) {
        return one.stream.get() == event->stream;
      });
      if (wanted != streams_.end()) show(static_cast<size_t>(wanted - streams_.begin()));
    }
  }

  std::unique_ptr<sail::Session> session_;
  std::vector<Marked> streams_;
  std::vector<uint32_t> pixels_ =
      std::vector<uint32_t>(static_cast<size_t>(kPicture.width) * kPicture.height);
};

}  // namespace

int main(int argc, char** argv) {
  sail::CommandLine line("marked_streams", "The windows of scripts/bench scale.");
  Options options;
  line.option("--manager", options.manager).required();
  line.option("--streams", options.streams).between(1, static_cast<int>(bench::kMostMarked));
  line.option("--windows", options.windows, "The streams, too")
      .between(1, static_cast<int>(bench::kMostMarked));
  line.option("--fps", options.fps, "Of each stream").between(0.01, 1000.0).shows_default();
  line.option("--width", options.width, "Of the wall");
  line.option("--height", options.height);
  if (const auto answer = line.read(argc, argv)) return answer->say();
  options.windows = std::max(options.windows, options.streams);
  sail::raise_descriptor_limit();
  Streams streams;
  if (const std::string error = streams.open(options); !error.empty()) {
    fmt::print(stderr, "marked_streams: {}\n", error);
    return 1;
  }
  streams.play(options.streams, options.fps);
}
