// For sources that wait for other machines: an event loop with its own thread, and reads that all
// readers share.
#pragma once

#include <cstdint>
#include <functional>
#include <future>
#include <thread>
#include <utility>

#include "sail/core/base/environment.h"
#include "sail/core/loop/loop.h"
#include "sail/media/storage/reading/byte_source.h"

namespace sail {

// Any thread.
class LoopThread {
 public:
  LoopThread();
  ~LoopThread();
  LoopThread(const LoopThread&) = delete;
  LoopThread& operator=(const LoopThread&) = delete;

  // For objects that are created and used on the loop thread only.
  Loop& loop() { return loop_; }
  void post(std::function<void()> task) { loop_.post(std::move(task)); }
  // Waits until the task and everything posted before it has run.
  void run(const std::function<void()>& task);

 private:
  Loop loop_;
  std::thread thread_;
};

inline LoopThread::LoopThread()
    : thread_([this] {
        name_this_thread("film loop");
        loop_.run();
      }) {}

inline LoopThread::~LoopThread() {
  loop_.stop();
  thread_.join();
}

inline void LoopThread::run(const std::function<void()>& task) {
  std::promise<void> done;
  loop_.post([&] {
    task();
    done.set_value();
  });
  done.get_future().wait();
}

// ByteReads of a source whose host (an event loop with its reads) is shared by all readers. A host
// has begin(), drop_unwanted(), retries() and finish(), callable from any thread. When finish()
// returns, no earlier call causes a callback any more.
template <typename Host>
class HostReads : public ByteReads {
 public:
  explicit HostReads(Host& host) : host_(host) {}
  ~HostReads() override { host_.finish(); }

  void begin(Job job) override { host_.begin(std::move(job)); }
  void drop_unwanted() override { host_.drop_unwanted(); }
  uint64_t retries() const override { return host_.retries(); }

 private:
  Host& host_;
};

}  // namespace sail
