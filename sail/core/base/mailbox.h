// A bounded queue between threads (ARCHITECTURE.md, "Threads, and the doors between them").
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

namespace sail {

// Any thread may push and pop. When the queue is full, push removes and returns the oldest item, so
// that the caller can account for the loss.
template <typename T>
class Mailbox {
 public:
  explicit Mailbox(size_t capacity) : capacity_(capacity) {}

  std::optional<T> push(T item) {
    std::optional<T> dropped;
    {
      const std::lock_guard lock(mutex_);
      if (items_.size() >= capacity_) {
        dropped = std::move(items_.front());
        items_.pop_front();
      }
      items_.push_back(std::move(item));
    }
    available_.notify_one();
    return dropped;
  }

  // Returns the oldest item, or an empty optional if none arrives within `wait`.
  std::optional<T> pop(std::chrono::nanoseconds wait = std::chrono::nanoseconds(0)) {
    std::unique_lock lock(mutex_);
    if (!available_.wait_for(lock, wait, [this] { return !items_.empty(); })) return std::nullopt;
    std::optional<T> item(std::move(items_.front()));
    items_.pop_front();
    return item;
  }

 private:
  const size_t capacity_;
  std::mutex mutex_;
  std::condition_variable available_;
  std::deque<T> items_;
};

}  // namespace sail
