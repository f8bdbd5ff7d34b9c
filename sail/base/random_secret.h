// Numbers that must not be guessed.
#pragma once

#include <cstdint>

namespace sail {

// From the system's generator; never 0. Any thread.
uint64_t random_secret();

}  // namespace sail
