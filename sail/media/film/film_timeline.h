// Presentation times of films that follow a shared timeline. Pure; times in ns.
#pragma once

#include <cstdint>

#include "sail/core/wire/group.h"

namespace sail {

// Rounds a due time to the grid of pictures: a whole number of intervals (film time) from the
// film's beginning. Every member of the group thus computes the same time for the same picture,
// despite clock drift and irregular time stamps.
int64_t presentation_ns(const Timeline& timeline, int64_t due_wall_ns, int64_t interval_ns);

// While the timeline is paused, all members submit the same picture at at_ns, and again at agreed
// instants with doubling intervals. A member that missed one instant meets the others at the next.
// Returns the first such instant that is not before wall_ns.
int64_t standing_ns(const Timeline& timeline, int64_t wall_ns);

}  // namespace sail
