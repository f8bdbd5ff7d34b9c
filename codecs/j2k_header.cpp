#include "codecs/j2k_header.h"

#include <algorithm>
#include <array>

#include "codecs/j2k_markers.h"

namespace codecs {
namespace {

constexpr int kMaxLevels = 32;  // of the standard
// Each resolution of each component has at least one packet; beyond that, as many as pictures of
// precincts not smaller than 8×8 samples have.
constexpr int64_t kMaxPacketsOfAny = 4096;
constexpr int64_t kPixelsOfAPacket = 64;

constexpr int ceil_div(int a, int b) {
  return (a + b - 1) / b;
}
constexpr int64_t ceil_shift(int64_t a, int bits) {
  return (a + (int64_t{1} << bits) - 1) >> bits;
}

bool is_side(uint32_t value) {
  return value >= 1 && value <= static_cast<uint32_t>(kMaxJ2kSide);
}

// How components 1 … 3 may be stepped: the first and last as the picture, chroma alike.
struct Steps {
  int x = 1;
  int y = 1;
  bool operator==(const Steps&) const = default;
};

bool read_components(MarkerReader& siz, J2kHeader& shape) {
  shape.components = siz.word();
  if (shape.components != 1 && shape.components != 3 && shape.components != 4) return false;
  std::array<Steps, 4> steps;
  for (int i = 0; i < shape.components; ++i) {
    const int depth = siz.byte();  // less one; the highest bit: signed
    if (i == 0) shape.bits = depth + 1;
    if (depth + 1 != shape.bits) return false;
    Steps& step = steps[static_cast<size_t>(i)];
    step.x = siz.byte();
    step.y = siz.byte();
  }
  if (shape.bits < 8 || shape.bits > 16) return false;
  shape.chroma_step_x = steps[1].x;
  shape.chroma_step_y = steps[1].y;
  const bool known = steps[1] == Steps{1, 1} || steps[1] == Steps{2, 1} || steps[1] == Steps{2, 2};
  return steps[0] == Steps{} && steps[3] == Steps{} && known && steps[2] == steps[1];
}

bool read_size(MarkerReader siz, J2kMainHeader& header) {
  siz.word();  // capabilities
  const uint32_t width = siz.number(4), height = siz.number(4);
  const uint32_t left = siz.number(4), top = siz.number(4);
  const uint32_t tile_width = siz.number(4), tile_height = siz.number(4);
  const uint32_t tile_left = siz.number(4), tile_top = siz.number(4);
  if (!is_side(width) || !is_side(height) || (left | top | tile_left | tile_top) != 0) return false;
  if (tile_width == 0 || tile_height == 0) return false;
  header.shape.width = static_cast<int>(width);
  header.shape.height = static_cast<int>(height);
  const int across = ceil_div(header.shape.width, static_cast<int>(std::min(tile_width, width)));
  const int down = ceil_div(header.shape.height, static_cast<int>(std::min(tile_height, height)));
  if (across > kMaxJ2kTiles || down > kMaxJ2kTiles || across * down > kMaxJ2kTiles) return false;
  header.tiles = across * down;
  return read_components(siz, header.shape) && !siz.failed() && siz.left() == 0;
}

bool read_block_style(MarkerReader& cod, J2kMainHeader& header) {
  constexpr uint8_t kHighThroughput = 0x40, kMixed = 0x80, kVerticallyCausal = 0x08;
  header.block_width_log2 = cod.byte() + 2;
  header.block_height_log2 = cod.byte() + 2;
  if (header.block_width_log2 > 10 || header.block_height_log2 > 10) return false;
  if (header.block_width_log2 + header.block_height_log2 > 12) return false;
  const uint8_t style = cod.byte();
  header.shape.high_throughput = (style & kHighThroughput) != 0;
  if ((style & kMixed) != 0) return false;
  return !header.shape.high_throughput || (style & ~(kHighThroughput | kVerticallyCausal)) == 0;
}

// The packets of one layer; nothing when precincts are smaller than can be. All components are
// taken to be as large as the picture, a row and a column of precincts more for each tile.
std::optional<int64_t> read_precincts(MarkerReader& cod, const J2kMainHeader& header,
                                      bool has_precincts) {
  const J2kHeader& shape = header.shape;
  int64_t packets = 0;
  for (int i = 0; i <= shape.levels; ++i) {
    const int precinct = has_precincts ? cod.byte() : 0xff;
    const int width_log2 = precinct & 15, height_log2 = precinct >> 4;
    if (i > 0 && (width_log2 == 0 || height_log2 == 0)) return {};
    const int level = shape.levels - i;
    const int64_t across = ceil_shift(ceil_shift(shape.width, level), width_log2);
    const int64_t down = ceil_shift(ceil_shift(shape.height, level), height_log2);
    packets += shape.components * (across * down + (across + down + 1) * (header.tiles - 1) + 1);
  }
  return packets;
}

bool read_coding(MarkerReader cod, J2kMainHeader& header) {
  enum Progression : uint8_t { kLrcp, kRlcp, kRpcl };
  J2kHeader& shape = header.shape;
  const uint8_t style = cod.byte();  // 1: precincts follow; 2, 4: SOP and EPH may be used
  const uint8_t progression = cod.byte();
  const int layers = cod.word();
  const uint8_t transform = cod.byte();
  shape.levels = cod.byte();
  if (style > 7 || progression > 4 || layers == 0 || transform > 1) return false;
  if (shape.levels > kMaxLevels || !read_block_style(cod, header)) return false;
  const uint8_t wavelet = cod.byte();
  if (wavelet > 1) return false;
  shape.reversible = wavelet == 1;
  shape.color_transform = transform == 1;
  if (shape.color_transform && (shape.components < 3 || shape.chroma_step_x != 1)) return false;
  header.resolution_first =
      progression == kRlcp || progression == kRpcl || (progression == kLrcp && layers == 1);
  const auto packets = read_precincts(cod, header, (style & 1) != 0);
  const int64_t pixels = int64_t{shape.width} * shape.height;
  if (!packets || layers * *packets > kMaxPacketsOfAny + pixels / kPixelsOfAPacket) return false;
  return !cod.failed() && cod.left() == 0;
}

// Steps for as many subbands as the transform has.
bool read_quantisation(MarkerReader qcd, const J2kHeader& shape) {
  const int style = qcd.byte() & 31;
  const auto bands = static_cast<size_t>(3 * shape.levels + 1);
  if (style == 0) return qcd.left() >= bands;
  if (style == 1) return qcd.left() >= 2;
  return style == 2 && qcd.left() >= 2 * bands;
}

bool read_component_quantisation(MarkerReader qcc, const J2kHeader& shape) {
  return qcc.byte() < shape.components && read_quantisation(qcc, shape);
}

// What the header must hold, and in which order.
struct Found {
  bool coding = false;
  bool quantisation = false;
};

bool read_segment(uint16_t marker, MarkerReader body, J2kMainHeader& header, Found& found) {
  switch (marker) {
    case kCod:
      if (found.coding) return false;
      found.coding = true;
      return read_coding(body, header);
    case kQcd:
      if (!found.coding || found.quantisation) return false;
      found.quantisation = true;
      return read_quantisation(body, header.shape);
    case kQcc:
      return found.coding && read_component_quantisation(body, header.shape);
    case kPoc:
      header.has_progression_changes = true;
      header.resolution_first = false;
      return found.coding && !header.shape.high_throughput;
    case kRgn:
    case kPpm:
      header.resolution_first = false;
      return found.coding && !header.shape.high_throughput;
    case kSiz:
    case kCoc:  // each component by its own transform: nobody's films have it
    case kSoc:
    case kSod:
    case kEoc:
      return false;
    default:
      return marker >= 0xff00;
  }
}

}  // namespace

std::optional<J2kMainHeader> read_j2k_main_header(std::span<const uint8_t> codestream) {
  MarkerReader reader(codestream);
  J2kMainHeader header;
  if (reader.word() != kSoc || reader.word() != kSiz) return {};
  if (!read_size(reader.segment(), header)) return {};
  Found found;
  while (!reader.failed()) {
    header.bytes = reader.at();
    const uint16_t marker = reader.word();
    if (marker == kSot) {
      if (!found.coding || !found.quantisation) return {};
      return header;
    }
    if (!read_segment(marker, reader.segment(), header, found)) return {};
  }
  return {};
}

std::optional<J2kTilePart> read_j2k_tile_part(std::span<const uint8_t> codestream, size_t begin) {
  if (begin >= codestream.size()) return {};
  MarkerReader reader(codestream.subspan(begin));
  if (reader.word() != kSot) return {};
  MarkerReader sot = reader.segment();
  J2kTilePart part{.begin = begin};
  part.tile = sot.word();
  const size_t length = sot.number(4);  // 0: to EOC
  part.index = sot.byte();
  part.count = sot.byte();
  if (sot.failed() || sot.left() != 0) return {};
  if (length > codestream.size() - begin) return {};
  part.end = length > 0 ? begin + length : codestream.size();
  if (length == 0 && codestream.size() - begin >= sizeof(kEndOfCodestream) &&
      std::equal(std::begin(kEndOfCodestream), std::end(kEndOfCodestream),
                 codestream.end() - sizeof(kEndOfCodestream))) {
    part.end -= sizeof(kEndOfCodestream);
  }
  while (!reader.failed()) {
    const uint16_t marker = reader.word();
    part.packets = begin + reader.at();
    if (marker == kSod) return part.packets <= part.end ? std::optional(part) : std::nullopt;
    if (marker == kCod || marker == kCoc || marker == kSot || marker == kSoc || marker < 0xff00) {
      return {};
    }
    part.changes_coding |= marker != kPlt && marker != kCom;
    reader.segment();
  }
  return {};
}

bool are_j2k_tile_parts_sound(std::span<const uint8_t> codestream, const J2kMainHeader& header,
                              int reduction) {
  std::array<uint8_t, kMaxJ2kTiles> found{}, wanted{};
  const int resolutions = header.shape.levels + 1;
  size_t at = header.bytes;
  while (const auto part = read_j2k_tile_part(codestream, at)) {
    if (part->tile >= header.tiles) return false;
    const auto tile = static_cast<size_t>(part->tile);
    if (part->index != found[tile] || found[tile] == UINT8_MAX) return false;
    ++found[tile];
    const bool divided = header.resolution_first && part->count == resolutions;
    const int needed = divided ? std::max(resolutions - reduction, 1) : part->count;
    wanted[tile] = std::max({wanted[tile], static_cast<uint8_t>(needed), uint8_t{1}});
    at = part->end;
  }
  for (size_t tile = 0; tile < static_cast<size_t>(header.tiles); ++tile) {
    if (found[tile] == 0 || found[tile] < wanted[tile]) return false;
  }
  const auto rest = codestream.subspan(at);
  return rest.empty() || std::equal(rest.begin(), rest.end(), std::begin(kEndOfCodestream),
                                    std::end(kEndOfCodestream));
}

std::optional<J2kHeader> read_j2k_header(std::span<const uint8_t> codestream) {
  const auto header = read_j2k_main_header(codestream);
  return header ? std::optional(header->shape) : std::nullopt;
}

PrefixBytes j2k_prefix_bytes(std::span<const uint8_t> codestream) {
  PrefixBytes prefix;
  prefix.fill(static_cast<uint32_t>(codestream.size()));
  const auto header = read_j2k_main_header(codestream);
  if (!header || header->tiles != 1 || !header->resolution_first) return prefix;
  const int resolutions = header->shape.levels + 1;
  std::array<uint32_t, kMaxLevels + 1> ends{};
  size_t at = header->bytes;
  int parts = 0;
  while (const auto part = read_j2k_tile_part(codestream, at)) {
    if (part->index != parts || parts == resolutions) return prefix;
    at = part->end;
    ends[static_cast<size_t>(parts++)] = static_cast<uint32_t>(at);
  }
  if (parts != resolutions) return prefix;
  for (int reduction = 1; reduction <= kMaxReduction; ++reduction) {
    prefix[static_cast<size_t>(reduction)] =
        ends[static_cast<size_t>(std::max(header->shape.levels - reduction, 0))];
  }
  return prefix;
}

}  // namespace codecs
