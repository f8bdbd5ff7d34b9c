// The headers of a JPEG 2000 codestream (ISO/IEC 15444-1, Annex A): what has to hold before a
// library is given the bytes, and what our own decoder needs. Internal to codecs/. Pure; no
// allocation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "codecs/j2k.h"
#include "codecs/j2k_coding.h"

namespace codecs {

// The whole of the main header.
struct J2kMainHeader {
  J2kHeader shape;
  int tile_width = 0;
  int tile_height = 0;
  int tiles = 1;
  J2kCoding coding;
  bool resolution_first = false;    // one layer, ordered by resolution: RLCP, RPCL, or LRCP
  bool has_packed_headers = false;  // PPM
  size_t bytes = 0;                 // the first tile-part begins there

  int step_x(int component) const {
    return component == 1 || component == 2 ? shape.chroma_step_x : 1;
  }
  int step_y(int component) const {
    return component == 1 || component == 2 ? shape.chroma_step_y : 1;
  }
};
// Nothing beyond the limits that read_j2k_header() names.
std::optional<J2kMainHeader> read_j2k_main_header(std::span<const uint8_t> codestream);

// Whether components may be coded so, in the picture or one of its tiles.
bool is_j2k_coding_sound(const J2kMainHeader& header, const J2kCoding& coding);

// One tile-part: from its SOT marker on.
struct J2kTilePart {
  int tile = 0;
  int index = 0;       // within its tile
  int count = 0;       // of how many; 0: not said
  size_t begin = 0;    // of SOT
  size_t packets = 0;  // behind SOD
  size_t end = 0;
  size_t place = 0;             // among all of the codestream, where that is known
  bool changes_coding = false;  // other steps, another order, packet headers elsewhere
  bool changes_blocks = false;  // COD or COC
};
// The tile-part that begins at `begin`. Nothing when there is none (`begin` is at EOC or at the
// end), or it is broken or reaches beyond the bytes.
std::optional<J2kTilePart> read_j2k_tile_part(std::span<const uint8_t> codestream, size_t begin);

// Whether the tile-parts are sound, follow one another, end with the bytes or EOC, and are all
// there that the picture, reduced, needs: a library would show what is missing as blur.
bool are_j2k_tile_parts_sound(std::span<const uint8_t> codestream, const J2kMainHeader& header,
                              int reduction);

// Whether such a picture can be shown as it is wanted: its size, the reduction and the part.
bool is_j2k_target_sound(const J2kHeader& shape, const J2kTarget& target);
// What is wanted of the reduced picture: the part, or all of it.
Area wanted_area(const J2kTarget& target);

constexpr uint8_t kEndOfCodestream[] = {0xff, 0xd9};  // EOC

}  // namespace codecs
