// How a high-throughput codestream is coded: what its main header says beyond j2k_header.h.
// Internal to codecs/.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "codecs/htj2k_bands.h"
#include "codecs/j2k_header.h"

namespace codecs {

enum class Progression : uint8_t { kLrcp, kRlcp, kRpcl, kPcrl, kCprl };

struct Htj2kParameters {
  static constexpr int kMostComponents = 4;
  static constexpr size_t kMostBands = 3 * kMostJ2kLevels + 1;

  struct Quantisation {
    int guard_bits = 0;
    std::array<BandQuantiser, kMostBands> bands{};
  };

  J2kMainHeader header;
  int tile_width = 0;
  int tile_height = 0;
  Progression progression = Progression::kLrcp;
  int layers = 1;
  bool stripe_causal = false;
  // Of each resolution.
  std::array<uint8_t, kMostJ2kLevels + 1> precinct_width_log2{};
  std::array<uint8_t, kMostJ2kLevels + 1> precinct_height_log2{};
  std::array<Quantisation, kMostComponents> quantisations{};

  int step_x(int component) const {
    return component == 1 || component == 2 ? header.shape.chroma_step_x : 1;
  }
  int step_y(int component) const {
    return component == 1 || component == 2 ? header.shape.chroma_step_y : 1;
  }
  const BandQuantiser& quantiser(int component, int resolution, BandKind kind) const {
    const int band = resolution == 0 ? 0 : 3 * (resolution - 1) + kind;
    return quantisations[static_cast<size_t>(component)].bands[static_cast<size_t>(band)];
  }
  int planes(int component, int resolution, BandKind kind) const {
    return band_planes(quantiser(component, resolution, kind),
                       quantisations[static_cast<size_t>(component)].guard_bits);
  }
};

// Nothing when it is no codestream that read_j2k_main_header() takes, or not of high throughput.
std::optional<Htj2kParameters> read_htj2k_parameters(std::span<const uint8_t> codestream);

}  // namespace codecs
