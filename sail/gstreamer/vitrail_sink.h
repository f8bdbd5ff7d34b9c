// What the elements of the plugin know of each other.
#pragma once

#include <gst/gst.h>
#include <sail/sail.h>

#include <cstdint>

G_BEGIN_DECLS
GST_ELEMENT_REGISTER_DECLARE(vitrailsink)
GST_ELEMENT_REGISTER_DECLARE(vitrailaudiosink)
G_END_DECLS

namespace sail {

// The context by which a vitrailsink makes itself known to its pipeline: the element, as "sink".
constexpr const char* kSinkContext = "vitrail.sink";

// Sound with the pictures of that vitrailsink, which submits those of the same instant in_ns from
// now. Its at_ns is overwritten. Nothing happens while there is no window. False: libsail does not
// take it. Any thread.
bool play_beside(GstElement* vitrailsink, sail_audio audio, int64_t in_ns);

}  // namespace sail
