// Whether a Wayland display has a seat. libwayland-client lives in this file and nowhere else.
#pragma once

namespace receiver {

// Mouse, keyboard or touch of the display $WAYLAND_DISPLAY. True, too, when no display answers: who
// opens it will say so.
bool wayland_has_seat();

}  // namespace receiver
