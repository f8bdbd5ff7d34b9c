// How fast any codec could be on this machine: loops that move a codec's bytes and compute next to
// nothing, four rows of pixels at a time, as codecs must.
#pragma once

#include <vector>

#include "tests/bench/candidate.h"
#include "tests/bench/scene.h"

namespace bench {

// Encode: reads the frame's 4 bytes a pixel, writes the codec's blocks. Decode: reads the blocks,
// writes 4 bytes a pixel. Frames without alpha in YUV have no limit of their own: what is encoded
// from them is compared with the limit of the R, G, B, A frame.
void add_memory_limits(Scene& scene, codecs::CodecId codec, std::vector<Candidate>& candidates);

}  // namespace bench
