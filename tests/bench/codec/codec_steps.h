// One encoder, a frame for each line of input: for who compares two builds in turns.
#pragma once

#include "codecs/dxt/dxt.h"
#include "tests/bench/codec/picture.h"

namespace bench {

// Encodes the picture in pixel blocks, as streams do, once for each line on standard input, and
// tells on standard output how much CPU time that took, ns, a line each, until the input ends.
// more_pct: so much of its height is encoded twice, as if the encoder were slower.
void run_codec_steps(const Picture& picture, codecs::CodecId codec, codecs::DxtMode mode,
                     double more_pct);

}  // namespace bench
