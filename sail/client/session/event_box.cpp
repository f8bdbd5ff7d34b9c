#include "sail/client/session/event_box.h"

#include <algorithm>
#include <utility>

namespace sail {
namespace {

bool is_motion(const sail_event& event) {
  if (event.type != SAIL_EVENT_INPUT) return false;
  const sail_input_type type = event.input.type;
  return type == SAIL_INPUT_MOVE || type == SAIL_INPUT_TOUCH_MOVE || type == SAIL_INPUT_WHEEL ||
         type == SAIL_INPUT_PINCH;
}

bool is_passing(const sail_event& event) {
  return event.type == SAIL_EVENT_FRAME || event.type == SAIL_EVENT_LINK || is_motion(event);
}

bool same_stream(const std::weak_ptr<ClientStream>& a, const std::weak_ptr<ClientStream>& b) {
  return !a.owner_before(b) && !b.owner_before(a);
}

bool same_motion(const sail_input& a, const sail_input& b) {
  return a.type == b.type && a.touch == b.touch && a.buttons == b.buttons &&
         a.modifiers == b.modifiers;
}

}  // namespace

// Moves of other fingers may lie between two moves of one finger.
bool EventBox::merge(const Event& event) {
  if (!is_motion(event.event)) return false;
  const sail_input& input = event.event.input;
  for (auto it = events_.rbegin(); it != events_.rend(); ++it) {
    if (it->event.type != SAIL_EVENT_INPUT || !same_stream(it->stream, event.stream)) continue;
    sail_input& waiting = it->event.input;
    if (waiting.client != input.client) continue;
    if (same_motion(waiting, input)) {
      const double wheel_x = waiting.wheel_x + input.wheel_x;
      const double wheel_y = waiting.wheel_y + input.wheel_y;
      const double scale = waiting.scale * input.scale;
      waiting = input;
      waiting.wheel_x = wheel_x;
      waiting.wheel_y = wheel_y;
      waiting.scale = scale;
      return true;
    }
    const bool other_finger =
        waiting.type == SAIL_INPUT_TOUCH_MOVE && input.type == SAIL_INPUT_TOUCH_MOVE;
    if (!other_finger) return false;
  }
  return false;
}

void EventBox::make_room() {
  if (events_.size() < capacity_) return;
  const auto passing = std::find_if(events_.begin(), events_.end(),
                                    [](const Event& event) { return is_passing(event.event); });
  events_.erase(passing != events_.end() ? passing : events_.begin());
}

void EventBox::push(Event event) {
  {
    const std::lock_guard lock(mutex_);
    if (merge(event)) return;
    make_room();
    events_.push_back(std::move(event));
  }
  available_.notify_one();
}

std::optional<Event> EventBox::pop(std::chrono::nanoseconds wait) {
  std::unique_lock lock(mutex_);
  if (!available_.wait_for(lock, wait, [this] { return !events_.empty(); })) return std::nullopt;
  std::optional<Event> event(std::move(events_.front()));
  events_.pop_front();
  return event;
}

}  // namespace sail
