// All of libsail behind the C functions: the loop thread, the encoder threads and the event queue.
// Any thread may call any function; open and close wait for the loop thread. (Session and Stream
// are the applications' own handles, see sail.hpp.)
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "sail/client/session/event.h"
#include "sail/client/session/stream.h"
#include "sail/core/base/log.h"
#include "sail/core/base/result.h"
#include "sail/core/base/worker_pool.h"
#include "sail/core/loop/loop.h"
#include "sail/core/socket/tcp.h"
#include "sail/core/time/wall_clock.h"
#include "sail/core/wall/display_color.h"
#include "sail/core/wire/playback.h"

namespace sail {

class ManagerClient;

class ClientSession {
 public:
  struct Options {
    std::string name;
    Address manager;
    int encode_threads = 0;  // in addition to the submitting threads
    LogLevel log_level = LogLevel::kWarning;
  };
  // Waits at most kOpenTimeoutMs for the manager's answer. Errors: kUnavailable, or the manager's.
  static Result<std::unique_ptr<ClientSession>> open(const Options& options);
  // Closes all open streams.
  ~ClientSession();
  ClientSession(const ClientSession&) = delete;
  ClientSession& operator=(const ClientSession&) = delete;

  // The session owns the stream until close_stream().
  Result<ClientStream*> open_stream(const StreamSpec& spec);
  void close_stream(ClientStream& stream);

  // Sets the state to report for the stream, now and after each reconnection. at_ns 0: now.
  void set_playback(ClientStream& stream, Playback playback);
  void set_tracks(ClientStream& stream, FilmTracks tracks);

  struct Polled {
    sail_event event{};
    ClientStream* stream = nullptr;  // null for session events
  };
  std::optional<Polled> poll(std::chrono::milliseconds wait);
  // Callable from any thread.
  int64_t wall_now_ns() const { return clock_.wall_now_ns(); }
  // The colours of the wall's displays, as the manager last reported them. Callable from any
  // thread.
  codecs::DisplayColor display() const;
  // Total time spent waiting in poll(). Callable from any thread.
  int64_t waited_ns() const { return waited_ns_.load(std::memory_order_relaxed); }

  static constexpr int kOpenTimeoutMs = 5000;

 private:
  explicit ClientSession(const Options& options);
  Result<void> start(const Options& options);

  const Log log_;
  WallClock clock_;
  mutable std::mutex display_mutex_;
  codecs::DisplayColor display_;
  EventBox events_;
  std::atomic<int64_t> waited_ns_{0};
  WorkerPool workers_;
  Loop loop_;
  // Lives on the loop thread's stack. Used only by the loop thread.
  ManagerClient* client_ = nullptr;
  std::thread thread_;
};

}  // namespace sail
