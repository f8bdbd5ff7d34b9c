#include "codecs/j2k/j2k_header.h"

#include <algorithm>
#include <array>
#include <utility>

#include "codecs/j2k/j2k_markers.h"

namespace codecs {
namespace {

// Limit of packets: each resolution of each component has at least one; beyond that, as many as
// precincts of at least 8×8 samples give.
constexpr int64_t kMaxPacketsOfAny = 4096;
constexpr int64_t kPixelsOfAPacket = 64;

constexpr int64_t ceil_div(int64_t a, int64_t b) {
  return (a + b - 1) / b;
}

// Why a header is refused.
constexpr const char* kDamaged = "is damaged or uses unsupported JPEG 2000 features";

// Allowed subsampling: the first component none, both chroma components alike. Components that are
// not shown may have any depth and subsampling.
const char* read_components(MarkerReader& siz, J2kMainHeader& header) {
  J2kHeader& shape = header.shape;
  shape.components = siz.word();
  if (shape.components == 0) return kDamaged;
  if (shape.components > kMostJ2kComponents) return "has more than 16 components";
  for (int i = 0; i < shape.components; ++i) {
    constexpr uint8_t kSigned = 0x80;
    const uint8_t depth = siz.byte();  // minus one
    const int bits = (depth & ~kSigned) + 1;
    if (i == 0) shape.bits = bits;
    if (i == 0) shape.is_signed = (depth & kSigned) != 0;
    if (i < shape.shown_components() && bits != shape.bits) {
      return "has components of different depths";
    }
    J2kSteps& step = header.steps[static_cast<size_t>(i)];
    step = {siz.byte(), siz.byte()};
    if (step.x == 0 || step.y == 0) return kDamaged;
  }
  if (siz.failed() || siz.left() != 0) return kDamaged;
  if (shape.bits < 8 || shape.bits > 16) return "has samples of fewer than 8 or more than 16 bits";
  const J2kSteps chroma = shape.components >= 3 ? header.steps[1] : J2kSteps{};
  const bool known =
      chroma == J2kSteps{1, 1} || chroma == J2kSteps{2, 1} || chroma == J2kSteps{2, 2};
  if (header.steps[0] != J2kSteps{} || !known ||
      (shape.components >= 3 && header.steps[2] != chroma)) {
    return "has subsampled components that are not chroma of 4:2:2 or 4:2:0";
  }
  shape.chroma_step_x = chroma.x;
  shape.chroma_step_y = chroma.y;
  return nullptr;
}

// Extent of the picture and of its tiles in one direction (B.2, B.3).
struct Extent {
  uint32_t end = 0;  // end of the picture
  uint32_t begin = 0;
  uint32_t tile = 0;   // size
  uint32_t first = 0;  // where the first tile begins

