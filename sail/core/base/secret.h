// Unguessable random values, and comparison of secrets. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sail {

// From the system's random generator; never 0.
uint64_t random_secret();
// 128 random bits as 32 hexadecimal digits.
std::string random_word();

// Constant-time comparison; the time reveals only whether the lengths differ.
bool same_text(std::string_view a, std::string_view b);

}  // namespace sail
