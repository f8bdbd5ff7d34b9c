// The event loop of a thread (libuv). Only sail/core includes uv.h; other code uses these classes.
//
// Rules for the objects of loop, socket, rpc and http:
//  1. An object belongs to one Loop and is used, moved and destroyed only on the loop's thread.
//     Exceptions: Loop::post and Loop::stop may be called from any thread.
//  2. libuv's handles outlive our objects until libuv has closed them. An object may be destroyed
//     inside its own callback, and its callbacks are never called after its destruction.
//  3. Callbacks are never called from inside the function that started the operation.
//  4. Objects are destroyed before their Loop.
//  5. ~Loop calls no callbacks: pending ones (posted tasks, completions of writes) are destroyed
//     uncalled, with everything that they own.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace sail {

class Loop {
 public:
  // Makes the process ignore SIGPIPE unless it has a handler: libuv writes to sockets without
  // MSG_NOSIGNAL, and a closed connection must not end the process.
  Loop();
  // Closes all remaining handles and waits for a running name lookup. Not inside run().
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  // Runs until stop(); may be called again afterwards.
  void run();
  // Any thread. Ends the current run(), or else the next one, after running callbacks and all tasks
  // posted before. Several calls end only one run().
  void stop();
  // Any thread. Runs the task on the loop's thread; tasks run in the order of posting. Tasks that
  // are not run before the Loop is destroyed are destroyed with it.
  void post(std::function<void()> task);

  struct Impl;  // libuv's part, for sail/core only
  Impl& impl() { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

// Calls back once or repeatedly. The destructor stops the timer.
class Timer {
 public:
  explicit Timer(Loop& loop);
  ~Timer();
  Timer(Timer&&) noexcept;

  // Starts the timer from now. repeat_ms 0: once. Replaces a running timer.
  void start(int64_t after_ms, int64_t repeat_ms, std::function<void()> callback);
  void stop();

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

// Calls back when the process receives the signal (SIGINT, SIGTERM, SIGCHLD, …).
class SignalWatch {
 public:
  SignalWatch(Loop& loop, int signal, std::function<void()> callback);
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

// As loop.run(), and calls `end` on SIGINT or SIGTERM.
void run_until_signal(Loop& loop, const std::function<void()>& end);

// Calls back while the descriptor is readable or at its end. Regular files are always readable.
// Does not own the descriptor, which must stay open. Only one watch per descriptor.
class ReadWatch {
 public:
  ReadWatch(Loop& loop, int descriptor, std::function<void()> callback);
  ~ReadWatch();
  ReadWatch(const ReadWatch&) = delete;
  ReadWatch& operator=(const ReadWatch&) = delete;

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

// Calls back while a socket owned by a library is readable or writable, as requested by want().
// Does not own the socket; destroy the watch before the socket is closed.
class SocketWatch {
 public:
  using Callback = std::function<void(bool readable, bool writable)>;
  SocketWatch(Loop& loop, int descriptor, Callback callback);
  ~SocketWatch();
  SocketWatch(const SocketWatch&) = delete;
  SocketWatch& operator=(const SocketWatch&) = delete;

  // Selects the events. After an error or hang-up, both may be reported.
  void want(bool readable, bool writable);

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

// A timer with finer resolution than Timer's millisecond: for pacing.
class FineTimer {
 public:
  // The callback may start or destroy the timer.
  FineTimer(Loop& loop, std::function<void()> callback);
  ~FineTimer();
  FineTimer(const FineTimer&) = delete;
  FineTimer& operator=(const FineTimer&) = delete;

  // Calls back once at this steady time, or at once if it has passed. Replaces a running timer.
  void start_at(int64_t steady_ns);
  void stop();

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

// Runs work on files and folders, which may block, on a thread of libuv's pool. Not for codec work.
// Runs `work` there, then `done` on the loop's thread, unless the returned guard is destroyed
// first. Destroying the guard does not wait: running work is finished, but `done` is not called.
// `work` must own its data, since it may outlive everything except the loop. Separate calls may run
// in any order; to run tasks in sequence, start the next one from `done`.
std::shared_ptr<void> in_background(Loop& loop, std::function<void()> work,
                                    std::function<void()> done);

}  // namespace sail
