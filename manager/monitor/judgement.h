// Judges a window's health from the reports of its application, of the receivers that show it, and
// of their machines. Pure; times are arguments.
#pragma once

#include <cstdint>

#include "manager/monitor/diagnosis.h"
#include "manager/peers/receiver_roster.h"
#include "manager/wall/window_stack.h"
#include "sail/core/wall/wall.h"

namespace manager {

class Director;
class Hosts;

// Everything known besides the window itself, and the times.
struct Reports {
  const sail::Wall& wall;
  const ReceiverRoster& receivers;
  const Hosts& hosts;
  const Director* director = nullptr;  // null: layouts are unknown.
  WallSwitches switches{};
  int64_t now_ns = 0;  // Steady.
  int64_t now_s = 0;   // Seconds since 1970.
  int64_t wall_ns = 0;
};

// Whether a receiver that has reported has now sent nothing for too long.
bool is_stalled(const ReceiverEntry& receiver, int64_t now_ns);

Flow flow_of(const Window& window, const Reports& reports);

// The window's application has reported.
void take_stats(Window& window, const sail::StreamStats& stats, const Reports& reports);
// Time has passed, or a peer has come or gone.
void evaluate_window(Window& window, const Reports& reports);

}  // namespace manager
