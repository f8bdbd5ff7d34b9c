// What an application holds: the loop thread, the workers, the events that wait. All of libsail
// behind the C functions. Any thread may call anything; open and close wait for the loop thread.
// (Session and Stream are the applications' own handles, see sail.hpp.)
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "sail/base/log.h"
#include "sail/base/result.h"
#include "sail/base/wall_clock.h"
#include "sail/base/worker_pool.h"
#include "sail/client/event_box.h"
#include "sail/client/stream.h"
#include "sail/net/loop.h"
#include "sail/net/tcp.h"
#include "sail/wire/playback.h"

namespace sail {

class ManagerClient;

class ClientSession {
 public:
  struct Options {
    std::string name;
    Address manager;
    int encode_threads = 0;  // beside the submitting ones
    LogLevel log_level = LogLevel::kWarning;
  };
  // Waits for the manager's answer, at most kOpenTimeoutMs: else kUnavailable, or what the manager
  // answered.
  static Result<std::unique_ptr<ClientSession>> open(const Options& options);
  // Closes what is left.
  ~ClientSession();
  ClientSession(const ClientSession&) = delete;
  ClientSession& operator=(const ClientSession&) = delete;

  // The stream is the session's until close_stream().
  Result<ClientStream*> open_stream(const StreamSpec& spec);
  void close_stream(ClientStream& stream);

  // What is to be told of the stream, now and after each reconnection. at_ns 0: now.
  void set_playback(ClientStream& stream, Playback playback);

  struct Polled {
    sail_event event{};
    ClientStream* stream = nullptr;  // null for events of the session
  };
  std::optional<Polled> poll(std::chrono::milliseconds wait);
  // Any thread. How long poll() has waited so far.
  int64_t waited_ns() const { return waited_ns_.load(std::memory_order_relaxed); }

  static constexpr int kOpenTimeoutMs = 5000;

 private:
  explicit ClientSession(const Options& options);
  Result<void> start(const Options& options);

  const Log log_;
  WallClock clock_;
  EventBox events_;
  std::atomic<int64_t> waited_ns_{0};
  WorkerPool workers_;
  Loop loop_;
  ManagerClient* client_ = nullptr;  // on the loop thread's stack; for that thread only
  std::thread thread_;
};

}  // namespace sail
