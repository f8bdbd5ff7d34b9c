// What this node can do, for `vitrail doctor`: looks, and opens nothing that stays.
#pragma once

#include "sail/wire/json.h"

namespace receiver {

// {"kernels", "codecs", "renderer" (a sentence; "software": true when it is the CPU), "displays":
// [[x, y, width, height], ...], "sound": names of cards, "realtime": whether a receiver may go
// before other programs}; what cannot be looked at is "…_error". The calling thread goes first from
// then on.
sail::Json check_node();

}  // namespace receiver
