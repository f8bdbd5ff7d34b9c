// Reads a SAGE configuration file into a sailConfig.
#pragma once

#include <string>
#include <string_view>

#include "sail/sage/include/sail.h"

namespace vitrail {

// Parses `text`. Reports invalid values and ignored keys on standard error. `file`: name for
// messages.
void read_settings(sailConfig& config, const std::string& file, std::string_view text);

}  // namespace vitrail
