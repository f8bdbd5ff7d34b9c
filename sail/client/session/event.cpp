#include "sail/client/session/event.h"

#include <algorithm>
#include <utility>

#include "sail/core/text/text.h"

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

sail_event make_event(sail_event_type type) {
  sail_event event{};
  event.type = type;
  return event;
}

sail_event frame_event(const FrameFate& fate) {
  sail_event event = make_event(SAIL_EVENT_FRAME);
  event.frame = {.number = fate.number,
                 .shown = fate.shown ? 1 : 0,
                 .receivers = fate.receivers,
                 .submitted_ns = fate.submitted_ns,
                 .first_swapped_ns = fate.first_swapped_ns,
                 .last_swapped_ns = fate.last_swapped_ns};
  return event;
}

sail_event window_event(const Rect& wall_rect) {
  sail_event event = make_event(SAIL_EVENT_RESIZE);
  event.rect = {wall_rect.x, wall_rect.y, wall_rect.width, wall_rect.height};
  return event;
}

sail_event link_event(const LinkStats& link) {
  sail_event event = make_event(SAIL_EVENT_LINK);
  event.link.transport = link.transport == Transport::kUdp ? SAIL_UDP : SAIL_TCP;
  const auto copy = [](const char*, const auto&, auto& to, const auto& from) { to = from; };
  link_figures(copy, true, event.link, link);
  link_counters(copy, event.link, link.counters);
  link.receiver.copy(event.link.receiver, sizeof event.link.receiver - 1);
  event.link.same_host = link.same_host ? (*link.same_host ? 1 : 0) : -1;
  event.link.shared_memory = link.shared_memory ? 1 : 0;
  static_assert(sizeof event.link.memory_trouble > kMaxTroubleText);
  link.memory_trouble.copy(event.link.memory_trouble, sizeof event.link.memory_trouble - 1);
  static_assert(std::size(decltype(event.link.bursts){}) == kBurstClasses);
  std::copy(link.counters.bursts.begin(), link.counters.bursts.end(), event.link.bursts);
  return event;
}

sail_event receiver_event(const LinkStats& link) {
  sail_event event = make_event(SAIL_EVENT_RECEIVER);
  link.receiver.copy(event.receiver.name, sizeof event.receiver.name - 1);
  event.receiver.reachable = link.trouble == LinkTrouble::kNone ? 1 : 0;
  std::string text = link_trouble_text(link.trouble, link.trouble_text);
  if (text.empty()) text = link.instead_of ? kTcpInsteadText : "shows frames again";
  text = make_plain_text(text, sizeof event.receiver.text - 1);
  text.copy(event.receiver.text, sizeof event.receiver.text - 1);
  return event;
}

sail_event people_event(const AppEvent& message) {
  sail_event event{};
  event.value = message.value;
  if (message.type == "close") event.type = SAIL_EVENT_CLOSE;
  if (message.type == "pause") event.type = SAIL_EVENT_PAUSE;
  if (message.type == "resume") event.type = SAIL_EVENT_RESUME;
  if (message.type == "seek") event.type = SAIL_EVENT_SEEK;
  if (message.type == "rate") event.type = SAIL_EVENT_RATE;
  if (message.type == "loop") event.type = SAIL_EVENT_LOOP;
  if (message.type == "volume") event.type = SAIL_EVENT_VOLUME;
  if (message.type == "page") event.type = SAIL_EVENT_PAGE;
  if (message.type == "subtitles") event.type = SAIL_EVENT_SUBTITLES;
  if (message.type == "sound_track") event.type = SAIL_EVENT_SOUND_TRACK;
  if (message.type == "codec") {
    event.type = SAIL_EVENT_CODEC;
    message.codec.copy(event.codec, sizeof event.codec - 1);
  }
  return event;
}

sail_event timeline_event(const GroupMembership& membership) {
  sail_event event = make_event(SAIL_EVENT_TIMELINE);
  event.value = membership.name.empty() ? 0 : 1;
  event.timeline = {.position_s = membership.timeline.position_s,
                    .at_ns = membership.timeline.at_ns,
                    .rate = membership.timeline.rate,
                    .paused = membership.timeline.paused ? 1 : 0};
  return event;
}

sail_event input_event(const StreamInput& message) {
  const Input& input = message.input;
  sail_event event = make_event(SAIL_EVENT_INPUT);
  // The C enum has the order of InputType, but starts at 1.
  static_assert(static_cast<int>(InputType::kEnter) + 1 == SAIL_INPUT_ENTER);
  static_assert(static_cast<int>(InputType::kPinch) + 1 == SAIL_INPUT_PINCH);
  const InputPoint at = input.at.value_or(InputPoint{});
  event.input = {.type = static_cast<sail_input_type>(static_cast<int>(input.type) + 1),
                 .client = message.client,
                 .has_point = input.at ? 1 : 0,
                 .button = input.button,
                 .x = at.x,
                 .y = at.y,
                 .buttons = input.buttons,
                 .modifiers = input.modifiers,
                 .wheel_x = input.wheel_x,
                 .wheel_y = input.wheel_y,
                 .key = {},
                 .touch = input.touch,
                 .scale = input.scale};
  input.key.copy(event.input.key, sizeof event.input.key - 1);
  return event;
}

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
