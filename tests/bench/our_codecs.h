// Our own codecs as candidates.
#pragma once

#include <vector>

#include "tests/bench/candidate.h"
#include "tests/bench/scene.h"

namespace bench {

// Every mode with every kernel that this machine can run, from R, G, B, A; DXT1 and YCoCg from
// I420, and DXT1 from NV12, with the vector kernels; the decoder with every kernel. The scene must
// outlive the candidates.
void add_our_codec(Scene& scene, codecs::CodecId codec, std::vector<Candidate>& candidates);

}  // namespace bench
