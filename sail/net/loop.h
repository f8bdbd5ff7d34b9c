// The event loop of a thread (libuv). uv.h stays inside sail/net: everything else sees these
// classes.
//
// Rules of the folder:
//  1. An object of this folder belongs to one Loop and is used, moved and destroyed only on the
//     thread that runs it; Loop::post and Loop::stop are the exceptions, callable from any thread.
//  2. libuv's handles outlive our objects until libuv has closed them; our object may die inside
//     its own callback, and no callback comes after its destruction.
//  3. Callbacks are never called from inside the function that set them going.
//  4. Objects die before their Loop.
//  5. ~Loop calls nobody: callbacks still waiting then (posted tasks, completions of writes) are
//     destroyed uncalled, with what they hold.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace sail {

class Loop {
 public:
  // Makes the process ignore SIGPIPE unless it handles it: libuv writes to sockets without
  // MSG_NOSIGNAL, and a peer that goes away must not end us.
  Loop();
  // Closes what is left; waits for a name lookup under way. Not inside run().
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  // Runs until stop(); may be run again afterwards.
  void run();
  // Any thread. Ends the run() under way, or else the next one, after the callbacks under way and
  // the tasks posted before. A run() that ends already ends once.
  void stop();
  // Any thread: runs the task on the loop's thread, tasks in the order of posting. Tasks posted
  // after the loop has stopped for good are destroyed unrun with the Loop.
  void post(std::function<void()> task);

  struct Impl;  // libuv's side, for this folder only
  Impl& impl() { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

// Calls back once, or again and again. Destroying it stops it.
class Timer {
 public:
  explicit Timer(Loop& loop);
  ~Timer();
  Timer(Timer&&) noexcept;

  // From now. repeat_ms 0: once. Starting again replaces what was set.
  void start(int64_t after_ms, int64_t repeat_ms, std::function<void()> callback);
  void stop();

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

// Calls back when the process gets the signal (SIGINT, SIGTERM, SIGCHLD, …).
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

// As loop.run(), and calls back when SIGINT or SIGTERM asks the program to end.
void run_until_signal(Loop& loop, const std::function<void()>& end);

// Calls back as long as the descriptor can be read (or has ended). A regular file always can. Does
// not own the descriptor, which must stay open; one watch a descriptor.
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

// Calls back while a socket of a library's can be read or written, as is wanted. Does not own it;
// to be destroyed before the socket is closed.
class SocketWatch {
 public:
  using Callback = std::function<void(bool readable, bool writable)>;
  SocketWatch(Loop& loop, int descriptor, Callback callback);
  ~SocketWatch();
  SocketWatch(const SocketWatch&) = delete;
  SocketWatch& operator=(const SocketWatch&) = delete;

  // What is called back for. With an error or hang-up it can be both read and written.
  void want(bool readable, bool writable);

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

// Finer than Timer, whose resolution is a millisecond: for pacing.
class FineTimer {
 public:
  // The callback may start or destroy the timer.
  FineTimer(Loop& loop, std::function<void()> callback);
  ~FineTimer();
  FineTimer(const FineTimer&) = delete;
  FineTimer& operator=(const FineTimer&) = delete;

  // Calls back once at that steady time, or at once when it is over. Replaces what was set.
  void start_at(int64_t steady_ns);
  void stop();

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

// Work on files and folders, which may take as long as a disk or a network likes, off the loop's
// thread: on one of libuv's. Never for codec work, which has workers of its own. Runs `work` there,
// then `done` on the loop's thread, unless the guard is destroyed before: that waits for nothing,
// and work under way is finished unheard. `work` must own what it touches: it may outlive
// everything but the loop. Tasks of one guard chain themselves; several run in any order.
std::shared_ptr<void> in_background(Loop& loop, std::function<void()> work,
                                    std::function<void()> done);

}  // namespace sail
