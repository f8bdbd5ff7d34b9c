// OpenJPH (0.9 and what came later) behind the interface of our coders. It ends the process over
// some broken codestreams, transforms one sample to one sample wrongly, and two rows in its lossy
// transform: pictures here have more of them.
#pragma once

#include <memory>

#include "codecs/j2k.h"

namespace codecs::test {

std::unique_ptr<J2kEncoder> make_openjph_encoder();
std::unique_ptr<J2kDecoder> make_openjph_decoder();

}  // namespace codecs::test
