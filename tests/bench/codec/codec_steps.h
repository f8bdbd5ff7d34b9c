// One encoder that encodes a frame for each line of input, to compare two builds in turns.
#pragma once

#include "codecs/dxt/dxt.h"
#include "tests/bench/codec/picture.h"

namespace bench {

// Encodes the picture in blocks, as streams do, once for each line on standard input until the
// input ends. Prints the CPU time of each in ns, one a line. more_pct: share of the height that is
// encoded twice, to simulate a slower encoder.
void run_codec_steps(const Picture& picture, codecs::CodecId codec, codecs::DxtMode mode,
                     double more_pct);

}  // namespace bench
