// Reads packets of high-throughput codestreams (ISO/IEC 15444-1, B.9 to B.12; 15444-15): the
// contributions to each precinct's code-blocks, in any of the five progression orders or several of
// them. Internal to codecs/.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "codecs/htj2k/htj2k_tile.h"
#include "codecs/j2k/j2k_header.h"

namespace codecs {

// The location of a tile's packets.
struct TilePackets {
  std::span<const uint8_t> codestream;
  std::span<const J2kTilePart> parts;
  std::optional<std::span<const uint8_t>> headers;  // separate packet headers, if any
};

class Htj2kPacketReader {
 public:
  // Reads the packets of a tile up to the last one that the reduced picture needs. False if one of
  // them is invalid or missing, or uses an unsupported feature.
  bool read(const TilePackets& packets, Htj2kTile& tile, int reduction);

 private:
  struct Contribution {
    TileBlock* block;
    size_t cleanup;
    size_t refinement;
  };
  class HeaderReader;
  struct Place {
    int layer;
    int resolution;
    int component;
    size_t precinct;
  };
  enum class Go { kOn, kDone, kFailed };

  bool is_needed(int component, int resolution) const {
    return resolution <= tile_->levels(component) - reduction_;
  }
  Go read_all();
  Go read_by_layer(const PacketRun& run);
  Go read_by_resolution(const PacketRun& run);
  Go read_precincts(int layer, int resolution, const PacketRun& run);
  Go read_by_place(const PacketRun& run);
  Go read_places(const PacketRun& run);
  Go read_place(const PacketRun& run, int x, int y);
  std::optional<size_t> precinct_at(int component, int resolution, int x, int y) const;
  Go read_packet(const Place& place);
  bool read_one(const Place& place);
  bool find_body();

  TilePackets packets_;
  Htj2kTile* tile_ = nullptr;
  int reduction_ = 0;
  size_t packets_left_ = 0;  // needed packets left
  int64_t visits_left_ = 0;
  size_t next_part_ = 0;
  std::span<const uint8_t> body_;      // rest of the tile-part
  std::vector<uint16_t> layers_read_;  // by precinct
  std::vector<Contribution> contributions_;
};

}  // namespace codecs
