#include "codecs/htj2k/htj2k_packets.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "codecs/j2k/component_reader.h"
#include "codecs/j2k/j2k_markers.h"
#include "codecs/j2k/tag_tree.h"

namespace codecs {
namespace {}  // namespace

// Writes bits, the highest first; after 0xff the next byte's highest bit is stuffed.
class Htj2kWriter::PacketHeader {
 public:
  explicit PacketHeader(Htj2kWriter& writer) : writer_(writer) {}

  void put(uint32_t bits, int count) {
    while (count-- > 0) {
      byte_ = byte_ << 1 | (bits >> count & 1);
      if (--left_ == 0) flush();
    }
  }
  void put_band(const CodedBand& band) {
    const TagTreeShape tree(band.across, band.down);
    mark(tree, band);
    size_t i = 0;
    for (int y = 0; y < band.down; ++y) {
      for (int x = 0; x < band.across; ++x, ++i) put_block(tree, x, y, band, band.blocks[i]);
    }
  }
  void finish() {
    if (left_ < 8) put(0, left_);
  }

 private:
  // Flags of a node of both tag trees: it has blocks in the packet; its values were written.
  enum : uint8_t { kHasBlocks = 1, kInclusionKnown = 2, kPlanesKnown = 4 };

  void flush() {
    writer_.put(byte_, 1);
    left_ = byte_ == 0xff ? 7 : 8;
    byte_ = 0;
  }
  void mark(const TagTreeShape& tree, const CodedBand& band) {
    auto& nodes = writer_.nodes_;
    nodes.assign(tree.nodes(), 0);
    size_t i = 0;
    for (int y = 0; y < band.down; ++y) {
      for (int x = 0; x < band.across; ++x, ++i) {
        if (band.blocks[i].bytes == 0) continue;
        for (int level = 0; level <= tree.root(); ++level) {
          nodes[tree.node(level, x, y)] = kHasBlocks;
        }
      }
    }
  }
  void put_block(const TagTreeShape& tree, int x, int y, const CodedBand& band,
                 const CodedBand::Block& block) {
    const int root = tree.root();
    for (int level = root; level >= 0; --level) {
      uint8_t& node = writer_.nodes_[tree.node(level, x, y)];
      if ((node & kInclusionKnown) == 0) put(node & kHasBlocks, 1);
      node |= kInclusionKnown;
      if ((node & kHasBlocks) == 0) return;
    }
    // All planes are coded in one pass, so the header states planes − 1 zero planes for every
    // block. The root carries that number; the other nodes add nothing.
    for (int level = root; level >= 0; --level) {
      uint8_t& node = writer_.nodes_[tree.node(level, x, y)];
      if ((node & kPlanesKnown) != 0) continue;
      node |= kPlanesKnown;
      if (level == root) put(0, band.planes - 1);
      put(1, 1);
    }
    put(0, 1);  // one pass
    constexpr int kLengthBits = 3;
    const int bits = std::max(static_cast<int>(std::bit_width(block.bytes)), kLengthBits);
    for (int i = kLengthBits; i < bits; ++i) put(1, 1);
    put(0, 1);
    put(block.bytes, bits);
  }

