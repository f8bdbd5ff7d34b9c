// Writes what high-throughput codestreams hold as another legal codestream: packets in other
// orders, layers and tile-parts, their headers elsewhere, coding and steps said elsewhere. No tool
// at hand writes such codestreams of high throughput. The order of packets is found by sorting
// their places, not by the loops that a reader has.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "codecs/j2k/j2k_coding.h"
#include "tests/unit/codecs/color/pictures.h"

namespace codecs::test {

struct Rewriting {
  std::vector<PacketRun> runs = std::vector<PacketRun>(1);  // more than one: as POC
  bool order_in_tiles = false;                              // POC stands in the tiles' headers
  int layers = 1;                                           // to which code-blocks are dealt out
  int parts = 1;                                            // of each tile
  bool parts_in_turn = false;                               // those of different tiles
  enum class Headers { kInPackets, kInMainHeader, kInTileParts };
  Headers headers = Headers::kInPackets;
  bool packet_markers = false;  // SOP and EPH
  enum class Coding { kForAll, kOfComponents, kOfTiles, kOfTilesAndComponents };
  Coding coding = Coding::kForAll;  // what stands before it says something else
  // Which source a tile's component is taken from; the first if not given.
  std::function<size_t(int tile, int component)> source;
};

// The sources have pictures of the same size and tiles, and one layer without refinement.
Bytes rewrite_codestream(std::span<const Bytes> sources, const Rewriting& how);

}  // namespace codecs::test
