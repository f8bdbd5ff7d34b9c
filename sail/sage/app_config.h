// A file of settings, read into a sailConfig.
#pragma once

#include <string>
#include <string_view>

#include "sail/sage/include/sail.h"

namespace vitrail {

// Says on standard error what of it is no value for its key, and which keys mean nothing here.
void read_settings(sailConfig& config, const std::string& file, std::string_view text);

}  // namespace vitrail
