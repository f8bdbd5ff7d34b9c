// FFmpeg's DXT as candidates. Its block functions (texturedsp, texturedspenc) are not exported;
// the Hap encoder and decoder of libavcodec are thin wrappers of them: hap is DXT1, hap_alpha is
// DXT5, and hap_q is DXT5-YCoCg with a scale, laid out as ours.
#pragma once

#include <vector>

#include "tests/bench/candidate.h"
#include "tests/bench/scene.h"

namespace bench {

// Adds nothing where libavcodec was built without Hap. The scene must outlive the candidates.
void add_hap(Scene& scene, codecs::CodecId codec, std::vector<Candidate>& candidates);

}  // namespace bench
