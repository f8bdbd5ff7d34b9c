// Makes the wall that is about to be shown: with a scene, and with what event rules do to single
// windows. Pure.
#pragma once

#include <optional>
#include <vector>

#include "manager/programs/process_restarter.h"
#include "manager/sessions/saved_wall.h"
#include "sail/core/wall/event_actions.h"

namespace sail {
struct Wall;
}  // namespace sail

namespace manager {

// Returns the wall with the scene's windows in the area in place of the base's. No area: the scene.
// Windows of the base keep their numbers, those of the scene get none.
SavedWall with_scene(const SavedWall& base, SavedWall scene, const std::optional<sail::Rect>& area);

// Changes the windows of `shown`, a wall of the size of `wall`, one action after the other. An
// action concerns the topmost window with this title, else with this label, else with this source
// (one of its media, or its application). Returns the actions that cannot be carried out: `shown`
// has no such window, or no such area. Windows of actions are not hidden, blank or frozen.
std::vector<RestartResult::Failure> carry_out(const std::vector<sail::EventAction>& actions,
                                              const sail::Wall& wall, SavedWall& shown);

}  // namespace manager
