// What verbs about layouts and saved sessions touch.
#pragma once

#include "manager/commands/gate_request.h"

namespace manager::gate {

void scene_show(const Asked& asked);
void session_restore(const Asked& asked);
void layout(const Asked& asked);
// A session that is replaced or removed.
void saved_scene(const Asked& asked);
// Event rules and the schedule show scenes for the wall, so the client that replaces such a scene
// needs the rights to show what the scene brings.
void session_save(const Asked& asked);
void session_put(const Asked& asked);

}  // namespace manager::gate
