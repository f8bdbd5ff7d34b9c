// Pictures and documents for tests, whose pixels are functions of where they are.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/reference_wall.h"

namespace test {

// By the name's ending: .png, .tif and so on.
void write_picture(const std::string& path, sail::Size size, const Colours& colours);

// Grey in squares of 16 pixels: averages of up to 16 by 16 of them are again the function, so the
// levels of a pyramid are exact, and a huge picture is written quickly.
constexpr int kMosaicSide = 16;
uint8_t mosaic(int x, int y);
enum class Levels { kNone, kPages, kSubifds };
// A TIFF of tiles. size: multiples of kMosaicSide.
void write_mosaic(const std::string& path, sail::Size size, Levels levels);

// A document with a page for each colour, which fills its left half; the right half is white.
// page: points.
void write_pdf(const std::string& path, sail::Size page, const std::vector<uint32_t>& colours);

}  // namespace test
