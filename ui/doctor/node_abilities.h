// What a display node can do, which `vitrail-receiver --check` knows, against the wall file.
#pragma once

#include <optional>
#include <string>

#include "ui/doctor/finding.h"

namespace ui {

// Nothing: no receiver is installed here.
std::optional<sail::Json> abilities_of_this_node();
// wall: as `list` tells it; receiver: the one of it that this node is, empty: none.
void check_abilities(const std::optional<sail::Json>& abilities, const sail::Json& wall,
                     const std::string& receiver, Findings& findings);

}  // namespace ui
