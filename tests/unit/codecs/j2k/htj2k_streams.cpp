#include "tests/unit/codecs/j2k/htj2k_streams.h"

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
  const bool is_rgb = header.components >= 3 && header.chroma_step_x == 1;
  target.color = {is_rgb ? ColorMatrix::kRgb : ColorMatrix::kBt709, ColorRange::kFull};
  target.pixels = pixels.target();
  const bool decoded = decoder.decode(codestream, target);
  EXPECT_TRUE(pixels.guards_untouched());
  return decoded ? pixels.pixels() : Bytes{};
}

Bytes decode(J2kDecoder& decoder, const Bytes& bytes, const ImageView& frame, int reduction) {
  GuardedPixels pixels(reduced_side(frame.width, reduction), reduced_side(frame.height, reduction));
  const J2kTarget target{.width = frame.width,
                         .height = frame.height,
                         .reduction = reduction,
                         .color = color_of(frame),
                         .pixels = pixels.target()};
  const bool decoded = decoder.decode(bytes, target);
  EXPECT_TRUE(pixels.guards_untouched());
  return decoded ? pixels.pixels() : Bytes{};
}

int greatest_difference(const Bytes& one, const Bytes& other) {
  if (one.size() != other.size()) return 256;
  int greatest = 0;
  for (size_t i = 0; i < one.size(); ++i)
    greatest = std::max(greatest, std::abs(one[i] - other[i]));
  return greatest;
}

}  // namespace codecs::test
