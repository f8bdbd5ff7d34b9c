// A SAGE program's window: a session and a stream of libsail, a thread that hands frames to it
// while the program draws the next one, and a thread that hears what people do. swap() is one
// thread's.
#pragma once

#include <sail/sail.h>

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "sail/sage/messages.h"
#include "sail/sage/pictures.h"

namespace vitrail {

struct WindowWishes {
  std::string manager;  // empty: libsail's choice
  std::string title;
  bool udp = false;
  int frame_rate = 60;  // at most
  // Of a parallel program: the stream is of this size, and the pictures a region of it.
  std::optional<sail_part> part{};
  int total_width = 0, total_height = 0;
};

class Window {
 public:
  // pictures and messages outlive it. Null: *error says why not.
  static std::unique_ptr<Window> open(const WindowWishes& wishes, Pictures& pictures,
                                      MessageQueue& messages, std::string* error);
  // Leaves the wall.
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  // Shows the picture that was drawn. 0: the other one may be drawn into; 1: the one before has not
  // gone yet, and without `wait` nothing happened; -1: the window has been closed.
  int swap(bool wait);
  // On the wall still.
  bool is_open() const;
  // Takes it from the wall; nobody waits in swap() any more.
  void end();
  int number() const { return number_; }
  // Where it stands, wall pixels from the upper left corner.
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

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  sail_stream* stream_;   // null: it has been closed; the sender's to close
  bool waiting_ = false;  // a picture that was swapped is not with libsail yet
  bool shown_ = false;    // one has been
  bool refresh_ = false;  // the last one is wanted once more
  bool over_ = false;     // the window has been closed
  bool ending_ = false;
  Clock::time_point due_{};

  std::thread sender_;
  std::thread listener_;
};

}  // namespace vitrail
