#include "ui/bridge/far_wall.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

#include "sail/core/text/limits.h"
#include "sail/core/time/clock.h"
#include "sail/core/wire/data/codec_name.h"

namespace ui {
namespace {

// Events of the far wall are read at least this often: about as often as pointers are drawn.
constexpr std::chrono::milliseconds kEventsEvery{20};
constexpr int64_t kOpenAgainNs = 2'000'000'000;
// A stream that opens before it is known whether the window takes input must be opened again.
constexpr int64_t kWaitForControlsNs = 1'000'000'000;

// Why the window is not passed on; null: it is.
const char* why_not(const sail::SceneWindow& window) {
  if (is_bridged(window.source->owner)) return "is itself shown by a bridge";
  return window.part ? "is of a parallel application" : nullptr;
}

}  // namespace

bool is_bridged(const std::string& owner) {
  return owner.starts_with(kBridgeProgram);
}

bool log_session_event(const sail_event& event, const std::string& at, const sail::Log& log) {
  switch (event.type) {
    case SAIL_EVENT_DISCONNECTED:
      log.warning("lost the far wall at {}; reconnecting", at);
      return true;
    case SAIL_EVENT_CONNECTED:
      log.info("reconnected to the far wall at {}", at);
      return true;
    case SAIL_EVENT_RECEIVER:
      log.write(
          event.receiver.reachable != 0 ? sail::LogLevel::kInfo : sail::LogLevel::kWarning,
          fmt::format("far wall: receiver '{}' {}", event.receiver.name, event.receiver.text));
      return true;
    default:
      return false;
  }
}

BridgeCounts& BridgeCounts::operator+=(const BridgeCounts& more) {
  received += more.received;
  sent += more.sent;
  dropped += more.dropped;
  timed += more.timed;
  way_ns += more.way_ns;
  return *this;
}

FarWall::FarWall(sail::Session session, Options options, const sail::Log& log)
    : session_(std::move(session)), options_(std::move(options)), log_(log) {}

// --- the near wall ------------------------------------------------------------------------------

void FarWall::follow(const sail::Scene& scene) {
  const std::lock_guard lock(mutex_);
  numbers_.clear();
  const std::vector<uint32_t> left_out = std::exchange(left_out_, {});
  for (auto& [number, window] : windows_) window.gone = true;
  for (const sail::SceneWindow& window : scene.windows) {
    if (!window.source) {
      say_too_old();
    } else if (is_chosen(window.source->window)) {
      const char* why = why_not(window);
      why == nullptr ? add(window) : leave_out(*window.source, why, left_out);
    }
  }
  news_ = true;
  changed_.notify_one();
}

bool FarWall::is_chosen(uint32_t number) const {
  const std::vector<uint32_t>& chosen = options_.windows;
  return chosen.empty() || std::ranges::find(chosen, number) != chosen.end();
}

void FarWall::leave_out(const sail::WindowSource& source, const char* why,
                        const std::vector<uint32_t>& before) {
  const auto knows = [&](const std::vector<uint32_t>& list) {
    return std::ranges::find(list, source.window) != list.end();
  };
  if (!knows(before) && !knows(left_out_)) {
    log_.info("window {} '{}' {}: it is not passed on", source.window, source.title, why);
  }
  if (!knows(left_out_)) left_out_.push_back(source.window);
}

void FarWall::say_too_old() {
  if (std::exchange(said_too_old_, true)) return;
  log_.error("the manager of this wall is too old for bridges: update it");
}

void FarWall::add(const sail::SceneWindow& window) {
  const sail::WindowSource& source = *window.source;
  const auto [at, is_new] = windows_.try_emplace(source.window);
  Window& known = at->second;
  if (is_new) known.added_ns = sail::steady_now_ns();
  known.title = source.title;
  known.max_reduction = source.max_reduction;
  known.place = {window.wall_rect, window.look, window.frame_size};
  known.gone = false;
  numbers_.emplace(window.window, source.window);
}

void FarWall::follow(uint32_t window, const NearWindow& near) {
  const std::lock_guard lock(mutex_);
  if (!near_.contains(window) && near_.size() >= sail::kMaxWindows) return;
  near_[window] = near;
  const auto known = windows_.find(window);
  if (known != windows_.end()) report_playback(window, known->second);
  news_ = true;
  changed_.notify_one();
}

void FarWall::forget(uint32_t window) {
  const std::lock_guard lock(mutex_);
  near_.erase(window);
}

const NearWindow& FarWall::near_window(uint32_t number) const {
  static const NearWindow kUnknown;
  const auto near = near_.find(number);
  return near == near_.end() ? kUnknown : near->second;
}

// The far wall's loudspeakers have a volume of their own.
void FarWall::report_playback(uint32_t number, Window& window) {
  const NearWindow& near = near_window(number);
  if (!near.playback || !window.far) return;
  const sail::Playback& playback = *near.playback;
  const int64_t at_ns = session_.wall_time() + playback.at_ns - sail::steady_now_ns();
  (void)window.far.set_playback({.position_s = playback.position_s,
                                 .at_ns = std::max<int64_t>(at_ns, 0),
                                 .duration_s = playback.duration_s,
                                 .rate = playback.rate,
                                 .volume = 0,
                                 .paused = playback.ended    ? SAIL_AT_END
                                           : playback.paused ? 1
                                                             : 0,
                                 .loop = playback.loop ? 1 : 0,
                                 .has_sound = 0,
                                 .live = playback.live || !near.may_control ? 1 : 0,
                                 .page = playback.page,
                                 .pages = playback.pages,
                                 .silent_since_s = playback.silent_since_s,
                                 .fallback = playback.fallback ? 1 : 0,
                                 .jumped_s = playback.jumped_s});
}

void FarWall::pass(const receiver::Frame& frame, int64_t submitted_ns) {
  const std::lock_guard lock(mutex_);
  Window* known = window_of(frame.stream());
  if (known == nullptr || known->closed) return;
  Window& window = *known;
  const HeldFrame::Taken taken = window.held.take(frame);
  if (taken == HeldFrame::Taken::kRepeated) return;
  ++window.counts.received;
  if (std::exchange(window.waits, false)) ++window.counts.dropped;
  if (taken == HeldFrame::Taken::kUnusable) {
    ++window.counts.dropped;
    return;
  }
  if (window.far && window.far_shape == window.held.shape()) {
    const FrameTimes times{.submitted_ns = frame.submitted_ns(), .steady_ns = submitted_ns};
    const sail_encoded_frame last = window.held.last();
    if (!window.waiting.add(last, times, sail::steady_now_ns())) submit(window, last, times);
    return;
  }
  window.waits = true;
  news_ = true;
  changed_.notify_one();
}

void FarWall::pass(uint32_t stream, const sail::Sound& sound) {
  const std::lock_guard lock(mutex_);
  Window* window = window_of(stream);
  if (window == nullptr || !window->far) return;
  samples_.resize(sound.samples.size() / sizeof(int16_t));
  if (!samples_.empty()) {
    std::memcpy(samples_.data(), sound.samples.data(), sound.samples.size());
  }
  // The sound belongs to the picture that the bridge gets at `arrives_ns`. libsail adds the time
  // that the far wall needs for its pictures.
  const int64_t arrives_ns = sound.at_ns - window->wait_ns;
  const int64_t from_now_ns = arrives_ns - sail::steady_now_ns();
  (void)window->far.submit({.format = SAIL_S16,
                            .samples = samples_.data(),
                            .count = sound.count(),
                            .rate = static_cast<int32_t>(sound.rate),
                            .channels = sound.channels,
                            .at_ns = std::max<int64_t>(session_.wall_time() + from_now_ns, 0),
                            .with_picture = 1,
                            .restart = sound.restart ? 1 : 0});
}

void FarWall::shown(const receiver::Frame& frame, int64_t at_ns) {
  constexpr int64_t kMeanOf = 16;  // frames
  const std::lock_guard lock(mutex_);
  Window* window = window_of(frame.stream());
  if (window == nullptr) return;
  // Negative if the way to the bridge is longer than the near wall's delay. The sound waits, then.
  const int64_t waited_ns =
      std::max<int64_t>(at_ns - frame.assembled_ns(), -sail::kMillisecondNs * sail::kMaxDelayMs);
  window->wait_ns += (waited_ns - window->wait_ns) / kMeanOf;
}

int64_t FarWall::pass_waiting() {
  const std::lock_guard lock(mutex_);
  int64_t next_ns = WaitingFrames::kNever;
  for (auto& [number, window] : windows_) next_ns = std::min(next_ns, pass_waiting(window));
  return next_ns;
}

int64_t FarWall::pass_waiting(Window& window) {
  if (!window.far) drop_waiting(window);
  if (const auto* waiting = window.waiting.take(sail::steady_now_ns())) {
    submit(window, waiting->frame, waiting->times);
  }
  return window.waiting.next_ns();
}

void FarWall::drop_waiting(Window& window) {
  window.counts.dropped += window.waiting.clear();
}

void FarWall::submit(Window& window, const sail_encoded_frame& frame, const FrameTimes& times) {
  if (times.steady_ns != 0) {
    ++window.counts.timed;
    window.counts.way_ns += sail::steady_now_ns() - times.steady_ns;
  }
  ++(window.far.submit(frame) == SAIL_OK ? window.counts.sent : window.counts.dropped);
}

// --- the far wall -------------------------------------------------------------------------------

void FarWall::end() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  changed_.notify_one();
}

