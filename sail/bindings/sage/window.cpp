#include "sail/bindings/sage/window.h"

#include <algorithm>
#include <utility>

#include "sail/bindings/sage/include/misc.h"

namespace vitrail {
namespace {

constexpr int kListenMs = 50;
constexpr int kMaxFrameRate = 1000;

const char* or_null(const std::string& text) {
  return text.empty() ? nullptr : text.c_str();
}

}  // namespace

std::unique_ptr<Window> Window::open(const WindowWishes& wishes, Pictures& pictures,
                                     MessageQueue& messages, std::string* error) {
  sail_error why{};
  sail_session_options session_options{};
  session_options.name = or_null(wishes.title);
  session_options.manager = or_null(wishes.manager);
  Session session(sail_session_open(&session_options, &why));
  sail_stream* stream = nullptr;
  if (session) {
    sail_stream_options options{};
    options.title = or_null(wishes.title);
    options.transport = wishes.udp ? "udp" : nullptr;
    options.wait_when_full = 1;
    options.takes_input = 1;
    pictures.describe(options);
    if (wishes.part) {
      options.width = wishes.total_width;
      options.height = wishes.total_height;
      stream = sail_stream_join(session.get(), &options, &*wishes.part, &why);
    } else {
      stream = sail_stream_open(session.get(), &options, &why);
    }
  }
  if (stream == nullptr) {
    *error = why.text;
    return nullptr;
  }
  sail_playback playback{};
  playback.live = 1;
  sail_set_playback(stream, &playback);
  return std::unique_ptr<Window>(
      new Window(wishes, std::move(session), stream, pictures, messages));
}

Window::Window(const WindowWishes& wishes, Session session, sail_stream* stream, Pictures& pictures,
               MessageQueue& messages)
    : session_(std::move(session)),
      pictures_(pictures),
      messages_(messages),
      interval_(std::chrono::duration_cast<Clock::duration>(std::chrono::seconds(1)) /
                std::clamp(wishes.frame_rate, 1, kMaxFrameRate)),
      in_parts_(wishes.part.has_value()),
      number_(static_cast<int>(sail_stream_id(stream))),
      stream_(stream) {
  sail_stream_options options{};
  pictures.describe(options);
  sender_ = std::thread([this] { hand_frames(); });
  listener_ = std::thread(
      [this, width = options.width, height = options.height] { listen(width, height); });
}

Window::~Window() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  end();
  sender_.join();
  listener_.join();
}

int Window::swap(bool wait) {
  std::unique_lock lock(mutex_);
  // A rank must not skip a picture: all other ranks would have to skip it too.
  if (waiting_ && !wait && !in_parts_) return over_ ? -1 : 1;
  changed_.wait(lock, [this] { return over_ || !waiting_; });
  if (over_) {
    lock.unlock();
    // Throttle programs that ignore the close, so that they do not keep a core busy.
    if (wait) std::this_thread::sleep_for(interval_);
    return -1;
  }
  pictures_.swap();
  waiting_ = true;
  lock.unlock();
  changed_.notify_all();
  return 0;
}

bool Window::is_open() const {
  const std::lock_guard lock(mutex_);
  return !over_;
}

bool Window::is_ending() const {
  const std::lock_guard lock(mutex_);
  return ending_;
}

sail_rect Window::place() const {
  sail_rect rect{};
  const std::lock_guard lock(mutex_);
  if (stream_ != nullptr) sail_stream_window(stream_, &rect, nullptr);
  return rect;
}

void Window::end() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  changed_.notify_all();
}

void Window::hand_frames() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return over_ || waiting_ || (refresh_ && shown_); });
    const bool again = !waiting_;
    waiting_ = true;  // also for a resubmission: the buffer must not change meanwhile
    refresh_ = false;
    if (!again) keep_rate(lock);
    if (over_) break;
    lock.unlock();
    const sail_status status = pictures_.submit(stream_, again);
    if (status < 0) {
      sage::printLog("a frame was refused (status %d): the window is closed", status);
      messages_.push_quit();
    }
    lock.lock();
    shown_ = true;
    waiting_ = false;
    if (status < 0) over_ = true;
    changed_.notify_all();
  }
  sail_stream* stream = std::exchange(stream_, nullptr);
  lock.unlock();
  sail_stream_close(stream);
}

// Waits until the next frame is due. A late frame does not delay the following ones.
void Window::keep_rate(std::unique_lock<std::mutex>& lock) {
  changed_.wait_until(lock, due_, [this] { return over_; });
  due_ = std::max(due_, Clock::now() - interval_) + interval_;
}

void Window::listen(int width, int height) {
  InputWords words(width, height);
  while (!is_ending()) {
    sail_event event{};
    if (sail_poll_event(session_.get(), &event, kListenMs) != SAIL_OK) continue;
    if (event.type == SAIL_EVENT_CLOSE) {
      messages_.push_quit();
      end();
    }
    if (event.type == SAIL_EVENT_REFRESH) {
      const std::lock_guard lock(mutex_);
      refresh_ = true;
      changed_.notify_all();
    }
    if (event.type == SAIL_EVENT_INPUT) {
      if (auto message = words.message_of(event.input)) messages_.push(std::move(*message));
    }
  }
}

}  // namespace vitrail
