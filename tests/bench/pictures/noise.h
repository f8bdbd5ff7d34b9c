// Repeatable noise for pictures: the same values on every machine. Pure.
#pragma once

#include <cstdint>

namespace bench {

uint32_t hash(uint32_t x, uint32_t y, uint32_t seed);

// Smooth between lattice points `cell` pixels apart, 0 … 1; x, y ≥ 0.
float value_noise(int x, int y, int cell, uint32_t seed);

}  // namespace bench
