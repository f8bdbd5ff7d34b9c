// Reads the headers of tile-parts for the high-throughput decoder: a J2K tile's own coding, and
// packet headers that are separate from packets (PPM, PPT: ISO/IEC 15444-1, A.7.4 and A.7.5).
// Internal to codecs/. Memory grows with the largest tile, which the codestream bounds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "codecs/j2k/j2k_header.h"

namespace codecs {

class Htj2kTileHeaders {
 public:
  // Both must outlive the object's use. False if the main header's packet headers are invalid.
  bool begin(std::span<const uint8_t> codestream, const J2kMainHeader& header);

  // Reads all tile-parts of one tile. False if a header is invalid or uses an unsupported feature.
  bool read(std::span<const J2kTilePart> parts);

  // The coding of the tile read last.
  const J2kCoding& coding() const { return has_own_ ? own_ : header_->coding; }
  // Empty if packets contain their headers.
  std::optional<std::span<const uint8_t>> packet_headers() const;

 private:
  // A piece of packet headers, and its index in the sequence.
  struct Piece {
    int index;
    std::span<const uint8_t> bytes;
  };

  bool read_part(const J2kTilePart& part);
  bool take_segment(uint16_t marker, MarkerReader body);
  static bool add_piece(MarkerReader body, std::vector<Piece>& pieces);
  // Concatenates pieces in order. False if two have the same index.
  static bool join(std::vector<Piece>& pieces, std::vector<uint8_t>& to);
  bool divide_main();

  std::span<const uint8_t> codestream_;
  const J2kMainHeader* header_ = nullptr;
  bool has_own_ = false;
  J2kCoding own_;
  bool has_packed_ = false;
  std::vector<Piece> pieces_;
  std::vector<uint8_t> main_;                     // content of PPM
  std::vector<std::span<const uint8_t>> shares_;  // shares of main_, by tile-part
  std::vector<uint8_t> tile_;                     // packet headers of the tile
};

}  // namespace codecs