  Htj2kWriter& writer_;
  uint32_t byte_ = 0;
  int left_ = 8;
};

void Htj2kWriter::put(uint32_t value, int bytes) {
  if (out_.size() - size_ < static_cast<size_t>(bytes)) {
    failed_ = true;
    return;
  }
  while (bytes-- > 0) out_[size_++] = static_cast<uint8_t>(value >> 8 * bytes);
}

void Htj2kWriter::write_main_header(const Htj2kPicture& picture) {
  put(kSoc, 2);
  put_size(picture);
  put_capabilities(picture);
  put_coding(picture);
  put_quantisation(picture);
}

void Htj2kWriter::put_size(const Htj2kPicture& picture) {
  constexpr uint32_t kHighThroughput = 0x4000;
  put(kSiz, 2);
  put(38 + 3 * ComponentReader::kComponents, 2);
  put(kHighThroughput, 2);
  const auto width = static_cast<uint32_t>(picture.width);
  const auto height = static_cast<uint32_t>(picture.height);
  for (const uint32_t value : {width, height, 0U, 0U, width, height, 0U, 0U}) put(value, 4);
  put(ComponentReader::kComponents, 2);
  for (int i = 0; i < ComponentReader::kComponents; ++i) {
    put(static_cast<uint32_t>(picture.bits - 1), 1);
    put(i == 0 ? 1 : static_cast<uint32_t>(picture.chroma_step_x), 1);
    put(i == 0 ? 1 : static_cast<uint32_t>(picture.chroma_step_y), 1);
  }
}

// 15444-15, A.3: only HT code-blocks, one set each, homogeneous; and the number of planes.
void Htj2kWriter::put_capabilities(const Htj2kPicture& picture) {
  constexpr uint32_t kPart15 = 1U << (32 - 15), kIrreversible = 0x20;
  int planes = 0;
  for (const auto& bands : picture.quantisers) {
    for (const BandQuantiser& band : bands)
      planes = std::max(planes, band_planes(band, kGuardBits));
  }
  const int magnitudes = planes <= 8 ? 0 : planes <= 27 ? planes - 8 : 19 + (planes - 27 + 3) / 4;
  put(kCap, 2);
  put(8, 2);
  put(kPart15, 4);
  put(static_cast<uint32_t>(magnitudes) | (picture.reversible ? 0 : kIrreversible), 2);
}

void Htj2kWriter::put_coding(const Htj2kPicture& picture) {
  constexpr uint32_t kByPlace = 2, kHighThroughput = 0x40;
  put(kCod, 2);
  put(12, 2);
  put(0, 1);  // maximum precincts, no SOP or EPH markers
  put(kByPlace, 1);
  put(1, 2);
  put(picture.color_transform ? 1 : 0, 1);
  put(static_cast<uint32_t>(picture.levels), 1);
  put(static_cast<uint32_t>(picture.block_side_log2 - 2), 1);
  put(static_cast<uint32_t>(picture.block_side_log2 - 2), 1);
  put(kHighThroughput, 1);
  put(picture.reversible ? 1 : 0, 1);
}

void Htj2kWriter::put_quantisation(const Htj2kPicture& picture) {
  constexpr uint32_t kExpounded = 2;
  const uint32_t bands = 1 + 3 * static_cast<uint32_t>(picture.levels);
  put(kQcd, 2);
  put(3 + bands * (picture.reversible ? 1 : 2), 2);
  put(kGuardBits << 5 | (picture.reversible ? 0 : kExpounded), 1);
  for (size_t resolution = 0; resolution < picture.quantisers.size(); ++resolution) {
    for (size_t kind = resolution == 0 ? 0 : 1; kind < (resolution == 0 ? 1U : 4U); ++kind) {
      const BandQuantiser& band = picture.quantisers[resolution][kind];
      const auto exponent = static_cast<uint32_t>(band.exponent);
      if (picture.reversible) put(exponent << 3, 1);
      if (!picture.reversible) put(exponent << 11 | static_cast<uint32_t>(band.mantissa), 2);
    }
  }
}

void Htj2kWriter::begin_tile_part(int index, int count) {
  tile_part_ = size_;
  put(kSot, 2);
  put(10, 2);
  put(0, 2);
  put(0, 4);  // length, filled in by end_tile_part()
  put(static_cast<uint32_t>(index), 1);
  put(static_cast<uint32_t>(count), 1);
  put(kSod, 2);
}

void Htj2kWriter::end_tile_part() {
  if (failed_) return;
  const size_t end = size_;
  size_ = tile_part_ + 6;
  put(static_cast<uint32_t>(end - tile_part_), 4);
  size_ = end;
}

void Htj2kWriter::write_packet(PacketBands bands, std::span<const uint8_t> bytes) {
  PacketHeader header(*this);
  const auto is_empty = [](const CodedBand& band) {
    return std::all_of(band.blocks.begin(),
                       band.blocks.begin() + static_cast<ptrdiff_t>(band.count()),
                       [](const CodedBand::Block& block) { return block.bytes == 0; });
  };
  const bool empty = std::all_of(bands.begin(), bands.end(), is_empty);
  header.put(empty ? 0 : 1, 1);
  for (const CodedBand& band : bands) {
    if (!empty && band.count() > 0) header.put_band(band);
  }
  header.finish();
  for (const CodedBand& band : bands) {
    for (size_t i = 0; i < band.count() && !empty; ++i) {
      const CodedBand::Block& block = band.blocks[i];
      if (out_.size() - size_ < block.bytes) failed_ = true;
      if (failed_) return;
      std::memcpy(out_.data() + size_, bytes.data() + block.at, block.bytes);
      size_ += block.bytes;
    }
  }
}

std::optional<size_t> Htj2kWriter::finish() {
  put(kEoc, 2);
  return failed_ ? std::nullopt : std::optional(size_);
}

}  // namespace codecs
