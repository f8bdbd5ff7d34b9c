// A wall that films are shown on: one libsail session with its manager, shared by its films.
// Whatever waits for the manager (connecting, opening and closing streams) is done on a thread of
// its own, so that a manager that does not answer holds up the opening of its own films only.
// Submitting frames and asking for events wait for nobody, and are the loop's.
//
// Thread: the loop's.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <thread>

#include "sail/base/log.h"
#include "sail/base/mailbox.h"
#include "sail/base/result.h"
#include "sail/net/loop.h"
#include "sail/program/wall_window.h"

namespace server {

class WallLink {
 public:
  // max_streams: that are ever open or being opened at a time. log outlives the link.
  WallLink(sail::Loop& loop, std::string manager, size_t max_streams, const sail::Log& log);
  // After end() has said so, or else it waits.
  ~WallLink();
  WallLink(const WallLink&) = delete;
  WallLink& operator=(const WallLink&) = delete;

  const std::string& manager() const { return manager_; }
  // Of the films' windows.
  sail::WallSession& session() { return session_; }

  // All callbacks come once, from the loop. All streams are closed here.
  void open(const sail::Opening& opening, std::function<void(sail::Result<sail::Stream>)> opened);
  void close(sail::Stream stream, std::function<void()> closed);
  // Leaves the manager, once all streams are closed. Nothing else is asked afterwards.
  void end(std::function<void()> ended);

  // The next event that waits. Never waits itself.
  std::optional<sail_event> poll();

 private:
  void run();

  sail::Loop& loop_;
  const std::string manager_;
  sail::WallSession session_;
  bool there_ = false;  // the session, and no thread is opening it
  bool ending_ = false;
  sail::Mailbox<std::function<void()>> jobs_;
  bool done_ = false;  // the thread's own
  std::thread thread_;
};

}  // namespace server
