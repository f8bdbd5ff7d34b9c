// Where applications may run besides the manager's host, by the wall file. Pure.
#pragma once

#include <vector>

#include "manager/sources.h"
#include "sail/wall/wall.h"

namespace manager {

// Its apps; its receivers' hosts, too, under their names.
std::vector<sail::AppPlace> render_nodes(const sail::Wall& wall);

// Those of apps that have a command go with the others that people may start. kConflict when one of
// these has the same name.
sail::Result<void> add_app_commands(const sail::Wall& wall, std::vector<Source>& commands);

}  // namespace manager
