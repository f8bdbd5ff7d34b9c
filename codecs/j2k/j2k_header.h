// The headers of a JPEG 2000 codestream (ISO/IEC 15444-1, Annex A): checks before a library gets
// the bytes, and the data that this project's decoder needs. Internal to codecs/. Pure; no
// allocation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "codecs/j2k/j2k.h"
#include "codecs/j2k/j2k_coding.h"

namespace codecs {

// Subsampling of a component.
struct J2kSteps {
  int x = 1;
  int y = 1;
  bool operator==(const J2kSteps&) const = default;
};

// The complete main header.
struct J2kMainHeader {
  J2kHeader shape;
  std::array<J2kSteps, kMostJ2kComponents> steps{};
  int tile_left = 0;  // column of the first tile on the reference grid (tile offset)
  int tile_top = 0;
  int tile_width = 0;
  int tile_height = 0;
  int tiles_across = 1;
  int tiles = 1;
  J2kCoding coding;
  bool resolution_first = false;    // ordered by resolution: RLCP, RPCL, or LRCP with one layer
  bool has_packed_headers = false;  // PPM
  size_t bytes = 0;                 // up to the first tile-part

  int step_x(int component) const { return steps[static_cast<size_t>(component)].x; }
  int step_y(int component) const { return steps[static_cast<size_t>(component)].y; }
  // Those that all components have.
  int resolutions() const { return coding.least_levels(shape.components) + 1; }
};
// Empty if the header is invalid or exceeds the limits of read_j2k_header().
std::optional<J2kMainHeader> read_j2k_main_header(std::span<const uint8_t> codestream);
// The reason why it is empty, as in j2k_fault(); null: none.
const char* j2k_header_fault(std::span<const uint8_t> codestream);

// Whether this coding is supported for the components of the picture or of a tile.
bool is_j2k_coding_valid(const J2kMainHeader& header, const J2kCoding& coding);

// A tile-part, from its SOT marker on.
struct J2kTilePart {
  int tile = 0;
  int index = 0;       // within its tile
  int count = 0;       // tile-parts of the tile; 0: not given
  size_t begin = 0;    // offset of SOT
  size_t packets = 0;  // offset after SOD
  size_t end = 0;
  size_t place = 0;             // index in the codestream, if known
  bool changes_coding = false;  // own steps, another order, separate packet headers
  bool changes_blocks = false;  // COD or COC
};
// The tile-part that begins at `begin`. Empty if there is none (`begin` is at EOC or at the end),
// or if it is invalid or truncated.
std::optional<J2kTilePart> read_j2k_tile_part(std::span<const uint8_t> codestream, size_t begin);

// Whether the tile-parts are valid and contiguous, end with the bytes or EOC, and include all that
// the reduced picture needs: a library would show missing ones as blur.
bool are_j2k_tile_parts_valid(std::span<const uint8_t> codestream, const J2kMainHeader& header,
                              int reduction);

// Whether the target's size, reduction and part fit the picture.
bool is_j2k_target_valid(const J2kHeader& shape, const J2kTarget& target);
// The wanted area of the reduced picture: the part, or all of it.
Area wanted_area(const J2kTarget& target);
// The samples of a shown component in the picture halved `reduction` times. They count from the
// reference grid's origin (B-12, B-14), so that those at even positions are the same in all.
Area j2k_component_area(const J2kHeader& shape, int component, int reduction);

constexpr uint8_t kEndOfCodestream[] = {0xff, 0xd9};  // EOC

}  // namespace codecs
