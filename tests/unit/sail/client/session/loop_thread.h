// A loop on a thread of its own, for the other side of a conversation whose one side blocks.
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
  // What lives on the loop must be gone.
  ~LoopThread() {
    loop_.stop();
    thread_.join();
  }

  Loop& loop() { return loop_; }

  // Runs the function on the loop's thread and gives its result.
  template <typename Function>
  auto run(const Function& function) {
    std::packaged_task<decltype(function())()> task(function);
    auto result = task.get_future();
    loop_.post([&task] { task(); });
    return result.get();
  }

  // Looks again and again, on the loop's thread, until the condition holds; false when it never
  // does.
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
