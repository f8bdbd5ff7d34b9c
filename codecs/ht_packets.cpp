#include "codecs/ht_packets.h"

#include <algorithm>
#include <array>

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

// Kinds of bands: bit 0: high across, bit 1: high down (B-15 of Part 1).
Band band_of(const J2kMainHeader& header, int resolution, int component, int kind) {
  const J2kHeader& shape = header.shape;
  const bool chroma = component == 1 || component == 2;
  const int depth = shape.levels - std::max(resolution - 1, 0);
  const int half = depth > 0 ? 1 << (depth - 1) : 0;
  const auto blocks = [&](int side, int step, bool high, int block_log2) {
    const int samples = (side + step - 1) / step - (high ? half : 0);
    return samples <= 0 ? 0 : ceil_shift(ceil_shift(samples, depth), block_log2);
  };
  return {blocks(shape.width, chroma ? shape.chroma_step_x : 1, (kind & 1) != 0,
                 header.block_width_log2),
          blocks(shape.height, chroma ? shape.chroma_step_y : 1, (kind & 2) != 0,
                 header.block_height_log2)};
}

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
  static constexpr size_t kMaxNodes =
      HtPackets::kMaxBlocksOfBand * HtPackets::kMaxBlocksOfBand * 3 / 2;

  Node& at(int level, int x, int y) {
    const auto i = static_cast<size_t>(level);
    return nodes_[first_[i] + static_cast<size_t>((y >> level) * across_[i] + (x >> level))];
  }

  int levels_ = 0;
  std::array<size_t, kMaxLevels> first_;
  std::array<int, kMaxLevels> across_;
  std::array<Node, kMaxNodes> nodes_;
};

// The number of coding passes: 0 for what no code-block of high throughput has.
int read_passes(BitReader& bits) {
  if (bits.bit() == 0) return 1;
  if (bits.bit() == 0) return 2;
  return bits.number(2) == 0 ? 3 : 0;
}

}  // namespace

// The header of one packet.
class HtPackets::HeaderReader {
 public:
  HeaderReader(std::span<const uint8_t> packet, std::vector<Block>& blocks)
      : bits_(packet), blocks_(blocks) {
    blocks_.clear();
  }

  bool is_empty() { return bits_.bit() == 0; }

  bool read_band(const Band& band) {
    TagTree inclusion(band), zero_planes(band);
    for (int y = 0; y < band.down; ++y) {
      for (int x = 0; x < band.across; ++x) {
        if (!inclusion.read_inclusion(bits_, x, y)) continue;
        zero_planes.skip_value(bits_, x, y);
        if (!read_block() || bits_.failed()) return false;
      }
    }
    return true;
  }

  std::optional<size_t> finish() {
    const size_t bytes = bits_.finish();
    return bits_.failed() ? std::nullopt : std::optional(bytes);
  }

 private:
  bool read_block() {
    constexpr int kMostLengthBits = 16;
    const int passes = read_passes(bits_);
    int length_bits = 3;
    while (bits_.bit() != 0) {
      if (++length_bits > kMostLengthBits) return false;
    }
    Block block{};
    block.cleanup = bits_.number(length_bits);
    if (passes > 1) block.refinement = bits_.number(length_bits + (passes > 2 ? 1 : 0));
    blocks_.push_back(block);
    return passes > 0;
  }

  BitReader bits_;
  std::vector<Block>& blocks_;
};

namespace {

// A cleanup segment's last bytes say how long its second part is; that begins with MEL, in which no
// byte above 0x8f follows 0xff.
bool is_cleanup_sound(std::span<const uint8_t> segment) {
  constexpr size_t kMostSuffix = 4079, kMostAtOnce = 4;
  if (segment.size() < 2) return false;
  const size_t last = segment[segment.size() - 1], before = segment[segment.size() - 2];
  const size_t suffix = last << 4 | (before & 15);
  if (suffix < 2 || suffix > segment.size() || suffix > kMostSuffix) return false;
  const auto mel = segment.last(suffix).first(suffix - 1);
  for (size_t i = 0; i + 1 < std::min(mel.size(), kMostAtOnce); ++i) {
    if (mel[i] == 0xff && mel[i + 1] > 0x8f) return false;
  }
  return true;
}

}  // namespace

std::optional<size_t> HtPackets::read(std::span<const uint8_t> packets, int resolution) {
  size_t at = 0;
  for (int component = 0; component < header_.shape.components; ++component) {
    const auto bytes = read_one(packets.subspan(at), resolution, component);
    if (!bytes) return {};
    at += *bytes;
  }
  return at;
}

std::optional<size_t> HtPackets::read_one(std::span<const uint8_t> packet, int resolution,
                                          int component) {
  HeaderReader reader(packet, blocks_);
  const bool lowest = resolution == 0;
  if (!reader.is_empty()) {
    for (int kind = lowest ? 0 : 1; kind < (lowest ? 1 : 4); ++kind) {
      const Band band = band_of(header_, resolution, component, kind);
      if (band.across == 0 || band.down == 0) continue;
      if (std::max(band.across, band.down) > kMaxBlocksOfBand) return {};
      if (!reader.read_band(band)) return {};
    }
  }
  const auto head = reader.finish();
  if (!head) return {};
  size_t at = *head;
  for (const Block& block : blocks_) {
    if (block.cleanup + block.refinement > packet.size() - at) return {};
    if (!is_cleanup_sound(packet.subspan(at, block.cleanup))) return {};
    at += block.cleanup + block.refinement;
  }
  return at;
}

bool HtPackets::are_sound(std::span<const uint8_t> codestream, int reduction) {
  const int components = header_.shape.components, resolutions = header_.shape.levels + 1;
  // With the components first, all resolutions are there.
  const int count = components * (header_.component_first ? resolutions : resolutions - reduction);
  size_t next = header_.bytes, at = 0, end = 0;
  for (int i = 0; i < count; ++i) {
    if (at == end) {
      const auto part = read_j2k_tile_part(codestream, next);
      if (!part) return false;
      at = part->packets;
      end = next = part->end;
    }
    const bool whole = header_.component_first;
    const auto bytes =
        read_one(codestream.subspan(at, end - at), whole ? i % resolutions : i / components,
                 whole ? i / resolutions : i % components);
    if (!bytes) return false;
    at += *bytes;
  }
  return true;
}

}  // namespace codecs
