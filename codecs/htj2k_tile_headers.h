// What the headers of tile-parts say of high throughput: a J2K tile's own coding, and packet
// headers that stand apart from packets (PPM, PPT: ISO/IEC 15444-1, A.7.4 and A.7.5). Internal to
// codecs/. Memory grows with the largest, which the codestream bounds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "codecs/j2k_header.h"

namespace codecs {

class Htj2kTileHeaders {
 public:
  // Both must outlive its use. False when the main header's packet headers are broken.
  bool begin(std::span<const uint8_t> codestream, const J2kMainHeader& header);

  // All tile-parts of one tile. False when a header is broken or says what is not decoded here.
  bool read(std::span<const J2kTilePart> parts);

  // Of the tile that was read last.
  const J2kCoding& coding() const { return has_own_ ? own_ : header_->coding; }
  // Nothing where packets have their headers.
  std::optional<std::span<const uint8_t>> packet_headers() const;

 private:
  // A piece of packet headers, and where it belongs.
  struct Piece {
    int index;
    std::span<const uint8_t> bytes;
  };

  bool read_part(const J2kTilePart& part);
  bool take_segment(uint16_t marker, MarkerReader body);
  static bool add_piece(MarkerReader body, std::vector<Piece>& pieces);
  // Puts pieces in their order. False when two have the same place.
  static bool join(std::vector<Piece>& pieces, std::vector<uint8_t>& to);
  bool divide_main();

  std::span<const uint8_t> codestream_;
  const J2kMainHeader* header_ = nullptr;
  bool has_own_ = false;
  J2kCoding own_;
  bool has_packed_ = false;
  std::vector<Piece> pieces_;
  std::vector<uint8_t> main_;                     // PPM's
  std::vector<std::span<const uint8_t>> shares_;  // of it, by tile-part
  std::vector<uint8_t> tile_;                     // the tile's
};

}  // namespace codecs
