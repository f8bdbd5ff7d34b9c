// Carries out what event rules do to single windows, on a wall that is about to be shown. Pure.
#pragma once

#include <vector>

#include "manager/programs/process_restarter.h"
#include "manager/sessions/saved_wall.h"
#include "sail/core/wall/event_actions.h"

namespace sail {
struct Wall;
}  // namespace sail

namespace manager {

// Changes the windows of `shown`, a wall of the size of `wall`, one action after the other. An
// action concerns the topmost window with this title, else with this label, else with this source
// (one of its media, or its application). Returns the actions that cannot be carried out: `shown`
// has no such window, or no such area.
std::vector<RestartResult::Failure> carry_out(const std::vector<sail::EventAction>& actions,
                                              const sail::Wall& wall, SavedWall& shown);

}  // namespace manager
