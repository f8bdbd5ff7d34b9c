// Formats the answers of the verbs "stats", "clocks" and "why" as text. Pure.
#pragma once

#include <string>

#include "sail/core/text/json.h"

namespace ui {

// Tables of streams with the cause of each problem, of dropped frames, of links with packet loss,
// and of receivers. Empty tables are left out.
std::string stats_text(const sail::Json& stats);
// The source of wall time, each peer's clock offset and error, and the displays' refresh phases.
std::string clocks_text(const sail::Json& clocks);
// Formats the answer of the verb "memory".
std::string memory_text(const sail::Json& memory);
// Names the slow stage and what to do. window: a window of the answer of "stats" or "why".
std::string why_text(const sail::Json& window);
// The answer of the verb "why" for the whole wall.
std::string health_text(const sail::Json& health);

// Counts as bars of one column each, "▂█▁··", on a logarithmic scale so that 1 is visible beside
// thousands. Returns an empty text if `counts` is not an array of numbers.
std::string bars(const sail::Json& counts);

}  // namespace ui
