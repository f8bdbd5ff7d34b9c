// What the environment says. Any thread, as long as none changes it.
#pragma once

#include <string>

namespace sail {

// The variable's value; "" without.
std::string environment(const char* name);

// Whether standard error is a terminal on which text can be drawn anew in its place.
bool takes_control_codes();

}  // namespace sail