void FarWall::run() {
  for (;;) {
    while (const auto event = session_.poll()) take(*event);
    take_ended().clear();
    open_streams();
    std::unique_lock lock(mutex_);
    if (!options_.windows.empty() && all_are_closed()) return;
    changed_.wait_for(lock, kEventsEvery, [this] { return news_ || ended_; });
    news_ = false;
    if (ended_) return;
  }
}

bool FarWall::all_are_closed() const {
  return std::ranges::all_of(options_.windows, [this](uint32_t number) {
    const auto window = windows_.find(number);
    return window != windows_.end() && window->second.closed;
  });
}

void FarWall::take(const sail_event& event) {
  const bool is_logged = log_session_event(event, options_.at, log_);
  const std::lock_guard lock(mutex_);
  if (event.type == SAIL_EVENT_DISCONNECTED) {
    for (auto& [number, window] : windows_) leave(number, window);
  }
  if (is_logged) return;
  const auto found = window_of(event.stream);
  if (found == windows_.end()) return;
  Window* window = &found->second;
  take_wish(event, found->first, *window);
  if (event.type == SAIL_EVENT_REFRESH && !window->held.empty() &&
      window->far_shape == window->held.shape()) {
    drop_waiting(*window);
    sail_encoded_frame again = window->held.whole();
    again.again = 1;
    (void)window->far.submit(again);
  }
  if (event.type == SAIL_EVENT_CLOSE) {
    leave(found->first, *window);
    window->closed = true;
    log_.info("'{}' was closed on the far wall", window->title);
  }
}

