#include "tests/unit/codecs/htj2k_streams.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace codecs::test {

Bytes read_stream(const char* name) {
  std::ifstream file(std::string(STREAMS_FOLDER) + "/" + name + ".j2c", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Bytes decode(J2kDecoder& decoder, const Bytes& codestream, const J2kHeader& header, int reduction) {
  GuardedPixels pixels(reduced_side(header.width, reduction),
                       reduced_side(header.height, reduction));
  J2kTarget target;
  target.width = header.width;
  target.height = header.height;
  target.reduction = reduction;
  const bool is_rgb = header.components == 3 && header.chroma_step_x == 1;
  target.color = {is_rgb ? ColorMatrix::kRgb : ColorMatrix::kBt709, ColorRange::kFull};
  target.pixels = pixels.target();
  const bool decoded = decoder.decode(codestream, target);
  EXPECT_TRUE(pixels.guards_untouched());
  return decoded ? pixels.pixels() : Bytes{};
}

}  // namespace codecs::test
