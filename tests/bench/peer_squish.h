// libsquish as candidates: DXT1 and DXT5, range fit and cluster fit, and its decoder.
#pragma once

#include <vector>

#include "tests/bench/candidate.h"
#include "tests/bench/scene.h"

namespace bench {

// Adds nothing for YCoCg. The scene must outlive the candidates.
void add_squish(Scene& scene, codecs::CodecId codec, std::vector<Candidate>& candidates);

}  // namespace bench
