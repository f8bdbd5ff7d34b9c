#include "codecs/htj2k_packet_reader.h"

#include <algorithm>

#include "codecs/ht_tables.h"
#include "codecs/tag_tree.h"

namespace codecs {
namespace {

// Bits of a packet header, the highest first; behind a byte of 0xff the next one's highest is
// stuffed.
class HeaderBits {
 public:
  explicit HeaderBits(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  uint32_t bit() {
    if (left_ == 0) {
      left_ = last_ == 0xff ? 7 : 8;
      if (at_ == bytes_.size()) failed_ = true;
      last_ = failed_ ? 0xfe : bytes_[at_++];
    }
    return static_cast<uint32_t>(last_ >> --left_ & 1);
  }
  uint32_t number(int bits) {
    uint32_t value = 0;
    while (bits-- > 0) value = value << 1 | bit();
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

// Table B.4.
int read_passes(HeaderBits& bits) {
  if (bits.bit() == 0) return 1;
  if (bits.bit() == 0) return 2;
  uint32_t more = bits.number(2);
  if (more < 3) return static_cast<int>(3 + more);
  more = bits.number(5);
  if (more < 31) return static_cast<int>(6 + more);
  return static_cast<int>(37 + bits.number(7));
}

bool begins_with(std::span<const uint8_t> bytes, uint8_t marker) {
  return bytes.size() >= 2 && bytes[0] == 0xff && bytes[1] == marker;
}

constexpr uint8_t kSop = 0x91, kEph = 0x92;
constexpr size_t kSopBytes = 6, kEphBytes = 2;
constexpr int kCodingPasses = 3;  // of one set

}  // namespace

class Htj2kPacketReader::HeaderReader {
 public:
  HeaderReader(std::span<const uint8_t> bytes, Htj2kTile& tile, std::vector<Contribution>& into)
      : bits_(bytes), tile_(tile), into_(into) {
    into_.clear();
  }

  bool is_empty() { return bits_.bit() == 0; }

  bool read_band(const TileBand& band, const PrecinctBand& precinct, int layer) {
    if (precinct.across == 0 || precinct.down == 0) return true;
    const TagTreeShape tree(precinct.across, precinct.down);
    const std::span<TagNode> nodes = tile_.nodes(precinct);
    for (int y = 0; y < precinct.down; ++y) {
      for (int x = 0; x < precinct.across; ++x) {
        TileBlock& block = tile_.block(band, precinct.left + x, precinct.top + y);
        if (!read_block(block, tree, nodes, x, y, layer, band.planes) || bits_.failed())
          return false;
      }
    }
    return true;
  }

  std::optional<size_t> finish() {
    const size_t bytes = bits_.finish();
    return bits_.failed() ? std::nullopt : std::optional(bytes);
  }

 private:
  // Whether the leaf's value is not above `limit`.
  bool is_within(const TagTreeShape& tree, std::span<TagNode> nodes, int x, int y, int limit) {
    uint16_t least = 0;
    for (int level = tree.root(); level >= 0; --level) {
      TagNode& node = nodes[tree.node(level, x, y)];
      node.least = std::max(node.least, least);
      while (!node.known && node.least <= limit) {
        if (bits_.bit() != 0) {
          node.known = true;
        } else {
          ++node.least;
        }
      }
      least = node.least;
    }
    return least <= limit;
  }

  bool read_block(TileBlock& block, const TagTreeShape& tree, std::span<TagNode> nodes, int x,
                  int y, int layer, int planes) {
    const bool first = block.passes == 0;
    if (!first) {
      if (bits_.bit() == 0) return true;
    } else {
      if (!is_within(tree, nodes, x, y, layer)) return true;
      const auto plane_nodes = nodes.subspan(tree.nodes());
      while (!is_within(tree, plane_nodes, x, y, block.zero_planes)) {
        if (++block.zero_planes >= planes) return false;
      }
    }
    int passes = read_passes(bits_);
    constexpr int kMostLengthBits = 28;
    while (bits_.bit() != 0) {
      if (++block.length_bits > kMostLengthBits) return false;
    }
    return first ? read_first(block, passes, planes) : read_more(block, passes);
  }
  // 15444-15, B.3: sets of three passes before the one that is there stand for planes without
  // anything in them.
  bool read_first(TileBlock& block, int passes, int planes) {
    const int empty = (passes - 1) / kCodingPasses;
    block.zero_planes += empty;
    passes -= empty * kCodingPasses;
    if (block.zero_planes >= planes) return false;
    const int more_bits = bit_length(static_cast<uint32_t>(empty * kCodingPasses + 1)) - 1;
    Contribution& here = into_.emplace_back();
    here = {&block, bits_.number(block.length_bits + more_bits), 0};
    if (passes > 1) here.refinement = bits_.number(block.length_bits + (passes > 2 ? 1 : 0));
    block.passes = passes;
    return here.cleanup >= 2;
  }
  // Refinement of what came in a layer before.
  bool read_more(TileBlock& block, int passes) {
    if (block.passes != 1 || passes > kCodingPasses - 1) return false;
    block.passes += passes;
    into_.push_back({&block, 0, bits_.number(block.length_bits + (passes > 1 ? 1 : 0))});
    return true;
  }

  HeaderBits bits_;
  Htj2kTile& tile_;
  std::vector<Contribution>& into_;
};

bool Htj2kPacketReader::read(std::span<const uint8_t> codestream,
                             std::span<const J2kTilePart> parts, Htj2kTile& tile, int reduction) {
  codestream_ = codestream;
  parts_ = parts;
  tile_ = &tile;
  part_ = 0;
  at_ = parts.empty() ? 0 : parts[0].packets;
  resolutions_ = tile.parameters().header.shape.levels + 1 - reduction;
  packets_left_ = 0;
  for (int i = 0; i < tile.components(); ++i) {
    for (int r = 0; r < resolutions_; ++r) packets_left_ += tile.resolution(i, r).precincts();
  }
  packets_left_ *= static_cast<size_t>(tile.parameters().layers);
  return packets_left_ == 0 || read_all() == Go::kDone;
}

Htj2kPacketReader::Go Htj2kPacketReader::read_all() {
  switch (tile_->parameters().progression) {
    case Progression::kLrcp:
      return read_by_layer(false);
    case Progression::kRlcp:
      return read_by_layer(true);
    default:
      return read_by_place();
  }
}

Htj2kPacketReader::Go Htj2kPacketReader::read_by_layer(bool resolution_first) {
  const int layers = tile_->parameters().layers;
  const int resolutions = tile_->parameters().header.shape.levels + 1;
  for (int i = 0; i < layers * resolutions; ++i) {
    const int layer = resolution_first ? i % layers : i / resolutions;
    const int resolution = resolution_first ? i / layers : i % resolutions;
    for (int component = 0; component < tile_->components(); ++component) {
      const size_t precincts = tile_->resolution(component, resolution).precincts();
      for (size_t k = 0; k < precincts; ++k) {
        const Go go = read_packet({layer, resolution, component, k});
        if (go != Go::kOn) return go;
      }
    }
  }
  return Go::kFailed;
}

namespace {

// Where precincts of a resolution begin, on the picture's grid (B.12.1).
struct PrecinctPitch {
  PrecinctPitch(const Htj2kParameters& parameters, int component, int resolution) {
    const auto r = static_cast<size_t>(resolution);
    level = parameters.header.shape.levels - resolution;
    width_log2 = parameters.precinct_width_log2[r];
    height_log2 = parameters.precinct_height_log2[r];
    step_x = int64_t{parameters.step_x(component)} << level;
    step_y = int64_t{parameters.step_y(component)} << level;
  }
  int64_t across() const { return step_x << width_log2; }
  int64_t down() const { return step_y << height_log2; }

  int level;
  int width_log2, height_log2;
  int64_t step_x, step_y;  // of the resolution's samples
};

// A precinct begins at `at`, or is cut there by the tile's edge.
bool begins_there(int64_t at, int64_t pitch, int64_t tile_begin, int64_t begin, int log2) {
  if (at % pitch == 0) return true;
  return at == tile_begin && (begin & ((int64_t{1} << log2) - 1)) != 0;
}

int64_t next_place(int64_t at, int64_t pitch) {
  return (at / pitch + 1) * pitch;
}

}  // namespace

template <class Visit>
Htj2kPacketReader::Go Htj2kPacketReader::for_each_place(int component, int resolution, int x, int y,
                                                        Visit visit) {
  const TileResolution& here = tile_->resolution(component, resolution);
  if (here.precincts() == 0) return Go::kOn;
  const PrecinctPitch pitch(tile_->parameters(), component, resolution);
  const Area& tile = tile_->area();
  if (!begins_there(y, pitch.down(), tile.y0, here.area.y0, pitch.height_log2)) return Go::kOn;
  if (!begins_there(x, pitch.across(), tile.x0, here.area.x0, pitch.width_log2)) return Go::kOn;
  const int64_t column = (((x + pitch.step_x - 1) / pitch.step_x) >> pitch.width_log2) -
                         (here.area.x0 >> pitch.width_log2);
  const int64_t row = (((y + pitch.step_y - 1) / pitch.step_y) >> pitch.height_log2) -
                      (here.area.y0 >> pitch.height_log2);
  if (column >= here.precincts_across || row >= here.precincts_down) return Go::kOn;
  return visit(static_cast<size_t>(row * here.precincts_across + column));
}

// RPCL, PCRL and CPRL: what stands before the place is an outer loop, what stands behind an inner
// one.
Htj2kPacketReader::Go Htj2kPacketReader::read_by_place() {
  const Htj2kParameters& parameters = tile_->parameters();
  const bool resolution_outer = parameters.progression == Progression::kRpcl;
  const bool component_outer = parameters.progression == Progression::kCprl;
  const int components = tile_->components(), resolutions = parameters.header.shape.levels + 1;
  const int outer = resolution_outer ? resolutions : component_outer ? components : 1;
  const Area& area = tile_->area();
  for (int i = 0; i < outer; ++i) {
    const int first_component = component_outer ? i : 0;
    const int last_component = component_outer ? i : components - 1;
    const int first_resolution = resolution_outer ? i : 0;
    const int last_resolution = resolution_outer ? i : resolutions - 1;
    int64_t across = INT32_MAX, down = INT32_MAX;
    for (int c = first_component; c <= last_component; ++c) {
      for (int r = first_resolution; r <= last_resolution; ++r) {
        const PrecinctPitch pitch(parameters, c, r);
        across = std::min(across, pitch.across());
        down = std::min(down, pitch.down());
      }
    }
    for (int64_t y = area.y0; y < area.y1; y = next_place(y, down)) {
      for (int64_t x = area.x0; x < area.x1; x = next_place(x, across)) {
        for (int c = first_component; c <= last_component; ++c) {
          for (int r = first_resolution; r <= last_resolution; ++r) {
            const Go go =
                for_each_place(c, r, static_cast<int>(x), static_cast<int>(y),
                               [&](size_t precinct) { return read_layers(r, c, precinct); });
            if (go != Go::kOn) return go;
          }
        }
      }
    }
  }
  return Go::kFailed;
}

Htj2kPacketReader::Go Htj2kPacketReader::read_layers(int resolution, int component,
                                                     size_t precinct) {
  for (int layer = 0; layer < tile_->parameters().layers; ++layer) {
    const Go go = read_packet({layer, resolution, component, precinct});
    if (go != Go::kOn) return go;
  }
  return Go::kOn;
}

Htj2kPacketReader::Go Htj2kPacketReader::read_packet(const Place& place) {
  if (!read_one(place)) return Go::kFailed;
  if (place.resolution < resolutions_ && --packets_left_ == 0) return Go::kDone;
  return Go::kOn;
}

// What is left of the tile-part; the next one, if that is nothing.
std::optional<std::span<const uint8_t>> Htj2kPacketReader::rest() {
  while (part_ < parts_.size() && at_ == parts_[part_].end) {
    if (++part_ < parts_.size()) at_ = parts_[part_].packets;
  }
  if (part_ == parts_.size()) return {};
  return codestream_.subspan(at_, parts_[part_].end - at_);
}

bool Htj2kPacketReader::read_one(const Place& place) {
  const auto there = rest();
  if (!there) return false;
  std::span<const uint8_t> bytes = *there;
  if (begins_with(bytes, kSop)) {
    if (bytes.size() < kSopBytes) return false;
    bytes = bytes.subspan(kSopBytes);
  }
  HeaderReader header(bytes, *tile_, contributions_);
  if (!header.is_empty()) {
    const TileResolution& resolution = tile_->resolution(place.component, place.resolution);
    for (const TileBand& band : resolution.bands) {
      const PrecinctBand& precinct = tile_->precinct(resolution, place.precinct, band.kind);
      if (!header.read_band(band, precinct, place.layer)) return false;
    }
  }
  const auto size = header.finish();
  if (!size) return false;
  bytes = bytes.subspan(*size);
  if (begins_with(bytes, kEph)) bytes = bytes.subspan(kEphBytes);
  for (const Contribution& here : contributions_) {
    if (here.cleanup > bytes.size() || here.refinement > bytes.size() - here.cleanup) return false;
    if (here.cleanup > 0) here.block->cleanup = bytes.first(here.cleanup);
    bytes = bytes.subspan(here.cleanup);
    here.block->refinement = bytes.first(here.refinement);
    bytes = bytes.subspan(here.refinement);
  }
  at_ = parts_[part_].end - bytes.size();
  return true;
}

}  // namespace codecs
