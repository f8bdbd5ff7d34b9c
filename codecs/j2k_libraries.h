// The libraries behind make_j2k_encoder() and make_j2k_decoder(). Internal to codecs/.
#pragma once

#include <memory>

#include "codecs/j2k.h"

namespace codecs {

std::unique_ptr<J2kEncoder> make_openjpeg_encoder();
std::unique_ptr<J2kDecoder> make_openjpeg_decoder();
std::unique_ptr<J2kEncoder> make_openjph_encoder();
std::unique_ptr<J2kDecoder> make_openjph_decoder();

// Of the wavelet transform, whatever the size: every block can be halved kMaxReduction times.
constexpr int kJ2kLevels = 5;
constexpr int kJ2kCodeBlockSide = 64;

}  // namespace codecs
