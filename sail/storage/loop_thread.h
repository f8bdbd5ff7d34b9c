// A loop with a thread of its own, for sources that wait for other machines. Any thread calls.
#pragma once

#include <functional>
#include <thread>

#include "sail/net/loop.h"

namespace sail {

class LoopThread {
 public:
  LoopThread();
  ~LoopThread();
  LoopThread(const LoopThread&) = delete;
  LoopThread& operator=(const LoopThread&) = delete;

  // For what is made and used on the thread only.
  Loop& loop() { return loop_; }
  void post(std::function<void()> task) { loop_.post(std::move(task)); }
  // Waits until it is done there, and all that was posted before.
  void run(const std::function<void()>& task);

 private:
  Loop loop_;
  std::thread thread_;
};

}  // namespace sail
