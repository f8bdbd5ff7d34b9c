// Whether a program has come to the events that were sent to it. One thread.
#pragma once

#include "sail/desk/x11_connection.h"

namespace sail {

// Waits until the program with the keyboard's focus has handled all events so far, kPingPatienceMs
// at most. Programs answer pings (_NET_WM_PING of the Extended Window Manager Hints) in their turn
// with other events. For one that answers none this waits kUnansweredMs. It takes all events that
// come to the connection meanwhile.
void await_reader(X11Connection& x11);

constexpr int kPingPatienceMs = 500;
constexpr int kUnansweredMs = 30;

}  // namespace sail
