// Reads and rewrites the packets of a J2K tile: the lower layer of codestream_rewriter.h.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "codecs/htj2k/htj2k_tile.h"
#include "codecs/j2k/j2k_header.h"
#include "tests/unit/codecs/htj2k/codestream_rewriter.h"

namespace codecs::test {

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
