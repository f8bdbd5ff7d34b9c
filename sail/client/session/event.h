// Events of sail_poll_event: their values, and the queue in which they wait.
#pragma once

#include <sail/sail.h>

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>

#include "sail/client/sync/frame_ledger.h"
#include "sail/core/base/geometry.h"
#include "sail/core/wire/application_messages.h"
#include "sail/core/wire/input.h"

namespace sail {

class ClientStream;

// One event.
struct Event {
  // Its stream pointer is not set here.
  sail_event event{};
  // Set for stream events. Events of closed streams are dropped.
  std::weak_ptr<ClientStream> stream;
  bool of_stream = false;
};

sail_event make_event(sail_event_type type);
sail_event frame_event(const FrameFate& fate);
sail_event window_event(const Rect& wall_rect);
sail_event link_event(const LinkStats& link);
// Reports that a receiver's trouble has begun or ended.
sail_event receiver_event(const LinkStats& link);
// Reports a user action that the manager forwards.
sail_event people_event(const AppEvent& message);
// Reports the stream's group; value 0 if the stream is not in a group.
sail_event timeline_event(const GroupMembership& membership);
sail_event input_event(const StreamInput& message);

// Bounded: if the application does not poll, the least important events are dropped first. Unlike a
// Mailbox it inspects queued events, so it has its own mutex. Callable from any thread.
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
