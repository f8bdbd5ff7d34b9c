// What people do over a window, as GStreamer's navigation events. Pure.
#pragma once

#include <gst/gst.h>
#include <sail/sail.h>

namespace sail {

// Coordinates are pixels of the video. Null: GStreamer has no such event. The caller owns it.
GstEvent* navigation_of(const sail_input& input);

}  // namespace sail
