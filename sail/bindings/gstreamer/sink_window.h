// A sink's window on the wall, with a thread that receives the window's events. show() and play()
// may be called by different threads, each by one thread at a time; open() belongs to the streaming
// thread.
#pragma once

#include <sail/sail.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace sail {

struct SinkWishes {
  std::string manager;  // empty: the default of libsail; also for the other texts
  std::string title;
  std::string codec;
  std::string transport;
  std::optional<sail_rect> place;
  int delay_ms = 0;
};

// Callbacks on the window's own thread.
struct SinkEars {
  std::function<void()> closed;   // a user closed the window
  std::function<void()> refresh;  // submit the last picture again
  std::function<void(const sail_input&)> input;
};

class SinkWindow {
 public:
  // Connects to the manager. On failure returns null and sets *error.
  static std::unique_ptr<SinkWindow> connect(SinkWishes wishes, SinkEars ears, std::string* error);
  ~SinkWindow();
  SinkWindow(const SinkWindow&) = delete;
  SinkWindow& operator=(const SinkWindow&) = delete;

  // Opens a stream for pictures of this size, in place of the former one. fps 0: unknown.
  bool open(int32_t width, int32_t height, double fps, std::string* error);
  // Returns false if libsail rejects the frame.
  bool show(const sail_frame& frame);
  // Plays sound whose picture is submitted in_ns from now; overwrites at_ns. Returns false if
  // libsail rejects the sound.
  bool play(sail_audio audio, int64_t in_ns);
  const std::string& codec() const { return wishes_.codec; }

 private:
  SinkWindow(SinkWishes wishes, SinkEars ears, Session session);
  void listen();

  const SinkWishes wishes_;
  const SinkEars ears_;
  Session session_;
  std::mutex mutex_;  // guards stream_ and former_
  Stream stream_;
  Stream former_;  // kept open until stream_ has its first frame
  std::atomic<bool> ending_{false};
  std::thread listener_;
};

}  // namespace sail
