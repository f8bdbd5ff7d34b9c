// The codestreams of tests/unit/codecs/streams, and what decoders make of such.
#pragma once

#include "codecs/j2k/j2k.h"
#include "tests/unit/codecs/color/pictures.h"

namespace codecs::test {

Bytes read_stream(const char* name);

// The pixels; empty where the decoder refuses.
Bytes decode(J2kDecoder& decoder, const Bytes& codestream, const J2kHeader& header, int reduction);
// In the frame's size and colours.
Bytes decode(J2kDecoder& decoder, const Bytes& bytes, const ImageView& frame, int reduction = 0);

// Of two samples at the same place; 256 where the pictures have different sizes.
int greatest_difference(const Bytes& one, const Bytes& other);

}  // namespace codecs::test
