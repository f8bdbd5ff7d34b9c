// What is seen of players that work on opening their window: a place, a label on the wall, an entry
// of the state. Thread: the loop's.
#pragma once

#include <vector>

#include "manager/players.h"
#include "sail/base/geometry.h"
#include "sail/wire/json.h"
#include "sail/wire/overlay.h"

namespace manager {

class Desk;

// Where its window may come to stand: where it was asked for, or as one of a usual size would.
sail::Rect place_for(const Desk& desk, const PlayRequest& request);

// The labels with one more for each.
std::vector<sail::OverlayLabel> with_openings(std::vector<sail::OverlayLabel> labels,
                                              const std::vector<Players::Opening>& openings);

sail::Json to_json(const std::vector<Players::Opening>& openings);

}  // namespace manager
