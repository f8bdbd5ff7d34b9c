#include "codecs/htj2k/htj2k_packet_reader.h"

#include <algorithm>

#include "codecs/ht/ht_tables.h"
#include "codecs/j2k/tag_tree.h"

namespace codecs {

// Reads the bits of a packet header, the highest first; after a byte of 0xff the next byte's
// highest bit is stuffed.
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
  // Returns the number of bytes of the header.
  size_t finish() {
    if (last_ == 0xff) ++at_;  // the stuffed bit is in a byte of its own
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

namespace {

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
constexpr int kCodingPasses = 3;  // per HT set

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
  // Whether the leaf's value is at most `limit`.
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
  // 15444-15, B.3: each set of three passes before the coded one stands for an empty plane.
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
  // Refinement passes of a block that came in an earlier layer.
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

bool Htj2kPacketReader::read(const TilePackets& packets, Htj2kTile& tile, int reduction) {
  packets_ = packets;
  tile_ = &tile;
  reduction_ = reduction;
  next_part_ = 0;
  body_ = {};
  packets_left_ = 0;
  for (int i = 0; i < tile.components(); ++i) {
    for (int r = 0; is_needed(i, r); ++r) packets_left_ += tile.resolution(i, r).precincts();
  }
  packets_left_ *= static_cast<size_t>(tile.coding().layers());
  layers_read_.assign(tile.precincts(), 0);
  // Limits the work: orders with thin precincts or many changes visit very many positions.
  constexpr int64_t kVisitsOfAny = 65536, kVisitsOfAPixel = 2;
  visits_left_ = kVisitsOfAny + kVisitsOfAPixel * tile.area().width() * tile.area().height();
  return packets_left_ == 0 || read_all() == Go::kDone;
}

Htj2kPacketReader::Go Htj2kPacketReader::read_all() {
  const int components = tile_->components();
  for (PacketRun run : tile_->coding().runs()) {
    run.end_component = std::min(run.end_component, components);
    run.end_resolution = std::min(run.end_resolution, tile_->coding().most_levels(components) + 1);
    run.end_layer = std::min(run.end_layer, tile_->coding().layers());
    const Go go = run.order == Progression::kLrcp   ? read_by_layer(run)
                  : run.order == Progression::kRlcp ? read_by_resolution(run)
                                                    : read_by_place(run);
    if (go != Go::kOn) return go;
  }
  return Go::kFailed;
}

Htj2kPacketReader::Go Htj2kPacketReader::read_by_layer(const PacketRun& run) {
  for (int layer = 0; layer < run.end_layer; ++layer) {
    for (int r = run.first_resolution; r < run.end_resolution; ++r) {
      const Go go = read_precincts(layer, r, run);
      if (go != Go::kOn) return go;
    }
  }
  return Go::kOn;
}
Htj2kPacketReader::Go Htj2kPacketReader::read_by_resolution(const PacketRun& run) {
  for (int r = run.first_resolution; r < run.end_resolution; ++r) {
    for (int layer = 0; layer < run.end_layer; ++layer) {
      const Go go = read_precincts(layer, r, run);
      if (go != Go::kOn) return go;
    }
  }
  return Go::kOn;
}
Htj2kPacketReader::Go Htj2kPacketReader::read_precincts(int layer, int resolution,
                                                        const PacketRun& run) {
  for (int i = run.first_component; i < run.end_component; ++i) {
    if (--visits_left_ < 0) return Go::kFailed;
    if (resolution > tile_->levels(i)) continue;
    const size_t precincts = tile_->resolution(i, resolution).precincts();
    for (size_t k = 0; k < precincts; ++k) {
      const Go go = read_packet({layer, resolution, i, k});
      if (go != Go::kOn) return go;
    }
  }
  return Go::kOn;
}

namespace {

// Distance between precincts of a resolution, on the picture's grid (B.12.1).
struct PrecinctPitch {
  PrecinctPitch(const Htj2kTile& tile, int component, int resolution) {
    const ComponentCoding& coding = tile.coding().component(component);
    const auto r = static_cast<size_t>(resolution);
    const int level = coding.levels - resolution;
    width_log2 = coding.precinct_width_log2[r];
    height_log2 = coding.precinct_height_log2[r];
    step_x = int64_t{tile.header().step_x(component)} << level;
    step_y = int64_t{tile.header().step_y(component)} << level;
  }
  int64_t across() const { return step_x << width_log2; }
  int64_t down() const { return step_y << height_log2; }

  int width_log2, height_log2;
  int64_t step_x, step_y;  // distances of the resolution's samples
};

// Whether a precinct begins at `at`, or is cut there by the tile's edge.
bool begins_there(int64_t at, int64_t pitch, int64_t tile_begin, int64_t begin, int log2) {
  if (at % pitch == 0) return true;
  return at == tile_begin && (begin & ((int64_t{1} << log2) - 1)) != 0;
}

int64_t next_place(int64_t at, int64_t pitch) {
  return (at / pitch + 1) * pitch;
}

}  // namespace

std::optional<size_t> Htj2kPacketReader::precinct_at(int component, int resolution, int x,
                                                     int y) const {
  const TileResolution& here = tile_->resolution(component, resolution);
  if (here.precincts() == 0) return {};
  const PrecinctPitch pitch(*tile_, component, resolution);
  const Area& tile = tile_->area();
  if (!begins_there(y, pitch.down(), tile.y0, here.area.y0, pitch.height_log2)) return {};
  if (!begins_there(x, pitch.across(), tile.x0, here.area.x0, pitch.width_log2)) return {};
  const int64_t column = (((x + pitch.step_x - 1) / pitch.step_x) >> pitch.width_log2) -
                         (here.area.x0 >> pitch.width_log2);
  const int64_t row = (((y + pitch.step_y - 1) / pitch.step_y) >> pitch.height_log2) -
                      (here.area.y0 >> pitch.height_log2);
  if (column >= here.precincts_across || row >= here.precincts_down) return {};
  return static_cast<size_t>(row * here.precincts_across + column);
}

// RPCL, PCRL and CPRL. The dimension before the position is an outer loop, done here as one run per
// resolution or component; those after it are inner loops.
Htj2kPacketReader::Go Htj2kPacketReader::read_by_place(const PacketRun& run) {
  if (run.order == Progression::kPcrl) return read_places(run);
  const bool by_resolution = run.order == Progression::kRpcl;
  PacketRun one = run;
  int& first = by_resolution ? one.first_resolution : one.first_component;
  int& end = by_resolution ? one.end_resolution : one.end_component;
  const int last = end;
  for (; first < last; ++first) {
    end = first + 1;
    const Go go = read_places(one);
    if (go != Go::kOn) return go;
  }
  return Go::kOn;
}

Htj2kPacketReader::Go Htj2kPacketReader::read_places(const PacketRun& run) {
  int64_t across = INT32_MAX, down = INT32_MAX;
  for (int i = run.first_component; i < run.end_component; ++i) {
    for (int r = run.first_resolution; r < std::min(run.end_resolution, tile_->levels(i) + 1);
         ++r) {
      const PrecinctPitch pitch(*tile_, i, r);
      across = std::min(across, pitch.across());
      down = std::min(down, pitch.down());
    }
  }
  const Area& area = tile_->area();
  for (int64_t y = area.y0; y < area.y1; y = next_place(y, down)) {
    for (int64_t x = area.x0; x < area.x1; x = next_place(x, across)) {
      const Go go = read_place(run, static_cast<int>(x), static_cast<int>(y));
      if (go != Go::kOn) return go;
    }
  }
  return Go::kOn;
}

Htj2kPacketReader::Go Htj2kPacketReader::read_place(const PacketRun& run, int x, int y) {
  for (int i = run.first_component; i < run.end_component; ++i) {
    for (int r = run.first_resolution; r < std::min(run.end_resolution, tile_->levels(i) + 1);
         ++r) {
      if (--visits_left_ < 0) return Go::kFailed;
      const auto precinct = precinct_at(i, r, x, y);
      if (!precinct) continue;
      for (int layer = 0; layer < run.end_layer; ++layer) {
        const Go go = read_packet({layer, r, i, *precinct});
        if (go != Go::kOn) return go;
      }
    }
  }
  return Go::kOn;
}

Htj2kPacketReader::Go Htj2kPacketReader::read_packet(const Place& place) {
  const TileResolution& resolution = tile_->resolution(place.component, place.resolution);
  uint16_t& layers = layers_read_[resolution.first_precinct + place.precinct];
  if (--visits_left_ < 0) return Go::kFailed;
  if (place.layer < layers) return Go::kOn;  // already read in another run
  ++layers;
  if (!read_one(place)) return Go::kFailed;
  if (is_needed(place.component, place.resolution) && --packets_left_ == 0) return Go::kDone;
  return Go::kOn;
}

// Continues with the next tile-part when the current one is used up. Packets with separate headers
// may have no body.
bool Htj2kPacketReader::find_body() {
  while (body_.empty() && next_part_ < packets_.parts.size()) {
    const J2kTilePart& part = packets_.parts[next_part_++];
    body_ = packets_.codestream.subspan(part.packets, part.end - part.packets);
  }
  return !body_.empty() || packets_.headers;
}

bool Htj2kPacketReader::read_one(const Place& place) {
  if (!find_body()) return false;
  if (begins_with(body_, kSop)) {
    if (body_.size() < kSopBytes) return false;
    body_ = body_.subspan(kSopBytes);
  }
  std::span<const uint8_t>& headers = packets_.headers ? *packets_.headers : body_;
  HeaderReader header(headers, *tile_, contributions_);
  if (!header.is_empty()) {
    const TileResolution& resolution = tile_->resolution(place.component, place.resolution);
    for (const TileBand& band : resolution.bands) {
      const PrecinctBand& precinct = tile_->precinct(resolution, place.precinct, band.kind);
      if (!header.read_band(band, precinct, place.layer)) return false;
    }
  }
  const auto size = header.finish();
  if (!size) return false;
  headers = headers.subspan(*size);
  if (begins_with(headers, kEph)) headers = headers.subspan(kEphBytes);
  for (const Contribution& here : contributions_) {
    if (here.cleanup > body_.size() || here.refinement > body_.size() - here.cleanup) return false;
    if (here.cleanup > 0) here.block->cleanup = body_.first(here.cleanup);
    body_ = body_.subspan(here.cleanup);
    here.block->refinement = body_.first(here.refinement);
    body_ = body_.subspan(here.refinement);
  }
  return true;
}

}  // namespace codecs
