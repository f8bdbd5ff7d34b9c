// Decodes JPEG images, for tests.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace sail::test {

struct RgbPicture {
  int width = 0;
  int height = 0;
  std::vector<uint8_t> pixels;  // R, G, B

  std::array<int, 3> at(int x, int y) const;
};

// Invalid data ends the process.
RgbPicture read_jpeg(std::span<const uint8_t> bytes);

}  // namespace sail::test
