#include "codecs/htj2k/htj2k_tile_headers.h"

#include <algorithm>

#include "codecs/j2k/j2k_markers.h"

namespace codecs {

bool Htj2kTileHeaders::begin(std::span<const uint8_t> codestream, const J2kMainHeader& header) {
  codestream_ = codestream;
  header_ = &header;
  shares_.clear();
  if (!header.has_packed_headers) return true;
  pieces_.clear();
  MarkerReader reader(codestream.first(header.bytes));
  reader.word();
  while (reader.left() > 0) {
    const uint16_t marker = reader.word();
    const MarkerReader body = reader.segment();
    if (marker == kPpm && !add_piece(body, pieces_)) return false;
  }
  main_.clear();
  return join(pieces_, main_) && divide_main();
}

// Each tile-part's share has its length before it; shares are in the order of the codestream.
bool Htj2kTileHeaders::divide_main() {
  constexpr size_t kLengthBytes = 4;
  MarkerReader reader(main_);
  while (reader.left() > 0) {
    const size_t length = reader.number(kLengthBytes);
    if (reader.failed() || length > reader.left()) return false;
    shares_.push_back(reader.bytes(length));
  }
  return true;
}

bool Htj2kTileHeaders::read(std::span<const J2kTilePart> parts) {
  has_own_ = false;
  has_packed_ = header_->has_packed_headers;
  tile_.clear();
  for (const J2kTilePart& part : parts) {
    if (header_->has_packed_headers) {
      if (part.place >= shares_.size()) return false;
      tile_.insert(tile_.end(), shares_[part.place].begin(), shares_[part.place].end());
    }
    if (part.changes_coding && !read_part(part)) return false;
  }
  return !has_own_ || is_j2k_coding_valid(*header_, own_);
}

bool Htj2kTileHeaders::read_part(const J2kTilePart& part) {
  pieces_.clear();
  MarkerReader reader(codestream_.subspan(part.begin, part.packets - part.begin));
  for (uint16_t marker = reader.word(); marker != kSod; marker = reader.word()) {
    const MarkerReader body = reader.segment();
    if (reader.failed() || !take_segment(marker, body)) return false;
  }
  return join(pieces_, tile_);
}

bool Htj2kTileHeaders::take_segment(uint16_t marker, MarkerReader body) {
  switch (marker) {
    case kSot:
    case kPlt:
    case kCom:
      return true;
    case kPpt:
      has_packed_ = true;
      return !header_->has_packed_headers && add_piece(body, pieces_);
    default:
      if (!has_own_) {
        own_ = header_->coding;
        own_.begin_tile();
        has_own_ = true;
      }
      return own_.read(marker, body, header_->shape.components);
  }
}

std::optional<std::span<const uint8_t>> Htj2kTileHeaders::packet_headers() const {
  return has_packed_ ? std::optional(std::span<const uint8_t>(tile_)) : std::nullopt;
}

bool Htj2kTileHeaders::add_piece(MarkerReader body, std::vector<Piece>& pieces) {
  const int index = body.byte();
  if (body.failed()) return false;
  pieces.push_back({index, body.bytes(body.left())});
  return true;
}

bool Htj2kTileHeaders::join(std::vector<Piece>& pieces, std::vector<uint8_t>& to) {
  const auto by_index = [](const Piece& one, const Piece& other) {
    return one.index < other.index;
  };
  const auto alike = [](const Piece& one, const Piece& other) { return one.index == other.index; };
  std::sort(pieces.begin(), pieces.end(), by_index);
  if (std::adjacent_find(pieces.begin(), pieces.end(), alike) != pieces.end()) return false;
  for (const Piece& piece : pieces) to.insert(to.end(), piece.bytes.begin(), piece.bytes.end());
  return true;
}

}  // namespace codecs
