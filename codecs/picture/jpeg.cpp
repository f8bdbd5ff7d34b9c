#include "codecs/picture/jpeg.h"

#include <csetjmp>
#include <cstdio>
#include <cstdlib>
// After <cstdio>, because it uses FILE without including it.
#include <jpeglib.h>

namespace codecs {
namespace {

// On errors libjpeg jumps back instead of ending the process; its messages are suppressed.
struct Escape {
  jpeg_error_mgr errors;
  std::jmp_buf back;
};

[[noreturn]] void leave(j_common_ptr state) {
  std::longjmp(reinterpret_cast<Escape*>(state->err)->back, 1);
}

void say_nothing(j_common_ptr /*state*/) {}

// No object here has a destructor, which the jump would skip.
bool compress(const uint8_t* rgb, int width, int height, int quality, unsigned char** out,
              unsigned long* out_bytes) {
  jpeg_compress_struct state;
  Escape escape;
  state.err = jpeg_std_error(&escape.errors);
  escape.errors.error_exit = leave;
  escape.errors.output_message = say_nothing;
  if (setjmp(escape.back) != 0) {
    jpeg_destroy_compress(&state);
    return false;
  }
  jpeg_create_compress(&state);
  jpeg_mem_dest(&state, out, out_bytes);
  state.image_width = static_cast<JDIMENSION>(width);
  state.image_height = static_cast<JDIMENSION>(height);
  state.input_components = 3;
  state.in_color_space = JCS_RGB;
  jpeg_set_defaults(&state);
  jpeg_set_quality(&state, quality, TRUE);
  jpeg_start_compress(&state, TRUE);
  while (state.next_scanline < state.image_height) {
    // The library only reads it.
    auto* row = const_cast<JSAMPLE*>(rgb + static_cast<size_t>(state.next_scanline) * 3 *
                                               static_cast<size_t>(width));
    jpeg_write_scanlines(&state, &row, 1);
  }
  jpeg_finish_compress(&state);
  jpeg_destroy_compress(&state);
  return true;
}

}  // namespace

std::vector<uint8_t> encode_jpeg(std::span<const uint8_t> rgb, int width, int height, int quality) {
  unsigned char* out = nullptr;
  unsigned long out_bytes = 0;
  const bool done = compress(rgb.data(), width, height, quality, &out, &out_bytes);
  std::vector<uint8_t> jpeg;
  if (done && out != nullptr) jpeg.assign(out, out + out_bytes);
  std::free(out);
  return jpeg;
}

std::vector<uint8_t> encode_jpeg_within(std::span<const uint8_t> rgb, int width, int height,
                                        size_t max_bytes) {
  // A small picture of pure noise needs the lowest quality.
  for (const int quality : {75, 50, 20, 5}) {
    auto jpeg = encode_jpeg(rgb, width, height, quality);
    if (jpeg.size() <= max_bytes) return jpeg;
  }
  return {};
}

}  // namespace codecs
