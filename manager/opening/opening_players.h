// Shows players that are still opening their window: a rectangle, a label on the wall, and an entry
// of the state. Runs on the loop thread.
#pragma once

#include <vector>

#include "manager/programs/players.h"
#include "sail/core/base/geometry.h"
#include "sail/core/text/json.h"
#include "sail/core/wire/overlay.h"

namespace manager {

class Desk;

// Returns the probable place of the window: as requested, or chosen for 1920×1080 pixels.
sail::Rect place_for(const Desk& desk, const PlayRequest& request);

// Returns the labels plus one for each opening.
std::vector<sail::OverlayLabel> with_openings(std::vector<sail::OverlayLabel> labels,
                                              const std::vector<Players::Opening>& openings);

sail::Json to_json(const std::vector<Players::Opening>& openings);

}  // namespace manager
