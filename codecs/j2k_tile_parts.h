// Tile-parts at the resolutions for codestreams that have one for all, as OpenJPH 0.9 makes them.
// Internal to codecs/. No allocation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace codecs {

// `out` begins with a high-throughput codestream of `bytes` bytes: one tile, one layer, one
// precinct a resolution, packets by resolution, cleanup passes only, not of more than
// kMaxBlocksOfBand code-blocks a side. Finds where each resolution's packets end (ISO/IEC 15444-1,
// B.10, and 15444-15) and gives each a tile-part of its own. The new length; nothing when the
// codestream is of another kind or `out` has no room for the markers.
std::optional<size_t> divide_into_tile_parts(std::span<uint8_t> out, size_t bytes);

}  // namespace codecs
