#include "tests/bench/pictures/noise.h"

namespace bench {

uint32_t hash(uint32_t x, uint32_t y, uint32_t seed) {
  uint32_t h = x * 0x9E3779B1u ^ y * 0x85EBCA77u ^ seed * 0xC2B2AE3Du;
  h ^= h >> 15;
  h *= 0x2C1B3C6Du;
  h ^= h >> 12;
  return h;
}

float value_noise(int x, int y, int cell, uint32_t seed) {
  const int cx = x / cell;
  const int cy = y / cell;
  const float fx = static_cast<float>(x % cell) / static_cast<float>(cell);
  const float fy = static_cast<float>(y % cell) / static_cast<float>(cell);
  const auto at = [&](int dx, int dy) {
    return static_cast<float>(
               hash(static_cast<uint32_t>(cx + dx), static_cast<uint32_t>(cy + dy), seed) &
               0xFFFF) /
           65535.0f;
  };
  const float top = at(0, 0) + (at(1, 0) - at(0, 0)) * fx;
  const float bottom = at(0, 1) + (at(1, 1) - at(0, 1)) * fx;
  return top + (bottom - top) * fy;
}

}  // namespace bench
