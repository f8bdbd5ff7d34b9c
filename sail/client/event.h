// What waits for sail_poll_event.
#pragma once

#include <sail/sail.h>

#include <memory>

#include "sail/base/mailbox.h"

namespace sail {

class ClientStream;

struct Event {
  sail_event event{};                  // without its stream
  std::weak_ptr<ClientStream> stream;  // of stream events: nobody hears of streams that are closed
  bool of_stream = false;
};

using EventBox = Mailbox<Event>;

}  // namespace sail
