// Cycles of our high-throughput JPEG 2000 by stage.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "codecs/base/cpu.h"
#include "tests/bench/codec/scene.h"

namespace bench {

enum class J2kStage { kColor, kWavelet, kQuantise, kBlocks, kPackets, kRest };
constexpr size_t kJ2kStages = 6;

struct J2kProfile {
  std::string content;
  std::string kernel;
  std::string side;  // encode, decode, or decode at half size
  double cycles_per_pixel = 0;
  std::array<double, kJ2kStages> shares{};  // share of each stage
};

// At kJ2kBitsPerPixel, in the blocks of streams, on one thread, for about `seconds` each.
std::vector<J2kProfile> profile_j2k(Scene& scene, const Scene::Source& source,
                                    codecs::CpuLevel level, double seconds);

void print_profiles(const std::vector<J2kProfile>& profiles);

}  // namespace bench
