// Writes pictures and documents for tests; their pixels are functions of the position.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/reference_wall.h"

namespace test {

// The format follows the file extension: .png, .tif and so on.
void write_picture(const std::string& path, sail::Size size, const Colours& colours);

// Afterwards the JPEG file's header can be read, but no pixel.
void hide_quantisation_tables(const std::string& jpeg);

// Afterwards the PNG file's header can be read, but no pixel.
void hide_pixels(const std::string& png);

// Grey squares of 16 pixels. Averages of up to 16 by 16 pixels give the function again, so pyramid
// levels are exact and a huge picture is written quickly.
constexpr int kMosaicSide = 16;
uint8_t mosaic(int x, int y);
enum class Levels { kNone, kPages, kSubifds };
// Writes a tiled TIFF. size: multiples of kMosaicSide.
void write_mosaic(const std::string& path, sail::Size size, Levels levels);

// Writes a document with one page for each colour: the colour fills the left half, the right half
// is white. page: size in points.
void write_pdf(const std::string& path, sail::Size page, const std::vector<uint32_t>& colours);

}  // namespace test
