// The window of a SAGE program: a libsail session and stream, a thread that submits frames while
// the program draws the next one, and a thread that receives user input. swap() must be called by
// one thread only.
#pragma once

#include <sail/sail.h>

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "sail/bindings/sage/messages.h"
#include "sail/bindings/sage/pictures.h"

namespace vitrail {

struct WindowWishes {
  std::string manager;  // empty: libsail's default
  std::string title;
  bool udp = false;
  int frame_rate = 60;  // maximum, in frames per second
  // For parallel programs: the stream has the total size, and the pictures are a region of it.
  std::optional<sail_part> part{};
  int total_width = 0, total_height = 0;
};

class Window {
 public:
  // pictures and messages must outlive the window. Returns null and sets *error if opening failed.
  static std::unique_ptr<Window> open(const WindowWishes& wishes, Pictures& pictures,
                                      MessageQueue& messages, std::string* error);
  // Closes the window.
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  // Submits the picture that was drawn. Returns 0: the other buffer may be drawn into; 1: the
  // previous picture is not sent yet, and without `wait` nothing was swapped; -1: the window is
  // closed.
  int swap(bool wait);
  // Returns true while the window is on the wall.
  bool is_open() const;
  // Closes the window and wakes swap().
  void end();
  int number() const { return number_; }
  // Returns the window's position in wall pixels, from the upper left corner.
  sail_rect place() const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Close {
    void operator()(sail_session* session) const { sail_session_close(session); }
  };
  using Session = std::unique_ptr<sail_session, Close>;

  Window(const WindowWishes& wishes, Session session, sail_stream* stream, Pictures& pictures,
         MessageQueue& messages);
  void hand_frames();
  void keep_rate(std::unique_lock<std::mutex>& lock);
  void listen(int width, int height);
  bool is_ending() const;

  const Session session_;
  Pictures& pictures_;
  MessageQueue& messages_;
  const Clock::duration interval_;
  const bool in_parts_;
  const int number_;

  mutable std::mutex mutex_;  // guards the following members
  std::condition_variable changed_;
  sail_stream* stream_;   // null once closed; only the sender thread closes it
  bool waiting_ = false;  // a swapped picture is not submitted yet
  bool shown_ = false;    // a picture has been submitted
  bool refresh_ = false;  // the wall requested the last picture again
  bool over_ = false;     // the window has been closed
  bool ending_ = false;
  Clock::time_point due_{};

  std::thread sender_;
  std::thread listener_;
};

}  // namespace vitrail
