// A wall on which films are shown: one libsail session with its manager, shared by the wall's
// films. Calls that wait for the manager (connect, open and close streams) run on a thread of their
// own, so that an unresponsive manager delays only its own films. Submitting frames and polling
// events do not block and happen on the loop.
//
// Thread: the loop's.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <thread>

#include "sail/apps/program/wall_window.h"
#include "sail/core/base/log.h"
#include "sail/core/base/mailbox.h"
#include "sail/core/base/result.h"
#include "sail/core/loop/loop.h"

namespace server {

class WallLink {
 public:
  // max_streams: limit of streams open or being opened. log must outlive the link.
  WallLink(sail::Loop& loop, std::string manager, size_t max_streams, const sail::Log& log);
  // Blocks unless the callback of end() has been called.
  ~WallLink();
  WallLink(const WallLink&) = delete;
  WallLink& operator=(const WallLink&) = delete;

  const std::string& manager() const { return manager_; }
  // The session of the films' windows.
  sail::WallSession& session() { return session_; }

  // Each callback is called once, on the loop. Streams must be closed with close().
  void open(const sail::Opening& opening, std::function<void(sail::Result<sail::Stream>)> opened);
  void close(sail::Stream stream, std::function<void()> closed);
  // Closes the session. All streams must be closed before; no calls are allowed afterwards.
  void end(std::function<void()> ended);

  // Returns the next queued event without waiting.
  std::optional<sail_event> poll();

 private:
  void run();

  sail::Loop& loop_;
  const std::string manager_;
  sail::WallSession session_;
  bool there_ = false;  // the session exists; no thread is opening it
  bool ending_ = false;
  sail::Mailbox<std::function<void()>> jobs_;
  bool done_ = false;  // used on the link's thread only
  std::thread thread_;
};

}  // namespace server
