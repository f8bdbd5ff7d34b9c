// Waits until a program has handled its events. One thread.
#pragma once

#include "sail/apps/share/x11/x11_connection.h"

namespace sail {

// Waits until the program with the keyboard focus has handled all events so far, at most
// kPingTimeoutMs. Programs answer pings (_NET_WM_PING of the Extended Window Manager Hints) in
// order with other events. If the program does not support pings, waits kUnansweredMs. Consumes all
// events of the connection meanwhile.
void await_reader(X11Connection& x11);

constexpr int kPingTimeoutMs = 500;
constexpr int kUnansweredMs = 30;

}  // namespace sail
