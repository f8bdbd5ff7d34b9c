// An event loop with its own thread, for sources that wait for other machines. Any thread.
#pragma once

#include <functional>
#include <thread>

#include "sail/core/loop/loop.h"

namespace sail {

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

}  // namespace sail
