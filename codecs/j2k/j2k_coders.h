// The coders used by make_j2k_encoder() and make_j2k_decoder(). Internal to codecs/.
#pragma once

#include <memory>

#include "codecs/base/cpu.h"
#include "codecs/j2k/j2k.h"

namespace codecs {

struct KernelSet;

// Part 1, by OpenJPEG.
std::unique_ptr<J2kEncoder> make_openjpeg_encoder();
std::unique_ptr<J2kDecoder> make_openjpeg_decoder();
// Part 15, by this project's own code.
std::unique_ptr<J2kEncoder> make_htj2k_encoder(CpuLevel cpu);
std::unique_ptr<J2kDecoder> make_htj2k_decoder(CpuLevel cpu);
// With kernels other than the level's for transforms and blocks; they must outlive the coders.
std::unique_ptr<J2kEncoder> make_htj2k_encoder(CpuLevel cpu, const KernelSet& kernels);
std::unique_ptr<J2kDecoder> make_htj2k_decoder(CpuLevel cpu, const KernelSet& kernels);

// Levels of the wavelet transform at any size: every block can be halved kMaxReduction times.
constexpr int kJ2kLevels = 5;
constexpr int kJ2kCodeBlockSide = 64;

}  // namespace codecs
