// One event of sail_poll_event, and how events are made.
#pragma once

#include <sail/sail.h>

#include <memory>

#include "sail/base/geometry.h"
#include "sail/client/frame_ledger.h"
#include "sail/wire/control_messages.h"
#include "sail/wire/input.h"

namespace sail {

class ClientStream;

struct Event {
  sail_event event{};                  // without its stream
  std::weak_ptr<ClientStream> stream;  // of stream events: nobody hears of streams that are closed
  bool of_stream = false;
};

sail_event make_event(sail_event_type type);
sail_event frame_event(const FrameFate& fate);
sail_event window_event(const Rect& wall_rect);
sail_event link_event(const LinkStats& link);
// Of its trouble, or the end of it.
sail_event receiver_event(const LinkStats& link);
// What the manager passes on from people.
sail_event people_event(const AppEvent& told);
// Of the group that the stream is a member of, or of none any more.
sail_event timeline_event(const GroupSeat& seat);
sail_event input_event(const StreamInput& told);

}  // namespace sail
