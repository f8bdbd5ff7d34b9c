// The judgement of a window by what has been reported: by its application, by the receivers that
// show it, and of the machines of all of them. Pure; times are arguments.
#pragma once

#include <cstdint>

#include "manager/diagnosis.h"
#include "manager/receiver_roster.h"
#include "manager/window_stack.h"
#include "sail/wall/wall.h"

namespace manager {

class Director;
class Hosts;

// What is known besides the window itself, and when.
struct Reports {
  const sail::Wall& wall;
  const ReceiverRoster& receivers;
  const Hosts& hosts;
  const Director* director = nullptr;  // null: nothing is known of layouts
  int64_t now_ns = 0;                  // steady
  int64_t now_s = 0;                   // since 1970
  int64_t wall_ns = 0;
};

// It has told something, and nothing for too long.
bool stands_still(const ReceiverEntry& receiver, int64_t now_ns);

Flow flow_of(const Window& window, const Reports& reports);

// Its application has reported.
void take_stats(Window& window, const sail::StreamStats& stats, const Reports& reports);
// Time has passed, or a peer has come or gone.
void look_at(Window& window, const Reports& reports);

}  // namespace manager
