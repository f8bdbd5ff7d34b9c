// Reads the codestreams in tests/unit/codecs/streams, and decodes them.
#pragma once

#include "codecs/j2k/j2k.h"
#include "tests/unit/codecs/color/pictures.h"

namespace codecs::test {

Bytes read_stream(const char* name);

// Returns the pixels; empty if the decoder fails.
Bytes decode(J2kDecoder& decoder, const Bytes& codestream, const J2kHeader& header, int reduction);
// Decodes with the frame's size and colours.
Bytes decode(J2kDecoder& decoder, const Bytes& bytes, const ImageView& frame, int reduction = 0);

// Greatest difference of two samples at the same position; 256 if the sizes differ.
int greatest_difference(const Bytes& one, const Bytes& other);

}  // namespace codecs::test
