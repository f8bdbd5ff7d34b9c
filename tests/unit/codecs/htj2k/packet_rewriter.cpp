#include "tests/unit/codecs/htj2k/codestream_rewriter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>

#include "codecs/htj2k/htj2k_packet_reader.h"
#include "codecs/j2k/tag_tree.h"

namespace codecs::test {
namespace {

// Writes a packet header bit by bit (B.10.1).
class HeaderBitWriter {
 public:
  void put(int bit) {
    byte_ = static_cast<uint8_t>(byte_ << 1 | bit);
    if (--left_ > 0) return;
    bytes_.push_back(byte_);
    left_ = byte_ == 0xff ? 7 : 8;
    byte_ = 0;
  }
  void put_number(uint32_t value, int bits) {
    while (bits-- > 0) put(static_cast<int>(value >> bits & 1));
  }
  Bytes finish() {
    const bool stuffed = !bytes_.empty() && bytes_.back() == 0xff;
    const size_t size = bytes_.size();
    while (bytes_.size() == size && left_ != (stuffed ? 7 : 8)) put(0);
    if (!bytes_.empty() && bytes_.back() == 0xff) bytes_.push_back(0);
    return bytes_;
  }

 private:
  Bytes bytes_;
  uint8_t byte_ = 0;
  int left_ = 8;
};

// B.10.2: each node holds the minimum of its children.
class TagTreeWriter {
 public:
  TagTreeWriter(int across, int down, const std::function<int(int, int)>& value)
      : shape_(across, down), nodes_(shape_.nodes()) {
    for (int y = 0; y < down; ++y) {
      for (int x = 0; x < across; ++x) {
        for (int level = 0; level <= shape_.root(); ++level) {
          Node& node = nodes_[shape_.node(level, x, y)];
          node.value = std::min(node.value, value(x, y));
        }
      }
    }
  }
  // Writes if the leaf's value is at most `limit`, without repeating known bits.
  void put(HeaderBitWriter& bits, int x, int y, int limit) {
    int least = 0;
    for (int level = shape_.root(); level >= 0; --level) {
      Node& node = nodes_[shape_.node(level, x, y)];
      node.least = std::max(node.least, least);
      while (!node.said && node.least <= limit) {
        node.said = node.least == node.value;
        bits.put(node.said ? 1 : 0);
        if (!node.said) ++node.least;
      }
      least = node.least;
    }
  }

 private:
  struct Node {
    int value = INT32_MAX;
    int least = 0;
    bool said = false;
  };
  TagTreeShape shape_;
  std::vector<Node> nodes_;
};

struct Packet {
  int layer, resolution, component;
  size_t precinct;
  int64_t x, y;  // origin of the precinct on the picture's grid
};

auto key_of(const Packet& packet, Progression order) {
  const auto key = [](int64_t a, int64_t b, int64_t c, int64_t d, int64_t e) {
    return std::array{a, b, c, d, e};
  };
  const int64_t l = packet.layer, r = packet.resolution, c = packet.component;
  const auto k = static_cast<int64_t>(packet.precinct);
  switch (order) {
    case Progression::kLrcp:
      return key(l, r, c, k, 0);
    case Progression::kRlcp:
      return key(r, l, c, k, 0);
    case Progression::kRpcl:
      return key(r, packet.y, packet.x, c, l);
    case Progression::kPcrl:
      return key(packet.y, packet.x, c, r, l);
    case Progression::kCprl:
      return key(c, packet.y, packet.x, r, l);
  }
  return key(0, 0, 0, 0, 0);
}

class TileWriter {
 public:
  TileWriter(std::span<const PacketSource* const> sources, int tile, const Rewriting& how)
      : how_(how), components_(static_cast<int>(sources.size())) {
    for (const PacketSource* source : sources)
      tiles_.push_back(source->tiles[static_cast<size_t>(tile)].get());
  }

  std::vector<PacketBytes> packets() {
    std::vector<Packet> all = places(), ordered;
    for (const PacketRun& run : how_.runs) {
      const auto is_in = [&](const Packet& packet) {
        return packet.layer < run.end_layer && packet.resolution >= run.first_resolution &&
               packet.resolution < run.end_resolution && packet.component >= run.first_component &&
               packet.component < run.end_component;
      };
      const auto here =
          std::stable_partition(all.begin(), all.end(), [&](const Packet& p) { return !is_in(p); });
      std::sort(here, all.end(), [&](const Packet& a, const Packet& b) {
        return key_of(a, run.order) < key_of(b, run.order);
      });
      ordered.insert(ordered.end(), here, all.end());
      all.erase(here, all.end());
    }
    EXPECT_TRUE(all.empty()) << "a run for every packet";
    trees_.clear();
    std::vector<PacketBytes> packets;
    for (const Packet& packet : ordered) packets.push_back(write(packet));
    return packets;
  }

 private:
  struct Trees {
    TagTreeWriter inclusion, planes;
  };

  Htj2kTile& tile(int component) { return *tiles_[static_cast<size_t>(component)]; }

