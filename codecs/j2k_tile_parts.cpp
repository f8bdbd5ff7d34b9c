#include "codecs/j2k_tile_parts.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "codecs/j2k_header.h"

namespace codecs {
namespace {

// Bits of a packet header, the highest first; behind a byte of 0xff the next one's highest is
// stuffed.
class BitReader {
 public:
  explicit BitReader(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  int bit() {
    if (left_ == 0) {
      left_ = last_ == 0xff ? 7 : 8;
      if (at_ == bytes_.size()) failed_ = true;
      last_ = failed_ ? 0xfe : bytes_[at_++];
    }
    return last_ >> --left_ & 1;
  }
  size_t number(int bits) {
    size_t value = 0;
    while (bits-- > 0) value = value << 1 | static_cast<size_t>(bit());
    return value;
  }
  // The whole bytes of the header.
  size_t finish() {
    if (last_ == 0xff) ++at_;  // its stuffed bit stands in a byte of its own
    return at_;
  }
  bool failed() const { return failed_ || at_ > bytes_.size(); }

 private:
  std::span<const uint8_t> bytes_;
  size_t at_ = 0;
  int last_ = 0;
  int left_ = 0;
  bool failed_ = false;
};

constexpr int ceil_shift(int a, int bits) {
  return static_cast<int>((int64_t{a} + (int64_t{1} << bits) - 1) >> bits);
}

// A subband's code-blocks.
struct Band {
  int across = 0;
  int down = 0;
};

// A tree over a band's code-blocks: a node for each four of the level below.
class TagTree {
 public:
  explicit TagTree(const Band& band) {
    Band level = band;
    size_t nodes = 0;
    for (levels_ = 0;; ++levels_) {
      first_[static_cast<size_t>(levels_)] = nodes;
      across_[static_cast<size_t>(levels_)] = level.across;
      nodes += static_cast<size_t>(level.across) * static_cast<size_t>(level.down);
      if (level.across <= 1 && level.down <= 1) break;
      level = {(level.across + 1) / 2, (level.down + 1) / 2};
    }
    std::fill_n(nodes_.begin(), nodes, Node::kUnknown);
  }

  // Whether the block is in the packet; a node without any says so for all below it.
  bool read_inclusion(BitReader& bits, int x, int y) {
    for (int level = levels_; level >= 0; --level) {
      Node& node = at(level, x, y);
      if (node == Node::kUnknown) node = bits.bit() != 0 ? Node::kKnown : Node::kLeftOut;
      if (node == Node::kLeftOut) return false;
    }
    return true;
  }
  // The zeros that each new node adds, up to a one: how many does not matter here.
  void skip_value(BitReader& bits, int x, int y) {
    for (int level = levels_; level >= 0; --level) {
      Node& node = at(level, x, y);
      if (node == Node::kKnown) continue;
      node = Node::kKnown;
      while (bits.bit() == 0 && !bits.failed()) {
      }
    }
  }

 private:
  enum class Node : uint8_t { kUnknown, kKnown, kLeftOut };
  static constexpr size_t kMaxLevels = 7;
  static constexpr size_t kMaxNodes = kMaxBlocksOfBand * kMaxBlocksOfBand * 3 / 2;

  Node& at(int level, int x, int y) {
    const auto i = static_cast<size_t>(level);
    return nodes_[first_[i] + static_cast<size_t>((y >> level) * across_[i] + (x >> level))];
  }

  int levels_ = 0;
  std::array<size_t, kMaxLevels> first_;
  std::array<int, kMaxLevels> across_;
  std::array<Node, kMaxNodes> nodes_;
};

// The bytes that a band's code-blocks have in the packet.
size_t read_band(BitReader& bits, const Band& band) {
  TagTree inclusion(band), zero_planes(band);
  size_t bytes = 0;
  for (int y = 0; y < band.down && !bits.failed(); ++y) {
    for (int x = 0; x < band.across && !bits.failed(); ++x) {
      if (!inclusion.read_inclusion(bits, x, y)) continue;
      zero_planes.skip_value(bits, x, y);
      constexpr int kNotUnderstood = 1;  // more passes than one
      if (bits.bit() == kNotUnderstood) return SIZE_MAX / 2;
      int length_bits = 3;
      while (bits.bit() != 0 && length_bits < 32) ++length_bits;
      bytes += bits.number(length_bits);
    }
  }
  return bytes;
}

class ResolutionFinder {
 public:
  explicit ResolutionFinder(const J2kMainHeader& header) : header_(header) {}

