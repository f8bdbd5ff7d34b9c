// Converts input on a window to GStreamer navigation events. Pure.
#pragma once

#include <gst/gst.h>
#include <sail/sail.h>

namespace sail {

// Coordinates are video pixels. Returns null if GStreamer has no matching event. The caller owns
// the event.
GstEvent* navigation_of(const sail_input& input);

}  // namespace sail
