// One event of sail_poll_event, and the functions that create events.
#pragma once

#include <sail/sail.h>

#include <memory>

#include "sail/client/sync/frame_ledger.h"
#include "sail/core/base/geometry.h"
#include "sail/core/wire/control_messages.h"
#include "sail/core/wire/input.h"

namespace sail {

class ClientStream;

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
// Reports a receiver's trouble or its end.
sail_event receiver_event(const LinkStats& link);
// Reports a user action that the manager forwards.
sail_event people_event(const AppEvent& told);
// Reports the stream's group; value 0 if the stream is not in a group.
sail_event timeline_event(const GroupSeat& seat);
sail_event input_event(const StreamInput& told);

}  // namespace sail
