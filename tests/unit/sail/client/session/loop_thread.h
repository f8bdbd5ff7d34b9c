// A loop on its own thread, for the peer of code that blocks.
#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <thread>

#include "sail/core/loop/loop.h"
#include "tests/support/loop_test.h"

namespace sail {

class LoopThread {
 public:
  LoopThread() : thread_([this] { loop_.run(); }) {}
  // Objects on the loop must be destroyed before.
  ~LoopThread() {
    loop_.stop();
    thread_.join();
  }

  Loop& loop() { return loop_; }

  // Runs the function on the loop's thread and returns its result.
  template <typename Function>
  auto run(const Function& function) {
    std::packaged_task<decltype(function())()> task(function);
    auto result = task.get_future();
    loop_.post([&task] { task(); });
    return result.get();
  }

  // Polls the condition on the loop's thread. Returns false after a timeout.
  bool wait(const std::function<bool()>& condition) {
    std::promise<bool> held;
    const auto until =
        std::chrono::steady_clock::now() + std::chrono::milliseconds(kTestDeadlineMs);
    std::unique_ptr<Timer> look;
    run([&] {
      look = std::make_unique<Timer>(loop_);
      look->start(0, 1, [&] {
        const bool holds = condition();
        if (!holds && std::chrono::steady_clock::now() < until) return;
        look->stop();
        held.set_value(holds);
      });
    });
    const bool result = held.get_future().get();
    run([&] { look.reset(); });
    return result;
  }

 private:
  Loop loop_;
  std::thread thread_;
};

}  // namespace sail
