#include "codecs/j2k/j2k_header.h"

#include <algorithm>
#include <array>

#include "codecs/j2k/j2k_markers.h"

namespace codecs {
namespace {

// Limit of packets: each resolution of each component has at least one; beyond that, as many as
// precincts of at least 8×8 samples give.
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

// Allowed subsampling: the first and the fourth component none, both chroma components alike.
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
    const int depth = siz.byte();  // minus one; the highest bit means signed
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
  header.tile_width = static_cast<int>(std::min(tile_width, width));
  header.tile_height = static_cast<int>(std::min(tile_height, height));
  const int across = ceil_div(header.shape.width, header.tile_width);
  const int down = ceil_div(header.shape.height, header.tile_height);
  if (across > kMaxJ2kTiles || down > kMaxJ2kTiles || across * down > kMaxJ2kTiles) return false;
  header.tiles = across * down;
  return read_components(siz, header.shape) && !siz.failed() && siz.left() == 0;
}

// Upper bound of the packets of one layer: treats all components as large as the picture, and adds
// a row and a column of precincts per tile.
int64_t packets_of_layer(const J2kMainHeader& header, const ComponentCoding& coding) {
  int64_t packets = 0;
  for (int i = 0; i <= coding.levels; ++i) {
    const auto r = static_cast<size_t>(i);
    const int level = coding.levels - i;
    const int64_t across =
        ceil_shift(ceil_shift(header.shape.width, level), coding.precinct_width_log2[r]);
    const int64_t down =
        ceil_shift(ceil_shift(header.shape.height, level), coding.precinct_height_log2[r]);
    packets += across * down + (across + down + 1) * (header.tiles - 1) + 1;
  }
  return packets;
}

bool read_segment(uint16_t marker, MarkerReader body, J2kMainHeader& header, bool& has_region) {
  switch (marker) {
    case kCod:
    case kCoc:
    case kQcd:
    case kQcc:
    case kPoc:
      return header.coding.read(marker, body, header.shape.components);
    case kPpm:
      header.has_packed_headers = true;
      return true;
    case kRgn:
      has_region = true;
      return true;
    case kSiz:
    case kSoc:
    case kSod:
    case kEoc:
      return false;
    default:
      return marker >= 0xff00;
  }
}

// Called when all segments have been read.
bool finish_header(J2kMainHeader& header, bool has_region) {
  J2kHeader& shape = header.shape;
  const J2kCoding& coding = header.coding;
  if (!coding.is_whole()) return false;
  const ComponentCoding& first = coding.component(0);
  shape.high_throughput = first.high_throughput;
  if (shape.high_throughput && has_region) return false;
  shape.reversible = first.reversible;
  shape.color_transform = coding.color_transform();
  shape.levels = coding.least_levels(shape.components);
  const Progression order = coding.runs()[0].order;
  header.resolution_first = !coding.changes_order() && !header.has_packed_headers && !has_region &&
                            shape.levels == coding.most_levels(shape.components) &&
                            (order == Progression::kRlcp || order == Progression::kRpcl ||
                             (order == Progression::kLrcp && coding.layers() == 1));
  return is_j2k_coding_valid(header, coding);
}

}  // namespace

std::optional<J2kMainHeader> read_j2k_main_header(std::span<const uint8_t> codestream) {
  MarkerReader reader(codestream);
  J2kMainHeader header;
  if (reader.word() != kSoc || reader.word() != kSiz) return {};
  if (!read_size(reader.segment(), header)) return {};
  bool has_region = false;  // region of interest
  while (!reader.failed()) {
    header.bytes = reader.at();
    const uint16_t marker = reader.word();
    if (marker == kSot)
      return finish_header(header, has_region) ? std::optional(header) : std::nullopt;
    if (!read_segment(marker, reader.segment(), header, has_region)) return {};
  }
  return {};
}

bool is_j2k_coding_valid(const J2kMainHeader& header, const J2kCoding& coding) {
  const J2kHeader& shape = header.shape;
  if (!coding.has_all_steps(shape.components)) return false;
  // Part 1 with a different transform per component does not occur in practice.
  if (!shape.high_throughput && coding.has_own_components()) return false;
  if (coding.color_transform() && (shape.components < 3 || shape.chroma_step_x != 1)) return false;
  const ComponentCoding& first = coding.component(0);
  int64_t packets = 0;
  for (int i = 0; i < shape.components; ++i) {
    const ComponentCoding& here = coding.component(i);
    if (here.high_throughput != shape.high_throughput) return false;
    if (here.reversible != first.reversible) return false;
    packets += packets_of_layer(header, here);
  }
  const int64_t pixels = int64_t{shape.width} * shape.height;
  return coding.layers() * packets <= kMaxPacketsOfAny + pixels / kPixelsOfAPacket;
}

std::optional<J2kTilePart> read_j2k_tile_part(std::span<const uint8_t> codestream, size_t begin) {
  if (begin >= codestream.size()) return {};
  MarkerReader reader(codestream.subspan(begin));
  if (reader.word() != kSot) return {};
  MarkerReader sot = reader.segment();
  J2kTilePart part{.begin = begin};
  part.tile = sot.word();
  const size_t length = sot.number(4);  // 0: up to EOC
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
    if (marker == kSot || marker == kSoc || marker < 0xff00) return {};
    part.changes_coding |= marker != kPlt && marker != kCom;
    part.changes_blocks |= marker == kCod || marker == kCoc;
    reader.segment();
  }
  return {};
}

bool are_j2k_tile_parts_valid(std::span<const uint8_t> codestream, const J2kMainHeader& header,
                              int reduction) {
  std::array<uint8_t, kMaxJ2kTiles> found{}, wanted{};
  const int resolutions = header.shape.levels + 1;
  size_t at = header.bytes;
  while (const auto part = read_j2k_tile_part(codestream, at)) {
    if (part->tile >= header.tiles) return false;
    if (part->changes_blocks && !header.shape.high_throughput) return false;
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

bool is_j2k_target_valid(const J2kHeader& shape, const J2kTarget& target) {
  if (shape.width != target.width || shape.height != target.height) return false;
  if (target.reduction < 0 || target.reduction > std::min(kMaxReduction, shape.levels))
    return false;
  const Area wanted = wanted_area(target);
  return wanted.x0 >= 0 && wanted.y0 >= 0 &&
         wanted.x1 <= reduced_side(target.width, target.reduction) &&
         wanted.y1 <= reduced_side(target.height, target.reduction);
}

Area wanted_area(const J2kTarget& target) {
  if (!target.part.is_empty()) return target.part;
  return {0, 0, reduced_side(target.width, target.reduction),
          reduced_side(target.height, target.reduction)};
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
  std::array<uint32_t, kMostJ2kLevels + 1> ends{};
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

bool needs_part_15(std::span<const uint8_t> codestream) {
  constexpr uint32_t kPart15 = 1U << (32 - 15);  // Part 15's bit in Pcap
  MarkerReader reader(codestream);
  if (reader.word() != kSoc) return false;
  while (!reader.failed()) {
    const uint16_t marker = reader.word();
    if (marker == kSot) return false;
    MarkerReader body = reader.segment();
    if (marker == kCap) return (body.number(4) & kPart15) != 0;
  }
  return false;
}

}  // namespace codecs
