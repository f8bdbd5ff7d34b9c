// Reports what this node can do, for `vitrail doctor`. Leaves no window or device open.
#pragma once

#include "sail/core/text/json.h"

namespace receiver {

// Returns {"kernels", "renderer" (GL_RENDERER; "software": true if it runs on the CPU), "displays":
// [[x, y, width, height], ...], "sound": [names of cards], "realtime": true if the user may use
// real-time scheduling}. A failed check is reported as "…_error". Side effect: the calling thread
// gets real-time priority if permitted.
sail::Json check_node();

}  // namespace receiver