  std::vector<Packet> places() {
    std::vector<Packet> places;
    for (int c = 0; c < components_; ++c) {
      const J2kCoding& coding = tile(c).coding();
      for (int r = 0; r <= tile(c).levels(c); ++r) {
        const TileResolution& resolution = tile(c).resolution(c, r);
        const auto i = static_cast<size_t>(r);
        const int level = tile(c).levels(c) - r;
        const auto begin = [&](int first, int log2, size_t add, int step, int edge) {
          const int64_t precinct = (first >> log2) + static_cast<int64_t>(add);
          return std::max<int64_t>(((precinct << log2) << level) * step, edge);
        };
        for (size_t k = 0; k < resolution.precincts(); ++k) {
          const auto across = static_cast<size_t>(resolution.precincts_across);
          const int64_t x = begin(resolution.area.x0, coding.component(c).precinct_width_log2[i],
                                  k % across, tile(c).header().step_x(c), tile(c).area().x0);
          const int64_t y = begin(resolution.area.y0, coding.component(c).precinct_height_log2[i],
                                  k / across, tile(c).header().step_y(c), tile(c).area().y0);
          for (int l = 0; l < how_.layers; ++l) places.push_back({l, r, c, k, x, y});
        }
      }
    }
    return places;
  }

  // Distributes code-blocks over the layers.
  int layer_of(const PrecinctBand& precinct, int x, int y) const {
    return (precinct.left + x + 2 * (precinct.top + y)) % how_.layers;
  }

  PacketBytes write(const Packet& packet) {
    Htj2kTile& here = tile(packet.component);
    const TileResolution& resolution = here.resolution(packet.component, packet.resolution);
    HeaderBitWriter bits;
    PacketBytes bytes;
    // A packet without blocks may be marked empty at once, or for each block.
    const bool says_nothing = packet.precinct % 2 == 0 && !has_blocks(packet);
    bits.put(says_nothing ? 0 : 1);
    for (const TileBand& band : resolution.bands) {
      const PrecinctBand& precinct = here.precinct(resolution, packet.precinct, band.kind);
      if (says_nothing || precinct.across == 0 || precinct.down == 0) continue;
      write_band(here, band, precinct, packet.layer, bits, bytes.body);
    }
    bytes.header = bits.finish();
    return bytes;
  }
  bool has_blocks(const Packet& packet) {
    Htj2kTile& here = tile(packet.component);
    const TileResolution& resolution = here.resolution(packet.component, packet.resolution);
    for (const TileBand& band : resolution.bands) {
      const PrecinctBand& precinct = here.precinct(resolution, packet.precinct, band.kind);
      for (int i = 0; i < precinct.across * precinct.down; ++i) {
        const int x = i % precinct.across, y = i / precinct.across;
        if (layer_of(precinct, x, y) == packet.layer &&
            here.block(band, precinct.left + x, precinct.top + y).passes > 0) {
          return true;
        }
      }
    }
    return false;
  }

  void write_band(Htj2kTile& here, const TileBand& band, const PrecinctBand& precinct, int layer,
                  HeaderBitWriter& bits, Bytes& body) {
    const auto block = [&](int x, int y) -> TileBlock& {
      return here.block(band, precinct.left + x, precinct.top + y);
    };
    Trees fresh{{precinct.across, precinct.down,
                 [&](int x, int y) {
                   return block(x, y).passes > 0 ? layer_of(precinct, x, y) : how_.layers;
                 }},
                {precinct.across, precinct.down, [&](int x, int y) {
                   return block(x, y).passes > 0 ? block(x, y).zero_planes : band.planes;
                 }}};
    Trees& trees = trees_.try_emplace(&precinct, std::move(fresh)).first->second;
    for (int y = 0; y < precinct.down; ++y) {
      for (int x = 0; x < precinct.across; ++x) {
        const TileBlock& coded = block(x, y);
        if (coded.passes > 0 && layer_of(precinct, x, y) < layer) {
          bits.put(0);
          continue;
        }
        trees.inclusion.put(bits, x, y, layer);
        if (coded.passes == 0 || layer_of(precinct, x, y) != layer) continue;
        EXPECT_EQ(coded.passes, 1);
        for (int limit = 0; limit <= coded.zero_planes; ++limit)
          trees.planes.put(bits, x, y, limit);
        write_length(static_cast<uint32_t>(coded.cleanup.size()), bits);
        body.insert(body.end(), coded.cleanup.begin(), coded.cleanup.end());
      }
    }
  }
  static void write_length(uint32_t length, HeaderBitWriter& bits) {
    bits.put(0);  // one coding pass
    int length_bits = 3;
    for (; length >> length_bits != 0; ++length_bits) bits.put(1);
    bits.put(0);
    bits.put_number(length, length_bits);
  }

  const Rewriting& how_;
  int components_;
  std::vector<Htj2kTile*> tiles_;
  std::map<const PrecinctBand*, Trees> trees_;
};

}  // namespace

PacketSource::PacketSource(const Bytes& bytes) : header(*read_j2k_main_header(bytes)) {
  std::vector<J2kTilePart> parts;
  size_t at = header.bytes;
  while (const auto part = read_j2k_tile_part(bytes, at)) {
    parts.push_back(*part);
    at = part->end;
  }
  for (int i = 0; i < header.tiles; ++i) {
    std::vector<J2kTilePart> own;
    for (const J2kTilePart& part : parts) {
      if (part.tile == i) own.push_back(part);
    }
    tiles.push_back(std::make_unique<Htj2kTile>());
    tiles.back()->begin(header, header.coding, i);
    Htj2kPacketReader reader;
    EXPECT_TRUE(reader.read({bytes, own, {}}, *tiles.back(), 0));
  }
}

std::vector<PacketBytes> rewrite_packets(std::span<const PacketSource* const> sources, int tile,
                                         const Rewriting& how) {
  return TileWriter(sources, tile, how).packets();
}

}  // namespace codecs::test
