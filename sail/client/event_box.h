// The events that wait for sail_poll_event. Bounded; an application that does not poll loses what
// it can do without first. A Mailbox that looks into what waits, hence a mutex of its own. Any
// thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>

#include "sail/client/event.h"

namespace sail {

class EventBox {
 public:
  explicit EventBox(size_t capacity) : capacity_(capacity) {}

  // A move, wheel or pinch becomes one with the last thing that the same person did to the window,
  // when that was the same and waits. When the box is full, the oldest event goes that tells
  // nothing lasting (moves, fates of frames, figures of links), else the oldest.
  void push(Event event);
  // The oldest; nothing when none came within the time.
  std::optional<Event> pop(std::chrono::nanoseconds wait);

 private:
  bool merge(const Event& event);
  void make_room();

  const size_t capacity_;
  std::mutex mutex_;
  std::condition_variable available_;
  std::deque<Event> events_;
};

}  // namespace sail
