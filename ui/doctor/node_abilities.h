// Compares a display node's hardware, as reported by `vitrail-receiver --check`, with the wall
// file.
#pragma once

#include <optional>
#include <string>

#include "ui/doctor/finding.h"

namespace ui {

// Empty optional: no receiver is installed on this host.
std::optional<sail::Json> abilities_of_this_node();
// wall: from the answer of "list"; receiver: its receiver on this host, empty: none.
void check_abilities(const std::optional<sail::Json>& abilities, const sail::Json& wall,
                     const std::string& receiver, Findings& findings);

}  // namespace ui