FarWall::Window* FarWall::window_of(uint32_t near_stream) {
  const auto number = numbers_.find(near_stream);
  return number == numbers_.end() ? nullptr : &windows_.at(number->second);
}

void FarWall::leave(uint32_t number, Window& window) {
  if (!window.has_input) return;
  sail_event event{};
  event.type = SAIL_EVENT_INPUT;
  event.input.type = SAIL_INPUT_LEAVE;
  take_wish(event, number, window);
}

void FarWall::take_wish(const sail_event& event, uint32_t number, Window& window) {
  if (event.type == SAIL_EVENT_INPUT) window.has_input = event.input.type != SAIL_INPUT_LEAVE;
  auto wish = wish_of(event, number, window.place);
  if (!wish || !on_wishes_) return;
  if (wishes_.push(*std::move(wish))) log_.warning("this wall does not keep up with input");
  on_wishes_();
}

FarWall::Windows::iterator FarWall::window_of(const sail_stream* stream) {
  if (stream == nullptr) return windows_.end();
  return std::ranges::find_if(
      windows_, [&](const auto& window) { return window.second.far.get() == stream; });
}

// Streams are closed without the lock, which the near wall's thread needs.
std::vector<sail::Stream> FarWall::take_ended() {
  const std::lock_guard lock(mutex_);
  std::vector<sail::Stream> ended;
  for (auto it = windows_.begin(); it != windows_.end();) {
    const auto at = it++;
    Window& window = at->second;
    if (!window.gone && !window.closed) continue;
    drop_waiting(window);
    if (window.far) {
      ended.push_back(std::exchange(window.far, {}));
      log_.info("window {} '{}': {} frames received, {} sent, {} dropped", at->first, window.title,
                window.counts.received, window.counts.sent, window.counts.dropped);
    }
    const bool remembered = window.closed && !options_.windows.empty();
    if (!window.gone || remembered) continue;
    former_ += window.counts;
    windows_.erase(at);
  }
  return ended;
}

