// What must not be guessed: numbers from the system's generator, and the comparison of tokens.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace manager {

// Any thread. Never 0.
uint64_t random_secret();
// 32 hexadecimal digits.
std::string random_token();

// Takes the same time wherever the texts differ (not whatever their lengths are).
bool same_token(std::string_view a, std::string_view b);

}  // namespace manager
