// Rewrites high-throughput codestreams as other legal codestreams: other packet orders, layers and
// tile-parts, packet headers and coding parameters in other markers. No available tool writes these
// for high throughput. The packet order is found by sorting positions, unlike the loops of a
// decoder.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "codecs/htj2k/htj2k_tile.h"
#include "codecs/j2k/j2k_coding.h"
#include "codecs/j2k/j2k_header.h"
#include "tests/unit/codecs/color/pictures.h"

namespace codecs::test {

struct Rewriting {
  std::vector<PacketRun> runs = std::vector<PacketRun>(1);  // more than one: written as POC
  bool order_in_tiles = false;                              // POC is in the tile headers
  int layers = 1;              // code-blocks are distributed over these
  int parts = 1;               // tile-parts of each tile
  bool parts_in_turn = false;  // interleaves the parts of tiles
  enum class Headers { kInPackets, kInMainHeader, kInTileParts };
  Headers headers = Headers::kInPackets;
  bool packet_markers = false;  // SOP and EPH
  enum class Coding { kForAll, kOfComponents, kOfTiles, kOfTilesAndComponents };
  Coding coding = Coding::kForAll;  // overrides what precedes it
  // Index of the source for a tile's component; the first source if empty.
  std::function<size_t(int tile, int component)> source;
};

// The sources have the same picture size and tiles, and one layer without refinement passes.
Bytes rewrite_codestream(std::span<const Bytes> sources, const Rewriting& how);

// The lower layer: reads and rewrites the packets of a J2K tile (packet_rewriter.cpp).

// A codestream with its packets parsed.
struct PacketSource {
  explicit PacketSource(const Bytes& bytes);

  J2kMainHeader header;
  std::vector<std::unique_ptr<Htj2kTile>> tiles;
};

struct PacketBytes {
  Bytes header, body;
};

// Rewrites the packets of a tile in the requested order. sources: one for each component.
std::vector<PacketBytes> rewrite_packets(std::span<const PacketSource* const> sources, int tile,
                                         const Rewriting& how);

}  // namespace codecs::test
