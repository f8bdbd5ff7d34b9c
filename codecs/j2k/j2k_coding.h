// Coding, quantisation and packet order of a JPEG 2000 picture's or J2K tile's components: segments
// COD, COC, QCD, QCC and POC (ISO/IEC 15444-1, A.6). Internal to codecs/. Pure; no allocation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "codecs/j2k/htj2k_bands.h"
#include "codecs/j2k/j2k.h"
#include "codecs/j2k/j2k_markers.h"

namespace codecs {

enum class Progression : uint8_t { kLrcp, kRlcp, kRpcl, kPcrl, kCprl };

// A run of packets in one order: some resolutions and components, up to a layer. Packets that came
// before are skipped.
struct PacketRun {
  Progression order = Progression::kLrcp;
  int first_resolution = 0;
  int end_resolution = kMostJ2kLevels + 1;
  int first_component = 0;
  int end_component = kMostJ2kComponents;
  int end_layer = UINT16_MAX;
};

struct ComponentCoding {
  int levels = 0;
  int block_width_log2 = 0;  // of a code-block
  int block_height_log2 = 0;
  bool high_throughput = false;
  bool stripe_causal = false;
  bool reversible = false;
  // By resolution.
  std::array<uint8_t, kMostJ2kLevels + 1> precinct_width_log2{};
  std::array<uint8_t, kMostJ2kLevels + 1> precinct_height_log2{};
};

struct ComponentQuantisation {
  static constexpr size_t kMostBands = 3 * kMostJ2kLevels + 1;

  int guard_bits = 0;
  size_t known = 0;  // number of bands
  std::array<BandQuantiser, kMostBands> bands{};
};

class J2kCoding {
 public:
  static constexpr size_t kMostRuns = 32;  // POC entries

  // Reads one of the five segments. False if it is invalid, duplicate, or beyond the limits.
  bool read(uint16_t marker, MarkerReader body, int components);
  // From now on read() reads a tile's own segments, which override those of the main header.
  void begin_tile();
  bool is_whole() const { return read_.coding && read_.quantisation; }  // COD and QCD were read
  bool has_all_steps(int components) const;

  int layers() const { return layers_; }
  bool color_transform() const { return color_transform_; }
  bool has_own_components() const;  // COC was read
  bool changes_order() const { return changes_order_; }
  std::span<const PacketRun> runs() const { return std::span(runs_).first(run_count_); }
  const ComponentCoding& component(int i) const { return components_[static_cast<size_t>(i)]; }
  int least_levels(int components) const;
  int most_levels(int components) const;

  const BandQuantiser& quantiser(int component, int resolution, BandKind kind) const {
    const int band = resolution == 0 ? 0 : 3 * (resolution - 1) + kind;
    return quantisations_[static_cast<size_t>(component)].bands[static_cast<size_t>(band)];
  }
  int planes(int component, int resolution, BandKind kind) const {
    return band_planes(quantiser(component, resolution, kind),
                       quantisations_[static_cast<size_t>(component)].guard_bits);
  }

 private:
  // The segments read so far of the picture or the tile.
  struct MarkersRead {
    bool coding = false;
    bool quantisation = false;
    bool order = false;
    std::array<bool, kMostJ2kComponents> own_coding{};
    std::array<bool, kMostJ2kComponents> own_quantisation{};
  };

  bool read_default_coding(MarkerReader body, int components);
  bool read_own_coding(MarkerReader body, int components);
  bool read_default_quantisation(MarkerReader body, int components);
  bool read_own_quantisation(MarkerReader body, int components);
  bool read_order_changes(MarkerReader body, int components);

  MarkersRead read_;
  int layers_ = 0;
  bool color_transform_ = false;
  bool changes_order_ = false;
  std::array<PacketRun, kMostRuns> runs_{};
  size_t run_count_ = 1;
  std::array<ComponentCoding, kMostJ2kComponents> components_{};
  std::array<ComponentQuantisation, kMostJ2kComponents> quantisations_{};
};

}  // namespace codecs
