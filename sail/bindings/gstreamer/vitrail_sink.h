// Interface between the elements of the plugin.
#pragma once

#include <gst/gst.h>
#include <sail/sail.h>

#include <cstdint>

G_BEGIN_DECLS
GST_ELEMENT_REGISTER_DECLARE(vitrailsink)
GST_ELEMENT_REGISTER_DECLARE(vitrailaudiosink)
G_END_DECLS

namespace sail {

// Name of the context in which a vitrailsink announces itself to its pipeline; field "sink" holds
// the element.
constexpr const char* kSinkContext = "vitrail.sink";

// Plays sound in the window of this vitrailsink, which submits the pictures of the same instant
// in_ns from now. audio.at_ns is overwritten. Does nothing while there is no window. Returns false
// if libsail rejects the sound. Any thread.
bool play_beside(GstElement* vitrailsink, sail_audio audio, int64_t in_ns);

}  // namespace sail
