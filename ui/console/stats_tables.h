// The answer of the verb "stats" as tables for people. Pure.
#pragma once

#include <string>

#include "sail/wire/json.h"

namespace ui {

// Streams, what they dropped and why, their links with the packets lost, receivers. Tables that
// would be empty are left out.
std::string stats_text(const sail::Json& stats);

// Counts as bars of one column each, "▂█▁··": high as the logarithm, so that a single one is seen
// beside thousands; what is no list of numbers gives nothing.
std::string bars(const sail::Json& counts);

}  // namespace ui
