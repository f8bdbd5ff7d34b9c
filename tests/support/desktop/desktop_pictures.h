// Test patterns for desktops: 0xRRGGBB of each pixel.
#pragma once

#include <cstdint>

namespace test {

inline uint32_t waves(int x, int y) {
  return static_cast<uint32_t>((x * 7 + y * 3) & 0xff) << 16 |
         static_cast<uint32_t>((x ^ y) & 0xff) << 8 | static_cast<uint32_t>((x * 5 + y) & 0xff);
}

inline uint32_t stripes(int x, int y) {
  return (x + 2 * y) % 7 < 3 ? 0xff8040 : 0x102030;
}

}  // namespace test
