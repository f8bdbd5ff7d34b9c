// A wall that films are shown on: one libsail session with its manager, shared by its films.
// Whatever waits for the manager (connecting, opening and closing streams) is done on a thread of
// its own, so that a manager that does not answer holds up the opening of its own films only.
// Submitting frames and asking for events wait for nobody, and are the loop's.
//
// Thread: the loop's.
#pragma once

#include <sail/sail.h>

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <thread>

#include "sail/base/geometry.h"
#include "sail/base/mailbox.h"
#include "sail/base/result.h"
#include "sail/net/loop.h"
#include "sail/wire/transport.h"

namespace server {

// Where a window goes: its place, or only the corner with the film's own size, or wherever the
// manager likes.
struct WindowPlace {
  std::optional<sail::Rect> rect;  // sides of 0: the film's own size
};

struct StreamRequest {
  std::string title;
  std::string url{};  // of the film, by which the manager can have bplay ask for it again
  bool loop = false;  // likewise
  std::string codec;
  sail::Size frame_size;
  sail::Size display_size;  // as large as it should look
  sail::Size block_size;
  int max_reduction = 0;
  double fps = 0;
  WindowPlace place;
  sail::TransportOptions transport{};
};

class WallLink {
 public:
  // max_streams: that are ever open or being opened at a time.
  WallLink(sail::Loop& loop, std::string manager, size_t max_streams);
  // After end() has said so, or else it waits.
  ~WallLink();
  WallLink(const WallLink&) = delete;
  WallLink& operator=(const WallLink&) = delete;

  const std::string& manager() const { return manager_; }

  // All callbacks come once, from the loop. The stream is the film's until close().
  void open(const StreamRequest& request, std::function<void(sail::Result<sail_stream*>)> opened);
  void close(sail_stream* stream, std::function<void()> closed);
  // Leaves the manager, once all streams are closed. Nothing else is asked afterwards.
  void end(std::function<void()> ended);

  // The next event that waits. Never waits itself.
  std::optional<sail_event> poll();

 private:
  void run();
  void ask(std::function<void()> job);
  sail::Result<sail_stream*> open_stream(const StreamRequest& request);
  sail::Result<void> connect();

  sail::Loop& loop_;
  const std::string manager_;
  std::atomic<sail_session*> session_{nullptr};  // written by the thread only
  bool ending_ = false;
  sail::Mailbox<std::function<void()>> jobs_;
  bool done_ = false;  // the thread's own
  std::thread thread_;
};

}  // namespace server