  const char* fault() const {
    constexpr uint32_t kMostEnd = 1U << 30;
    if (begin >= end || first > begin || uint64_t{first} + tile <= begin) return kDamaged;
    if (end - begin > uint32_t{kMaxJ2kSide}) return "has more than 16384 pixels a side";
    if (end > kMostEnd) return "has an offset of more than 2^30";
    return nullptr;
  }
  int side() const { return static_cast<int>(end - begin); }
  int tile_side() const { return static_cast<int>(std::min(tile, end - first)); }
  int64_t tiles() const { return ceil_div(end - first, tile_side()); }
};

// Returns the fault, or null.
const char* read_size(MarkerReader siz, J2kMainHeader& header) {
  siz.word();  // capabilities
  Extent across, down;
  for (uint32_t Extent::*const field :
       {&Extent::end, &Extent::begin, &Extent::tile, &Extent::first}) {
    across.*field = siz.number(4);
    down.*field = siz.number(4);
  }
  for (const Extent* const extent : {&across, &down}) {
    if (const char* const fault = extent->fault()) return fault;
  }
  if (across.tiles() * down.tiles() > kMaxJ2kTiles) return "has more than 1024 J2K tiles";
  J2kHeader& shape = header.shape;
  shape.width = across.side();
  shape.height = down.side();
  shape.left = static_cast<int>(across.begin);
  shape.top = static_cast<int>(down.begin);
  header.tile_left = static_cast<int>(across.first);
  header.tile_top = static_cast<int>(down.first);
  header.tile_width = across.tile_side();
  header.tile_height = down.tile_side();
  header.tiles_across = static_cast<int>(across.tiles());
  header.tiles = static_cast<int>(across.tiles() * down.tiles());
  return read_components(siz, header);
}

// Upper bound of the packets of one layer: treats all components as large as the picture, and adds
// a row and a column of precincts per tile, and for an offset of the picture.
int64_t packets_of_layer(const J2kMainHeader& header, const ComponentCoding& coding) {
  const J2kHeader& shape = header.shape;
  const int cuts = header.tiles - ((shape.left | shape.top) == 0 ? 1 : 0);
  int64_t packets = 0;
  for (int i = 0; i <= coding.levels; ++i) {
    const auto r = static_cast<size_t>(i);
    const int level = coding.levels - i;
    const int64_t across =
        ceil_halved(ceil_halved(shape.width, level), coding.precinct_width_log2[r]);
    const int64_t down =
        ceil_halved(ceil_halved(shape.height, level), coding.precinct_height_log2[r]);
    packets += across * down + (across + down + 1) * cuts + 1;
  }
  return packets;
}

// Markers of Part 2 that change what the samples mean: DC offsets, other wavelets, component
// transforms, non-linear points.
bool is_of_part_2(uint16_t marker) {
  constexpr uint16_t kFirst = 0xff70, kLast = 0xff79;
  return marker >= kFirst && marker <= kLast;
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

// Halvings that leave samples of every shown component, at most `levels`; negative: none.
int most_halvings(const J2kHeader& shape, int levels) {
  const auto is_any_empty = [&](int reduction) {
    for (int i = 0; i < shape.shown_components(); ++i) {
      if (j2k_component_area(shape, i, reduction).is_empty()) return true;
    }
    return false;
  };
  while (levels >= 0 && is_any_empty(levels)) --levels;
  return levels;
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
  const int levels = coding.least_levels(shape.components);
  shape.levels = most_halvings(shape, levels);
  const Progression order = coding.runs()[0].order;
  header.resolution_first = !coding.changes_order() && !header.has_packed_headers && !has_region &&
                            levels == coding.most_levels(shape.components) &&
                            (order == Progression::kRlcp || order == Progression::kRpcl ||
                             (order == Progression::kLrcp && coding.layers() == 1));
  return shape.levels >= 0 && is_j2k_coding_valid(header, coding);
}

// Returns the fault, or null.
const char* read_main_header(std::span<const uint8_t> codestream, J2kMainHeader& header) {
  MarkerReader reader(codestream);
  if (reader.word() != kSoc || reader.word() != kSiz) return kDamaged;
  if (const char* const fault = read_size(reader.segment(), header)) return fault;
  bool has_region = false;  // region of interest
  while (!reader.failed()) {
    header.bytes = reader.at();
    const uint16_t marker = reader.word();
    if (marker == kSot) return finish_header(header, has_region) ? nullptr : kDamaged;
    if (is_of_part_2(marker)) return "uses extensions of JPEG 2000 Part 2";
    if (!read_segment(marker, reader.segment(), header, has_region)) return kDamaged;
  }
  return kDamaged;
}

}  // namespace

std::optional<J2kMainHeader> read_j2k_main_header(std::span<const uint8_t> codestream) {
  std::optional<J2kMainHeader> header(std::in_place);
  if (read_main_header(codestream, *header) != nullptr) header.reset();
  return header;
}

const char* j2k_header_fault(std::span<const uint8_t> codestream) {
  J2kMainHeader header;
  return read_main_header(codestream, header);
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
  if (length == 0) {
    // Only EOC shows that this tile-part is whole.
    if (!std::equal(std::begin(kEndOfCodestream), std::end(kEndOfCodestream),
                    codestream.end() - sizeof(kEndOfCodestream))) {
      return {};
    }
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
  const int resolutions = header.resolutions();
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

Area j2k_component_area(const J2kHeader& shape, int component, int reduction) {
  const auto edge = [reduction](int at, int step) {
    return static_cast<int>(ceil_halved(ceil_div(at, step), reduction));
  };
  const int step_x = component == 0 ? 1 : shape.chroma_step_x;
  const int step_y = component == 0 ? 1 : shape.chroma_step_y;
  return {edge(shape.left, step_x), edge(shape.top, step_y), edge(shape.left + shape.width, step_x),
          edge(shape.top + shape.height, step_y)};
}

std::optional<J2kHeader> read_j2k_header(std::span<const uint8_t> codestream) {
  const auto header = read_j2k_main_header(codestream);
  return header ? std::optional(header->shape) : std::nullopt;
}

bool is_j2k_whole(std::span<const uint8_t> codestream) {
  const auto header = read_j2k_main_header(codestream);
  return header && are_j2k_tile_parts_valid(codestream, *header, 0);
}

bool is_j2k_truncated(std::span<const uint8_t> codestream) {
  const auto header = read_j2k_main_header(codestream);
  if (!header) return false;
  size_t at = header->bytes;
  while (const auto part = read_j2k_tile_part(codestream, at)) at = part->end;
  const auto rest = codestream.subspan(at);
  if (rest.empty()) return !are_j2k_tile_parts_valid(codestream, *header, 0);
  constexpr uint8_t kMarker = kSot >> 8, kTilePart = kSot & 0xff;
  return rest[0] == kMarker && (rest.size() == 1 || rest[1] == kTilePart);
}

PrefixBytes j2k_prefix_bytes(std::span<const uint8_t> codestream) {
  PrefixBytes prefix;
  prefix.fill(static_cast<uint32_t>(codestream.size()));
  const auto header = read_j2k_main_header(codestream);
  if (!header || header->tiles != 1 || !header->resolution_first) return prefix;
  const int resolutions = header->resolutions();
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
        ends[static_cast<size_t>(std::max(resolutions - 1 - reduction, 0))];
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
