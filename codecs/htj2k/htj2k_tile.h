// The structure of a J2K tile (ISO/IEC 15444-1, Annex B): its components, resolutions, precincts,
// bands and code-blocks, and the locations of their bytes. Internal to codecs/. One object serves
// all tiles in turn; its memory grows with the largest tile, which the picture bounds.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codecs/j2k/j2k_header.h"

namespace codecs {

// A code-block, as described by the packets.
struct TileBlock {
  std::span<const uint8_t> cleanup{};
  std::span<const uint8_t> refinement{};
  int passes = 0;  // 0: all samples are 0
  int zero_planes = 0;
  int length_bits = 3;
};

struct TileBand {
  Area area;  // in the band's coordinates
  BandKind kind = kLowLow;
  int planes = 0;
  int block_width_log2 = 0;
  int block_height_log2 = 0;
  int across = 0;  // code-blocks
  int down = 0;
  size_t first_block = 0;

  int first_column() const { return area.x0 >> block_width_log2; }
  int first_row() const { return area.y0 >> block_height_log2; }
};

// A precinct's share of a band: code-blocks and their tag trees.
struct PrecinctBand {
  int left = 0, top = 0;  // among the band's code-blocks
  int across = 0, down = 0;
  size_t first_node = 0;  // first node of the inclusion tree; the zero-planes tree follows
};

struct TileResolution {
  Area area;
  std::array<TileBand, 4> bands;  // by kind
  int precincts_across = 0;
  int precincts_down = 0;
  size_t first_precinct = 0;

  size_t precincts() const {
    return static_cast<size_t>(precincts_across) * static_cast<size_t>(precincts_down);
  }
};

struct TileComponent {
  Area area;
  std::vector<TileResolution> resolutions;
};

// A tag tree's node (B.10.2): its value is at least `least`, and exactly that if it is `known`.
struct TagNode {
  uint16_t least = 0;
  bool known = false;
};

class Htj2kTile {
 public:
  // `header` and `coding` must outlive the tile's use.
  void begin(const J2kMainHeader& header, const J2kCoding& coding, int tile);

  const J2kMainHeader& header() const { return *header_; }
  const J2kCoding& coding() const { return *coding_; }
  const Area& area() const { return area_; }
  int components() const { return header_->shape.components; }
  int levels(int component) const { return coding_->component(component).levels; }
  const TileComponent& component(int i) const { return components_[static_cast<size_t>(i)]; }
  const TileResolution& resolution(int component, int resolution) const {
    return components_[static_cast<size_t>(component)].resolutions[static_cast<size_t>(resolution)];
  }
  TileBlock& block(const TileBand& band, int column, int row) {
    return blocks_[band.first_block + static_cast<size_t>(row) * static_cast<size_t>(band.across) +
                   static_cast<size_t>(column)];
  }
  const PrecinctBand& precinct(const TileResolution& resolution, size_t precinct,
                               BandKind kind) const {
    return precincts_[(resolution.first_precinct + precinct) * 4 + kind];
  }
  size_t precincts() const { return precincts_.size() / 4; }  // of all resolutions and components
  std::span<TagNode> nodes(const PrecinctBand& precinct) {
    return std::span(nodes_).subspan(precinct.first_node);
  }

 private:
  void begin_resolution(int component, int resolution);
  void begin_band(int component, int resolution, BandKind kind);
  void begin_precincts(TileResolution& resolution, int width_log2, int height_log2, bool lowest);
  void add_precinct_band(const TileBand& band, const Area& within);

  const J2kMainHeader* header_ = nullptr;
  const J2kCoding* coding_ = nullptr;
  Area area_;
  std::array<TileComponent, kMostJ2kComponents> components_;
  std::vector<TileBlock> blocks_;
  std::vector<PrecinctBand> precincts_;  // four per precinct, by kind
  std::vector<TagNode> nodes_;
};

}  // namespace codecs