bool FarWall::wants_stream(uint32_t number, const Window& window, int64_t now_ns) const {
  const bool open = window.far && window.far_shape == window.held.shape() &&
                    window.far_takes_input == near_window(number).takes_input;
  return !open && !window.gone && !window.closed && !window.held.empty() &&
         now_ns >= window.open_after_ns &&
         (near_.contains(number) || now_ns >= window.added_ns + kWaitForControlsNs);
}

void FarWall::open_streams() {
  std::vector<uint32_t> wanted;
  {
    const std::lock_guard lock(mutex_);
    const int64_t now_ns = sail::steady_now_ns();
    for (const auto& [number, window] : windows_) {
      if (wants_stream(number, window, now_ns)) wanted.push_back(number);
    }
  }
  for (const uint32_t number : wanted) open_stream(number);
}

// Only this thread changes `far` and erases windows.
void FarWall::open_stream(uint32_t number) {
  std::string title;
  sail_stream_options options{};
  FarShape shape;
  {
    const std::lock_guard lock(mutex_);
    const Window& window = windows_.at(number);
    title = window.title;
    shape = window.held.shape();
    options.max_reduction = window.max_reduction;
    options.takes_input = near_window(number).takes_input ? 1 : 0;
    options.replaces = window.far.get();
  }
  const std::string codec = sail::codec_name(shape.codec);
  options.title = title.c_str();
  options.codec = codec.c_str();
  options.width = shape.frame_size.width;
  options.height = shape.frame_size.height;
  options.block_width = shape.block_size.width;
  options.block_height = shape.block_size.height;
  options.encoded = 1;
  std::string error;
  sail::Stream stream = session_.open(options, &error);
  note_opened(number, shape, options.takes_input != 0, std::move(stream), error);
}

void FarWall::note_opened(uint32_t number, const FarShape& shape, bool takes_input,
                          sail::Stream stream, const std::string& error) {
  sail::Stream former;  // closed without the lock
  const std::lock_guard lock(mutex_);
  Window& window = windows_.at(number);
  if (!stream) {
    window.open_after_ns = sail::steady_now_ns() + kOpenAgainNs;
    if (std::exchange(window.trouble, error) == error) return;
    return log_.error("window {} '{}' cannot be opened on the far wall at {}: {}; trying again",
                      number, window.title, options_.at, error);
  }
  log_.info("window {} '{}' is window {} of the far wall: {}×{}, {}", number, window.title,
            stream.id(), shape.frame_size.width, shape.frame_size.height,
            sail::codec_name(shape.codec));
  former = std::exchange(window.far, std::move(stream));
  window.far_shape = shape;
  window.far_takes_input = takes_input;
  report_playback(number, window);
  window.trouble.clear();
  drop_waiting(window);
  if (window.held.shape() != shape) return;  // it has changed meanwhile
  const bool is_new = std::exchange(window.waits, false);
  const bool sent = window.far.submit(window.held.whole()) == SAIL_OK;
  if (is_new) ++(sent ? window.counts.sent : window.counts.dropped);
}

BridgeCounts FarWall::counts() const {
  const std::lock_guard lock(mutex_);
  BridgeCounts counts = former_;
  for (const auto& [number, window] : windows_) counts += window.counts;
  return counts;
}

}  // namespace ui
