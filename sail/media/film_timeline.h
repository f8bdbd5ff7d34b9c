// When a picture of a film is to be seen that goes by a timeline. Pure; times in ns.
#pragma once

#include <cstdint>

#include "sail/wire/group.h"

namespace sail {

// The instant of the picture that is due at about that one. Where pictures come evenly, one every
// interval_ns of the film, all who go by the timeline come to the same: a round number of intervals
// from the film's beginning, so that neither a clock that drifts nor a film's odd times set them
// apart.
int64_t presentation_ns(const Timeline& timeline, int64_t due_wall_ns, int64_t interval_ns);

// All who go by a paused timeline hand over the picture at which it stands at its instant, and once
// more at others, soon at first and ever more rarely: who was late for one, or beyond it already,
// meets the rest at the next. The first of them that is not before that.
int64_t standing_ns(const Timeline& timeline, int64_t wall_ns);

}  // namespace sail
