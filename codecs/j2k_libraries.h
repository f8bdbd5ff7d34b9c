// The libraries behind make_j2k_encoder() and make_j2k_decoder(). Internal to codecs/.
#pragma once

#include <memory>

#include "codecs/cpu.h"
#include "codecs/j2k.h"

namespace codecs {

std::unique_ptr<J2kEncoder> make_openjpeg_encoder();
std::unique_ptr<J2kDecoder> make_openjpeg_decoder();
// High throughput by this project's own code.
std::unique_ptr<J2kEncoder> make_htj2k_encoder(CpuLevel cpu);
std::unique_ptr<J2kDecoder> make_htj2k_decoder(CpuLevel cpu);
std::unique_ptr<J2kEncoder> make_openjph_encoder();
std::unique_ptr<J2kDecoder> make_openjph_decoder();

// Levels of the wavelet transform at any size: every block can be halved kMaxReduction times.
constexpr int kJ2kLevels = 5;
// Levels for a picture whose components have at least so many rows. OpenJPH 0.9 codes two rows
// wrongly in its lossy transform, so that each of its levels begins with three or more.
int openjph_levels(int rows, bool lossless);
constexpr int kJ2kCodeBlockSide = 64;

}  // namespace codecs
