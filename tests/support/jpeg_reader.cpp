#include "tests/support/jpeg_reader.h"

#include <cstdio>
// After cstdio: jpeglib.h uses FILE without including it.
#include <jpeglib.h>

namespace sail::test {

std::array<int, 3> RgbPicture::at(int x, int y) const {
  const size_t first =
      3 * (static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x));
  return {pixels.at(first), pixels.at(first + 1), pixels.at(first + 2)};
}

RgbPicture read_jpeg(std::span<const uint8_t> bytes) {
  jpeg_decompress_struct state;
  jpeg_error_mgr errors;
  state.err = jpeg_std_error(&errors);
  jpeg_create_decompress(&state);
  jpeg_mem_src(&state, bytes.data(), bytes.size());
  jpeg_read_header(&state, TRUE);
  state.out_color_space = JCS_RGB;
  jpeg_start_decompress(&state);
  RgbPicture picture{.width = static_cast<int>(state.output_width),
                     .height = static_cast<int>(state.output_height),
                     .pixels = {}};
  const size_t row_bytes = size_t{3} * state.output_width;
  picture.pixels.resize(row_bytes * state.output_height);
  while (state.output_scanline < state.output_height) {
    uint8_t* row = picture.pixels.data() + row_bytes * state.output_scanline;
    jpeg_read_scanlines(&state, &row, 1);
  }
  jpeg_finish_decompress(&state);
  jpeg_destroy_decompress(&state);
  return picture;
}

}  // namespace sail::test
