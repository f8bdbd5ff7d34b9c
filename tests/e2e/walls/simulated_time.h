// Simulated time under the test's control, messages with latency, and processes that can be stopped
// or killed. One thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <utility>
#include <vector>

namespace test {

constexpr int64_t kMs = 1'000'000;
constexpr int64_t kMessageNs = 400'000;  // maximum latency of a message

class Time {
 public:
  explicit Time(uint32_t seed) : random(seed) {}
  void at(int64_t at_ns, std::function<void()> event) {
    events_.emplace(std::max(at_ns, now_ns), std::move(event));
  }
  void in(int64_t ns, std::function<void()> event) { at(now_ns + ns, std::move(event)); }
  // Runs all events of the next instant.
  void step() {
    now_ns = events_.begin()->first;
    while (!events_.empty() && events_.begin()->first == now_ns) {
      const auto event = events_.extract(events_.begin());
      event.mapped()();
    }
  }
  int64_t any(int64_t from, int64_t until) {
    return std::uniform_int_distribution<int64_t>(from, until)(random);
  }

  std::mt19937 random;
  int64_t now_ns = 1000 * kMs;

 private:
  std::multimap<int64_t, std::function<void()>> events_;
};

// A connection that keeps the order of messages.
class Way {
 public:
  explicit Way(Time& time) : time_(&time) {}
  void send(std::function<void()> arrives, int64_t longest_ns = kMessageNs) {
    last_ns_ = std::max(last_ns_, time_->now_ns + time_->any(longest_ns / 10, longest_ns));
    time_->at(last_ns_, std::move(arrives));
  }

 private:
  Time* time_;
  int64_t last_ns_ = 0;
};

// Actions of a stopped process happen after it continues; those of a killed process never do.
class Process {
 public:
  // Wraps an event that other objects send to this process.
  std::function<void()> with(std::function<void()> happens) {
    return [this, life = life_, happens = std::move(happens)] {
      if (life != life_) return;
      stopped_ ? held_.push_back(happens) : happens();
    };
  }
  void stop() { stopped_ = true; }
  void go_on() {
    stopped_ = false;
    for (const auto& happens : std::exchange(held_, {})) happens();
  }
  void kill() {
    ++life_;
    stopped_ = false;
    held_.clear();
  }
  bool stopped() const { return stopped_; }
  int life() const { return life_; }

 private:
  int life_ = 0;
  bool stopped_ = false;
  std::vector<std::function<void()>> held_;
};

}  // namespace test
