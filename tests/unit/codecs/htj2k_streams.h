// The codestreams of tests/unit/codecs/streams, and what decoders make of such.
#pragma once

#include "codecs/j2k.h"
#include "tests/unit/codecs/pictures.h"

namespace codecs::test {

Bytes read_stream(const char* name);

// The pixels; empty where the decoder refuses.
Bytes decode(J2kDecoder& decoder, const Bytes& codestream, const J2kHeader& header, int reduction);

}  // namespace codecs::test
