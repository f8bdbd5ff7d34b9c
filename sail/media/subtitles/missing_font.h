// What people can do if no font has a character of a subtitle. Pure.
#pragma once

#include <cstdint>
#include <string>

namespace sail {

// A phrase that names the character, its script and a package with fonts; empty for characters
// without a shape, such as joiners.
std::string missing_font(uint32_t character);

}  // namespace sail