  // The bytes that the packets of a resolution have at the begin of `packets`.
  std::optional<size_t> packet_bytes(std::span<const uint8_t> packets, int resolution) const {
    size_t at = 0;
    for (int component = 0; component < header_.shape.components; ++component) {
      const auto bytes = packet_bytes(packets.subspan(at), resolution, component);
      if (!bytes) return {};
      at += *bytes;
    }
    return at;
  }

 private:
  std::optional<size_t> packet_bytes(std::span<const uint8_t> packet, int resolution,
                                     int component) const {
    BitReader bits(packet);
    size_t bytes = 0;
    if (bits.bit() != 0) {
      for (int i = resolution == 0 ? 0 : 1; i < (resolution == 0 ? 1 : 4); ++i) {
        const Band band = band_of(resolution, component, i);
        if (band.across == 0 || band.down == 0) continue;
        if (std::max(band.across, band.down) > kMaxBlocksOfBand) return {};
        bytes += read_band(bits, band);
      }
    }
    const size_t head = bits.finish();
    if (bits.failed() || bytes > packet.size() - head) return {};
    return head + bytes;
  }

  // Kinds of bands: bit 0: high across, bit 1: high down (B-15 of Part 1).
  Band band_of(int resolution, int component, int kind) const {
    const J2kHeader& shape = header_.shape;
    const bool chroma = component == 1 || component == 2;
    const int depth = shape.levels - std::max(resolution - 1, 0);
    const int half = depth > 0 ? 1 << (depth - 1) : 0;
    const auto blocks = [&](int side, int step, bool high, int block_log2) {
      const int samples = (side + step - 1) / step - (high ? half : 0);
      return samples <= 0 ? 0 : ceil_shift(ceil_shift(samples, depth), block_log2);
    };
    return {blocks(shape.width, chroma ? shape.chroma_step_x : 1, (kind & 1) != 0,
                   header_.block_width_log2),
            blocks(shape.height, chroma ? shape.chroma_step_y : 1, (kind & 2) != 0,
                   header_.block_height_log2)};
  }

  const J2kMainHeader& header_;
};

constexpr size_t kTilePartHeader = 14;  // SOT and SOD

void write_tile_part_header(uint8_t* out, size_t packet_bytes, int index, int count) {
  const size_t length = kTilePartHeader + packet_bytes;
  const uint8_t header[kTilePartHeader] = {0xff,
                                           0x90,
                                           0,
                                           10,
                                           0,
                                           0,
                                           static_cast<uint8_t>(length >> 24),
                                           static_cast<uint8_t>(length >> 16),
                                           static_cast<uint8_t>(length >> 8),
                                           static_cast<uint8_t>(length),
                                           static_cast<uint8_t>(index),
                                           static_cast<uint8_t>(count),
                                           0xff,
                                           0x93};
  std::memcpy(out, header, kTilePartHeader);
}

}  // namespace

std::optional<size_t> divide_into_tile_parts(std::span<uint8_t> out, size_t bytes) {
  constexpr int kMaxLevels = 32;
  const auto codestream = out.first(bytes);
  const auto header = read_j2k_main_header(codestream);
  if (!header || header->tiles != 1) return {};
  const auto whole = read_j2k_tile_part(codestream, header->bytes);
  if (!whole || whole->packets != whole->begin + kTilePartHeader) return {};
  const int parts = header->shape.levels + 1;
  const size_t added = kTilePartHeader * static_cast<size_t>(parts - 1);
  if (out.size() - bytes < added) return {};

  const ResolutionFinder finder(*header);
  std::array<size_t, kMaxLevels + 2> begins{};  // of the resolutions' packets, and the end
  begins[0] = whole->packets;
  for (int i = 0; i < parts; ++i) {
    const size_t at = begins[static_cast<size_t>(i)];
    const auto more = finder.packet_bytes(codestream.subspan(at, whole->end - at), i);
    if (!more) return {};
    begins[static_cast<size_t>(i) + 1] = at + *more;
  }
  if (begins[static_cast<size_t>(parts)] != whole->end) return {};

  for (int i = parts - 1; i >= 0; --i) {
    const size_t at = begins[static_cast<size_t>(i)];
    const size_t packets = begins[static_cast<size_t>(i) + 1] - at;
    uint8_t* to = out.data() + at + kTilePartHeader * static_cast<size_t>(i);
    std::memmove(to, out.data() + at, packets);
    write_tile_part_header(to - kTilePartHeader, packets, i, parts);
  }
  std::copy(std::begin(kEndOfCodestream), std::end(kEndOfCodestream),
            out.data() + whole->end + added);
  return whole->end + added + sizeof(kEndOfCodestream);
}

}  // namespace codecs
