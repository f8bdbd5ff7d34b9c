// The event queue of sail_poll_event. Bounded: if the application does not poll, the least
// important events are dropped first. Unlike a Mailbox it inspects queued events, so it has its own
// mutex. Callable from any thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>

#include "sail/client/session/event.h"

namespace sail {

class EventBox {
 public:
  explicit EventBox(size_t capacity) : capacity_(capacity) {}

  // Merges a move, wheel or pinch event into the same user's last queued event for this window, if
  // both are of the same kind. If the queue is full, drops the oldest transient event (motion,
  // frame fate, link statistics), or else the oldest event.
  void push(Event event);
  // As push(Event), for an event of the session or of this stream.
  void push(const sail_event& event) { push(Event{.event = event, .stream = {}}); }
  void push(const sail_event& event, const std::shared_ptr<ClientStream>& stream) {
    push(Event{.event = event, .stream = stream, .of_stream = true});
  }
  // Returns the oldest event; empty if none arrived within the time.
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
