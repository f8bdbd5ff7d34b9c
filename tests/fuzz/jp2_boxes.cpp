// The boxes around a codestream: the codestream found must lie within the input.
#include "sail/media/source/jp2_boxes.h"
#include "tests/fuzz/fuzz.h"

FUZZ_TARGET(jp2_boxes) {
  const std::span<const uint8_t> bytes(data, size);
  const auto found = sail::find_codestream(bytes);
  if (!found) return 0;
  fuzz::require(found->codestream.size() >= 4, "a codestream has its first markers");
  fuzz::require(
      found->codestream.data() >= bytes.data() &&
          found->codestream.data() + found->codestream.size() <= bytes.data() + bytes.size(),
      "the codestream lies within the bytes");
  if (const auto header = codecs::read_j2k_header(found->codestream)) {
    sail::usual_color(*header, found->codestream);
  }
  return 0;
}
