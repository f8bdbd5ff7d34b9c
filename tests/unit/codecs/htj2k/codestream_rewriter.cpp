#include "tests/unit/codecs/htj2k/codestream_rewriter.h"

#include <algorithm>
#include <map>
#include <memory>

#include "codecs/j2k/j2k_header.h"

namespace codecs::test {
namespace {

void put_number(Bytes& bytes, size_t value, int size) {
  while (size-- > 0) bytes.push_back(static_cast<uint8_t>(value >> 8 * size));
}
void put_bytes(Bytes& bytes, std::span<const uint8_t> more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
}
void put_segment(Bytes& bytes, uint16_t marker, std::span<const uint8_t> body) {
  put_number(bytes, marker, 2);
  put_number(bytes, body.size() + 2, 2);
  put_bytes(bytes, body);
}

Bytes component_coding(const ComponentCoding& coding) {
  constexpr uint8_t kHighThroughput = 0x40;
  Bytes bytes{static_cast<uint8_t>(coding.levels),
              static_cast<uint8_t>(coding.block_width_log2 - 2),
              static_cast<uint8_t>(coding.block_height_log2 - 2), kHighThroughput,
              static_cast<uint8_t>(coding.reversible ? 1 : 0)};
  for (size_t i = 0; i <= static_cast<size_t>(coding.levels); ++i) {
    bytes.push_back(
        static_cast<uint8_t>(coding.precinct_width_log2[i] | coding.precinct_height_log2[i] << 4));
  }
  return bytes;
}

Bytes quantisation(const PacketSource& source, int component) {
  constexpr int kExpounded = 2;
  const J2kCoding& coding = source.header.coding;
  const bool reversible = coding.component(component).reversible;
  const int guard_bits =
      coding.planes(component, 0, kLowLow) + 1 - coding.quantiser(component, 0, kLowLow).exponent;
  Bytes bytes{static_cast<uint8_t>(guard_bits << 5 | (reversible ? 0 : kExpounded))};
  for (int r = 0; r <= coding.component(component).levels; ++r) {
    for (const BandKind kind : {kLowLow, kHighLow, kLowHigh, kHighHigh}) {
      if ((kind == kLowLow) != (r == 0)) continue;
      const BandQuantiser& band = coding.quantiser(component, r, kind);
      if (reversible) put_number(bytes, static_cast<size_t>(band.exponent) << 3, 1);
      if (!reversible)
        put_number(bytes, static_cast<size_t>(band.exponent << 11 | band.mantissa), 2);
    }
  }
  return bytes;
}

class CodestreamWriter {
 public:
  CodestreamWriter(std::span<const Bytes> sources, const Rewriting& how) : how_(how) {
    for (const Bytes& bytes : sources) sources_.push_back(std::make_unique<PacketSource>(bytes));
    source_bytes_ = sources[0];
  }

  Bytes write() {
    using Coding = Rewriting::Coding;
    const bool of_tiles =
        how_.coding == Coding::kOfTiles || how_.coding == Coding::kOfTilesAndComponents;
    const bool of_components =
        how_.coding == Coding::kOfComponents || how_.coding == Coding::kOfTilesAndComponents;
    put_number(bytes_, kSoc, 2);
    copy_segments();
    const int tiles = sources_[0]->header.tiles;
    if (of_tiles) {
      put_decoy(bytes_);
    } else {
      put_coding(bytes_, 0, of_components);
    }
    if (how_.runs.size() > 1 && !how_.order_in_tiles) put_order(bytes_);
    std::vector<Part> parts;
    for (int i = 0; i < tiles; ++i) divide(i, rewrite_packets(sources_of(i), i, how_), parts);
    if (how_.parts_in_turn) {
      std::stable_sort(parts.begin(), parts.end(),
                       [](const Part& a, const Part& b) { return a.index < b.index; });
    }
    if (how_.headers == Rewriting::Headers::kInMainHeader) put_packed_main(parts);
    for (const Part& part : parts) {
      Bytes own;
      if (part.index == 0 && of_tiles) put_coding(own, part.tile, of_components);
      if (part.index == 0 && how_.runs.size() > 1 && how_.order_in_tiles) put_order(own);
      put_part(part, own);
    }
    put_number(bytes_, kEoc, 2);
    return bytes_;
  }

 private:
  struct Part {
    int tile, index;
    std::vector<PacketBytes> packets;
  };

  // Returns the source of each component.
  std::vector<const PacketSource*> sources_of(int tile) const {
    std::vector<const PacketSource*> sources;
    for (int i = 0; i < sources_[0]->header.shape.components; ++i)
      sources.push_back(sources_[how_.source ? how_.source(tile, i) : 0].get());
    return sources;
  }

