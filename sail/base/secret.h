// What must not be guessed, and its comparison. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sail {

// From the system's generator; never 0.
uint64_t random_secret();
// 128 bits of it as 32 hexadecimal digits.
std::string random_word();

// Takes the same time wherever the texts differ (not whatever their lengths are).
bool same_text(std::string_view a, std::string_view b);

}  // namespace sail
