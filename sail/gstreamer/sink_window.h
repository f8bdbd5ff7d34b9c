// The window of a sink on the wall, and a thread that hears what people do with it. show() is for
// one thread at a time, and so is play(); open for the pipeline's.
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
  std::string manager;  // empty: libsail's choice; so are the others
  std::string title;
  std::string codec;
  std::string transport;
  std::optional<sail_rect> place;
  int delay_ms = 0;
};

// From the window's own thread.
struct SinkEars {
  std::function<void()> closed;   // by somebody at the wall
  std::function<void()> refresh;  // the last picture is to be shown once more
  std::function<void(const sail_input&)> input;
};

class SinkWindow {
 public:
  // Null: there is no manager; *error says why.
  static std::unique_ptr<SinkWindow> connect(SinkWishes wishes, SinkEars ears, std::string* error);
  ~SinkWindow();
  SinkWindow(const SinkWindow&) = delete;
  SinkWindow& operator=(const SinkWindow&) = delete;

  // For pictures of that size, in the place of what was shown before. fps 0: unknown.
  bool open(int32_t width, int32_t height, double fps, std::string* error);
  // False: libsail does not take it.
  bool show(const sail_frame& frame);
  // Sound whose picture is shown in_ns from now; at_ns is overwritten. Likewise.
  bool play(sail_audio audio, int64_t in_ns);
  const std::string& codec() const { return wishes_.codec; }

 private:
  SinkWindow(SinkWishes wishes, SinkEars ears, Session session);
  void listen();

  const SinkWishes wishes_;
  const SinkEars ears_;
  Session session_;
  std::mutex mutex_;  // guards what follows
  Stream stream_;
  Stream former_;  // until a picture of the new one has been submitted
  std::atomic<bool> ending_{false};
  std::thread listener_;
};

}  // namespace sail