  // SIZ and CAP.
  void copy_segments() {
    MarkerReader reader(source_bytes_);
    reader.word();
    for (uint16_t marker = reader.word(); marker != kSot; marker = reader.word()) {
      MarkerReader body = reader.segment();
      if (marker == kSiz || marker == kCap) put_segment(bytes_, marker, body.bytes(body.left()));
    }
  }
  uint8_t style() const { return static_cast<uint8_t>(1 | (how_.packet_markers ? 6 : 0)); }
  void put_default(Bytes& to, const ComponentCoding& coding) const {
    Bytes body{style(), static_cast<uint8_t>(how_.runs[0].order)};
    put_number(body, static_cast<size_t>(how_.layers), 2);
    put_number(body, sources_[0]->header.coding.color_transform() ? 1 : 0, 1);
    put_bytes(body, component_coding(coding));
    put_segment(to, kCod, body);
  }
  // Writes parameters that a later segment overrides.
  void put_decoy(Bytes& to) const {
    ComponentCoding coding = sources_[0]->header.coding.component(0);
    coding.levels = 1;
    coding.block_width_log2 = coding.block_height_log2 = 3;
    coding.precinct_width_log2.fill(15);
    coding.precinct_height_log2.fill(15);
    put_default(to, coding);
    const Bytes steps{0x20, 0x48, 0x50, 0x50, 0x58};
    const Bytes lossy_steps{0x22, 0x50, 0, 0x50, 0, 0x50, 0, 0x48, 0};
    put_segment(to, kQcd, coding.reversible ? steps : lossy_steps);
  }
  void put_coding(Bytes& to, int tile, bool of_components) const {
    const auto sources = sources_of(tile);
    if (!of_components) {
      put_default(to, sources[0]->header.coding.component(0));
      put_segment(to, kQcd, quantisation(*sources[0], 0));
      return;
    }
    put_decoy(to);
    for (int i = 0; i < static_cast<int>(sources.size()); ++i) {
      const PacketSource& source = *sources[static_cast<size_t>(i)];
      Bytes body{static_cast<uint8_t>(i), 1};
      put_bytes(body, component_coding(source.header.coding.component(i)));
      put_segment(to, kCoc, body);
      body = {static_cast<uint8_t>(i)};
      put_bytes(body, quantisation(source, i));
      put_segment(to, kQcc, body);
    }
  }
  void put_order(Bytes& to) const {
    Bytes body;
    for (const PacketRun& run : how_.runs) {
      put_number(body, static_cast<size_t>(run.first_resolution), 1);
      put_number(body, static_cast<size_t>(run.first_component), 1);
      put_number(body, static_cast<size_t>(std::min(run.end_layer, how_.layers)), 2);
      put_number(body, static_cast<size_t>(run.end_resolution), 1);
      put_number(body, static_cast<size_t>(run.end_component), 1);
      put_number(body, static_cast<size_t>(run.order), 1);
    }
    put_segment(to, kPoc, body);
  }

  void divide(int tile, const std::vector<PacketBytes>& packets, std::vector<Part>& parts) const {
    const auto count = static_cast<size_t>(how_.parts);
    for (size_t i = 0; i < count; ++i) {
      const auto begin = packets.begin() + static_cast<ptrdiff_t>(packets.size() * i / count);
      const auto end = packets.begin() + static_cast<ptrdiff_t>(packets.size() * (i + 1) / count);
      parts.push_back({tile, static_cast<int>(i), {begin, end}});
    }
  }
  Bytes header_of(const PacketBytes& packet) const {
    Bytes header = packet.header;
    if (how_.packet_markers) put_number(header, 0xff92, 2);  // EPH
    return header;
  }
  // Writes segments that end anywhere except within a length.
  void put_packed_main(const std::vector<Part>& parts) {
    constexpr size_t kSegmentBytes = 101, kLengthBytes = 4;
    uint8_t index = 0;
    Bytes body{index};
    const auto finish = [&] {
      put_segment(bytes_, kPpm, body);
      body = {++index};
    };
    for (const Part& part : parts) {
      Bytes headers;
      for (const PacketBytes& packet : part.packets) put_bytes(headers, header_of(packet));
      if (body.size() + kLengthBytes > kSegmentBytes) finish();
      put_number(body, headers.size(), kLengthBytes);
      for (const uint8_t byte : headers) {
        if (body.size() == kSegmentBytes) finish();
        body.push_back(byte);
      }
    }
    finish();
  }
  void put_packed(const Part& part, Bytes& to) {
    const size_t of_a_segment = part.packets.size() / 8 + 1;
    uint8_t& index = segments_of_[part.tile];
    Bytes body{index};
    for (size_t i = 0; i < part.packets.size(); ++i) {
      put_bytes(body, header_of(part.packets[i]));
      if ((i + 1) % of_a_segment != 0 && i + 1 < part.packets.size()) continue;
      put_segment(to, kPpt, body);
      body = {++index};
    }
  }
  void put_part(const Part& part, const Bytes& own) {
    const size_t begin = bytes_.size();
    put_number(bytes_, kSot, 2);
    put_number(bytes_, 10, 2);
    put_number(bytes_, static_cast<size_t>(part.tile), 2);
    put_number(bytes_, 0, 4);
    put_number(bytes_, static_cast<size_t>(part.index), 1);
    put_number(bytes_, static_cast<size_t>(how_.parts), 1);
    put_bytes(bytes_, own);
    if (how_.headers == Rewriting::Headers::kInTileParts) put_packed(part, bytes_);
    put_number(bytes_, kSod, 2);
    for (const PacketBytes& packet : part.packets) {
      if (how_.packet_markers) {
        put_number(bytes_, 0xff910004, 4);  // SOP
        put_number(bytes_, packet_++ % 65536, 2);
      }
      if (how_.headers == Rewriting::Headers::kInPackets) put_bytes(bytes_, header_of(packet));
      put_bytes(bytes_, packet.body);
    }
    const size_t length = bytes_.size() - begin;
    for (size_t i = 0; i < 4; ++i) {
      bytes_[begin + 6 + i] = static_cast<uint8_t>(length >> 8 * (3 - i));
    }
  }

  const Rewriting& how_;
  std::vector<std::unique_ptr<PacketSource>> sources_;
  Bytes source_bytes_;
  Bytes bytes_;
  size_t packet_ = 0;
  std::map<int, uint8_t> segments_of_;  // number of packet header segments, by tile
};

}  // namespace

Bytes rewrite_codestream(std::span<const Bytes> sources, const Rewriting& how) {
  return CodestreamWriter(sources, how).write();
}

}  // namespace codecs::test
