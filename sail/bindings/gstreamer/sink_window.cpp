#include "sail/bindings/gstreamer/sink_window.h"

#include <algorithm>
#include <utility>

namespace sail {
namespace {

constexpr int kListenMs = 50;

const char* or_null(const std::string& text) {
  return text.empty() ? nullptr : text.c_str();
}

}  // namespace

std::unique_ptr<SinkWindow> SinkWindow::connect(SinkWishes wishes, SinkEars ears,
                                                std::string* error) {
  sail_session_options options{};
  options.name = "vitrailsink";
  options.manager = or_null(wishes.manager);
  options.quiet = 1;
  Session session(options, error);
  if (!session) return nullptr;
  return std::unique_ptr<SinkWindow>(
      new SinkWindow(std::move(wishes), std::move(ears), std::move(session)));
}

SinkWindow::SinkWindow(SinkWishes wishes, SinkEars ears, Session session)
    : wishes_(std::move(wishes)), ears_(std::move(ears)), session_(std::move(session)) {
  listener_ = std::thread([this] { listen(); });
}

SinkWindow::~SinkWindow() {
  ending_ = true;
  listener_.join();
}

bool SinkWindow::open(int32_t width, int32_t height, double fps, std::string* error) {
  sail_stream_options options{};
  options.title = wishes_.title.c_str();
  options.width = width;
  options.height = height;
  options.codec = or_null(wishes_.codec);
  options.transport = or_null(wishes_.transport);
  options.delay_ms = wishes_.delay_ms;
  options.fps = fps;
  options.takes_input = 1;
  const std::lock_guard lock(mutex_);
  if (wishes_.place && !stream_) options.place = *wishes_.place;
  former_.close();
  options.replaces = stream_.get();
  Stream stream = session_.open(options, error);
  if (!stream) return false;
  former_ = std::exchange(stream_, std::move(stream));
  sail_playback playback{};
  playback.live = 1;
  stream_.set_playback(playback);
  return true;
}

bool SinkWindow::show(const sail_frame& frame) {
  const std::lock_guard lock(mutex_);
  if (stream_.submit(frame) < 0) return false;
  former_.close();
  return true;
}

bool SinkWindow::play(sail_audio audio, int64_t in_ns) {
  constexpr int64_t kNsPerMs = 1'000'000;
  constexpr int64_t kFarthestNs = 1'000'000'000;
  const std::lock_guard lock(mutex_);
  if (!stream_) return true;
  // Video is submitted delay_ms early. A time far ahead belongs to another time base: that sound
  // could never be played.
  in_ns -= wishes_.delay_ms * kNsPerMs;
  if (in_ns > kFarthestNs) return true;
  audio.at_ns = std::max<int64_t>(session_.wall_time() + in_ns, 0);
  return stream_.submit(audio) >= 0;
}

void SinkWindow::listen() {
  while (!ending_) {
    const auto event = session_.poll(kListenMs);
    if (!event) continue;
    {
      const std::lock_guard lock(mutex_);
      if (event->stream != stream_.get()) continue;
    }
    if (event->type == SAIL_EVENT_CLOSE) ears_.closed();
    if (event->type == SAIL_EVENT_REFRESH) ears_.refresh();
    if (event->type == SAIL_EVENT_INPUT) ears_.input(event->input);
  }
}

}  // namespace sail
