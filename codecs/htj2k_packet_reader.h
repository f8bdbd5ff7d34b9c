// Packets of high throughput (ISO/IEC 15444-1, B.9 to B.12; 15444-15): what each says of its
// precinct's code-blocks, in any of the five orders. Internal to codecs/.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "codecs/htj2k_tile.h"
#include "codecs/j2k_header.h"

namespace codecs {

class Htj2kPacketReader {
 public:
  // Reads the packets of a tile up to the last that is needed where the picture is reduced. False
  // when one of them is broken or not there, or holds what is not decoded here.
  bool read(std::span<const uint8_t> codestream, std::span<const J2kTilePart> parts,
            Htj2kTile& tile, int reduction);

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

  Go read_all();
  Go read_by_layer(bool resolution_first);
  template <class Visit>
  Go for_each_place(int component, int resolution, int x, int y, Visit visit);
  Go read_by_place();
  Go read_layers(int resolution, int component, size_t precinct);
  Go read_packet(const Place& place);
  bool read_one(const Place& place);
  std::optional<std::span<const uint8_t>> rest();

  std::span<const uint8_t> codestream_;
  std::span<const J2kTilePart> parts_;
  Htj2kTile* tile_ = nullptr;
  int resolutions_ = 0;  // that are needed
  size_t packets_left_ = 0;
  size_t part_ = 0;
  size_t at_ = 0;  // in the codestream
  std::vector<Contribution> contributions_;
};

}  // namespace codecs
