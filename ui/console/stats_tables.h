// The answers of the verbs "stats", "clocks" and "why" for people. Pure.
#pragma once

#include <string>

#include "sail/wire/json.h"

namespace ui {

// Streams, of which each that is not well says why, what they dropped, their links with the packets
// lost, receivers. Tables that would be empty are left out.
std::string stats_text(const sail::Json& stats);
// What wall time is, and how well each peer knows it.
std::string clocks_text(const sail::Json& clocks);
// Which place of a window of that answer is too slow, and what to do.
std::string why_text(const sail::Json& window);
// The answer of the verb "why" for the whole wall.
std::string health_text(const sail::Json& health);

// Counts as bars of one column each, "▂█▁··": high as the logarithm, so that a single one is seen
// beside thousands; what is no list of numbers gives nothing.
std::string bars(const sail::Json& counts);

}  // namespace ui
