// Reads a SAGE configuration file into a sailConfig.
#pragma once

#include <string>
#include <string_view>

#include "sail/bindings/sage/include/sail.h"

namespace vitrail {

// Parses `text`; prints invalid values and ignored keys. `file`: name for the messages.
void read_settings(sailConfig& config, const std::string& file, std::string_view text);

}  // namespace vitrail
