#include "codecs/j2k_tile_parts.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "codecs/ht_packets.h"

namespace codecs {
namespace {

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
  if (!header || !header->has_plain_packets) return {};
  const auto whole = read_j2k_tile_part(codestream, header->bytes);
  if (!whole || whole->packets != whole->begin + kTilePartHeader) return {};
  const int parts = header->shape.levels + 1;
  const size_t added = kTilePartHeader * static_cast<size_t>(parts - 1);
  if (out.size() - bytes < added) return {};

  HtPackets finder(*header);
  std::array<size_t, kMaxLevels + 2> begins{};  // of the resolutions' packets, and the end
  begins[0] = whole->packets;
  for (int i = 0; i < parts; ++i) {
    const size_t at = begins[static_cast<size_t>(i)];
    const auto more = finder.read(codestream.subspan(at, whole->end - at), i);
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
