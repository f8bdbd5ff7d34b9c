// Detects whether a Wayland display has a seat. Only this file uses libwayland-client.
#pragma once

namespace receiver {

// Returns true if $WAYLAND_DISPLAY has a mouse, keyboard or touch device. Also true if no display
// answers; opening it will report the error.
bool wayland_has_seat();

}  // namespace receiver
