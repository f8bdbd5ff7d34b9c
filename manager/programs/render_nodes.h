// The nodes of the wall file that applications may run on, besides the manager's host. Pure.
#pragma once

#include <vector>

#include "manager/media/sources.h"
#include "sail/core/wall/wall.h"

namespace manager {

// Returns the wall's apps, and the hosts of its receivers under the receivers' names.
std::vector<sail::AppPlace> render_nodes(const sail::Wall& wall);

// Adds apps with a command to the commands for people. kConflict: a command has the same name.
sail::Result<void> add_app_commands(const sail::Wall& wall, std::vector<Source>& commands);

}  // namespace manager
