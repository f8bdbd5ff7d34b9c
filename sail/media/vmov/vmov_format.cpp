#include "sail/media/vmov/vmov_format.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "codecs/picture/block_encoder.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"
#include "sail/core/wire/data/byte_reader.h"
#include "sail/core/wire/data/byte_writer.h"

namespace sail {
namespace {

using std::string_view_literals::operator""sv;

// As in PNG: line ends that a text-mode transfer would change, and DOS's end-of-file character.
constexpr std::string_view kHeaderMagic = "VMOV\r\n\x1A\n"sv;
constexpr std::string_view kFooterMagic = "VMOVEND\n"sv;
constexpr uint32_t kFrameMagic = 0x4D524656;  // "VFRM"
constexpr uint32_t kIndexMagic = 0x58444956;  // "VIDX"

std::span<const uint8_t> as_bytes(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

std::string_view as_text(std::span<const uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Error bad(std::string message) {
  return fail(ErrorCode::kBadData, std::move(message));
}

// The checksum follows the bytes that it covers.
void end_with_checksum(std::span<uint8_t> bytes) {
  const size_t covered = bytes.size() - kVmovChecksumBytes;
  ByteWriter(bytes.subspan(covered)).u64(checksum(bytes.first(covered)));
}

bool checksum_holds(std::span<const uint8_t> bytes) {
  const size_t covered = bytes.size() - kVmovChecksumBytes;
  return ByteReader(bytes.subspan(covered)).u64() == checksum(bytes.first(covered));
}

bool is_size(Size size, int max_side) {
  return size.width >= 1 && size.height >= 1 && size.width <= max_side && size.height <= max_side;
}

// A value too large for an int becomes 0, which is not a valid side.
int side(uint32_t value) {
  return value <= uint32_t{kMaxWindowSide} ? static_cast<int>(value) : 0;
}

bool is_time(int64_t time_ns) {
  return time_ns >= 0 && time_ns <= kMaxTimeNs;
}

std::optional<codecs::PictureColor> color_of(uint8_t matrix, uint8_t range) {
  if (matrix > static_cast<uint8_t>(codecs::ColorMatrix::kXyz)) return std::nullopt;
  const codecs::PictureColor color{static_cast<codecs::ColorMatrix>(matrix),
                                   static_cast<codecs::ColorRange>(range)};
  const bool known =
      color.range == codecs::ColorRange::kLimited || color.range == codecs::ColorRange::kFull;
  return known ? std::optional(color) : std::nullopt;
}

VmovShard read_shard(ByteReader& in) {
  VmovShard shard;
  shard.number = in.u32();
  shard.count = in.u32();
  shard.frames = in.u64();
  shard.recipe = in.u64();
  return shard;
}

bool is_shard(const VmovShard& shard) {
  return shard.number >= 1 && shard.number <= shard.count && shard.count >= 2 &&
         shard.count <= kMaxVmovShards && shard.count <= shard.frames &&
         shard.frames <= kMaxVmovFrames;
}

}  // namespace

uint64_t checksum(std::span<const uint8_t> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

// --- header -------------------------------------------------------------------------------------

std::vector<uint8_t> encode_vmov_header(const VmovHeader& header) {
  const size_t size = kVmovHeaderFixedBytes + header.made_with.size() + header.source.size() +
                      (header.shard ? kVmovShardBytes : 0) + kVmovChecksumBytes;
  std::vector<uint8_t> bytes(size);
  ByteWriter out(bytes);
  out.bytes(as_bytes(kHeaderMagic));
  out.u16(header.shard ? kVmovShardVersion : kVmovVersion);
  out.u16(static_cast<uint16_t>(size));
  out.u8(static_cast<uint8_t>(header.codec.id));
  out.u8(static_cast<uint8_t>(header.codec.compression));
  out.u16(static_cast<uint16_t>(header.block_size.width));
  out.u16(static_cast<uint16_t>(header.block_size.height));
  out.u8(static_cast<uint8_t>(header.color.matrix));
  out.u8(static_cast<uint8_t>(header.color.range));
  out.u32(static_cast<uint32_t>(header.frame_size.width));
  out.u32(static_cast<uint32_t>(header.frame_size.height));
  out.u32(static_cast<uint32_t>(header.display_size.width));
  out.u32(static_cast<uint32_t>(header.display_size.height));
  out.u32(header.rate.numerator);
  out.u32(header.rate.denominator);
  out.u64(header.recipe);
  out.u16(static_cast<uint16_t>(header.made_with.size()));
  out.u16(static_cast<uint16_t>(header.source.size()));
  out.bytes(as_bytes(header.made_with));
  out.bytes(as_bytes(header.source));
  if (header.shard) {
    out.u32(header.shard->number);
    out.u32(header.shard->count);
    out.u64(header.shard->frames);
    out.u64(header.shard->recipe);
  }
  end_with_checksum(bytes);
  return bytes;
}

bool has_vmov_magic(std::span<const uint8_t> bytes) {
  return as_text(bytes).starts_with(kHeaderMagic);
}

Result<size_t> vmov_header_bytes(std::span<const uint8_t> fixed) {
  if (!has_vmov_magic(fixed)) return bad("not a .vmov file");
  ByteReader in(fixed.subspan(kHeaderMagic.size()));
  const uint16_t version = in.u16();
  const size_t size = in.u16();
  if (version != kVmovVersion && version != kVmovShardVersion) {
    return bad(fmt::format("format version {}: this program reads versions {} and {}", version,
                           kVmovVersion, kVmovShardVersion));
  }
  constexpr size_t kLeast = kVmovHeaderFixedBytes + kVmovChecksumBytes;
  if (!in.ok() || size < kLeast || size > kLeast + 2 * kMaxVmovText + kVmovShardBytes) {
    return bad(fmt::format("invalid header size: {} bytes", size));
  }
  return size;
}

Result<VmovHeader> decode_vmov_header(std::span<const uint8_t> bytes) {
  const auto size = vmov_header_bytes(bytes);
  if (!size) return size.error();
  if (bytes.size() != *size) return bad("the header is cut off");
  if (!checksum_holds(bytes)) return bad("the header's checksum is wrong");
  ByteReader in(
      bytes.subspan(kHeaderMagic.size(), *size - kHeaderMagic.size() - kVmovChecksumBytes));
  const uint16_t version = in.u16();
  in.u16();  // the size
  VmovHeader header;
  const uint8_t codec = in.u8();
  const uint8_t compression = in.u8();
  header.codec = {static_cast<codecs::CodecId>(codec),
                  static_cast<codecs::Compression>(compression)};
  header.block_size.width = in.u16();
  header.block_size.height = in.u16();
  const uint8_t matrix = in.u8();
  const uint8_t range = in.u8();
  header.frame_size.width = side(in.u32());
  header.frame_size.height = side(in.u32());
  header.display_size.width = side(in.u32());
  header.display_size.height = side(in.u32());
  header.rate.numerator = in.u32();
  header.rate.denominator = in.u32();
  header.recipe = in.u64();
  const size_t made_with_bytes = in.u16();
  const size_t source_bytes = in.u16();
  header.made_with = as_text(in.bytes(made_with_bytes));
  header.source = as_text(in.bytes(source_bytes));
  if (version == kVmovShardVersion) header.shard = read_shard(in);

  if (!in.done()) return bad("the header's fields are inconsistent");
  if (header.shard && !is_shard(*header.shard)) return bad("the shard's numbers are invalid");
  if (!parse_codec_name(codec_name(header.codec))) {
    return bad(fmt::format("unknown codec {} with compression {}", codec, compression));
  }
  for (const int side : {header.block_size.width, header.block_size.height}) {
    if (is_block_side(side) && side % kScalableBlockStep == 0) continue;
    return bad(fmt::format("invalid size of pixel blocks: {}x{}", header.block_size.width,
                           header.block_size.height));
  }
  const auto color = color_of(matrix, range);
  if (!color) return bad("unknown colour matrix or range");
  header.color = *color;
  if (!is_size(header.frame_size, kMaxFrameSide) || !is_size(header.display_size, kMaxWindowSide)) {
    return bad(fmt::format("the frame size is out of range: sides must be 1 to {}", kMaxFrameSide));
  }
  if ((header.rate.numerator == 0) != (header.rate.denominator == 0)) {
    return bad("the frame rate is not a valid fraction");
  }
  for (const std::string& text : {header.made_with, header.source}) {
    if (text.size() > kMaxVmovText || !is_plain_text(text)) {
      return bad("a text in the header is too long or contains control characters");
    }
  }
  return header;
}

// --- frames -------------------------------------------------------------------------------------

VmovFrameBounds::VmovFrameBounds(const VmovHeader& header) {
  const auto [id, compression] = header.codec;
  const BlockGrid grid(header.frame_size, header.block_size);
  blocks_.reserve(grid.count());
  for (int row = 0; row < grid.rows(); ++row) {
    for (int column = 0; column < grid.columns(); ++column) {
      const Rect rect = grid.block_rect(column, row);
      const auto [least, most] =
          codecs::block_bounds(id, compression, codecs::ColorMatrix::kRgb, rect.width, rect.height);
      blocks_.push_back({static_cast<uint32_t>(least), static_cast<uint32_t>(most)});
      max_data_bytes_ += most;
    }
  }
}

bool VmovFrameBounds::allows(std::span<const uint32_t> lengths) const {
  return std::ranges::equal(lengths, blocks_, [](uint32_t length, const Range& range) {
    return length >= range.least && length <= range.most;
  });
}

void encode_vmov_frame_head(const VmovFrameHead& head, std::span<const uint32_t> lengths,
                            std::span<uint8_t> bytes) {
  ByteWriter out(bytes);
  out.u32(kFrameMagic);
  out.u32(static_cast<uint32_t>(lengths.size()));
  out.u64(head.number);
  out.i64(head.pts_ns);
  out.i64(head.duration_ns);
  out.u64(head.data_bytes);
  out.u64(head.data_checksum);
  for (const uint32_t length : lengths) out.u32(length);
  end_with_checksum(bytes);
}

Result<VmovFrameHead> decode_vmov_frame_fixed(std::span<const uint8_t> fixed,
                                              const VmovFrameBounds& bounds) {
  ByteReader in(fixed.first(std::min(fixed.size(), kVmovFrameFixedBytes)));
  const uint32_t magic = in.u32();
  const uint32_t blocks = in.u32();
  VmovFrameHead head;
  head.number = in.u64();
  head.pts_ns = in.i64();
  head.duration_ns = in.i64();
  head.data_bytes = in.u64();
  head.data_checksum = in.u64();
  if (!in.done() || magic != kFrameMagic) return bad("no frame found");
  if (blocks != bounds.block_count()) {
    return bad(fmt::format("{} pixel blocks instead of {}", blocks, bounds.block_count()));
  }
  if (!is_time(head.pts_ns) || !is_time(head.duration_ns) || head.number >= kMaxVmovFrames ||
      head.data_bytes > bounds.max_data_bytes()) {
    return bad("a number in the frame header is out of range");
  }
  return head;
}

Result<VmovFrameHead> decode_vmov_frame_head(std::span<const uint8_t> bytes,
                                             const VmovFrameBounds& bounds,
                                             std::vector<uint32_t>& lengths) {
  if (bytes.size() != bounds.head_bytes()) return bad("the frame header is cut off");
  auto head = decode_vmov_frame_fixed(bytes, bounds);
  if (!head) return head;
  if (!checksum_holds(bytes)) return bad("wrong checksum of the frame header");
  ByteReader in(bytes.subspan(kVmovFrameFixedBytes));
  lengths.resize(bounds.block_count());
  uint64_t sum = 0;
  for (uint32_t& length : lengths) sum += length = in.u32();
  if (sum != head->data_bytes || !bounds.allows(lengths)) {
    return bad("the lengths of the pixel blocks are invalid");
  }
  return head;
}

// --- index --------------------------------------------------------------------------------------

std::vector<uint8_t> encode_vmov_index(const VmovIndex& index) {
  std::vector<uint8_t> bytes(kVmovIndexFixedBytes + kVmovIndexEntryBytes * index.frames.size() +
                             kVmovChecksumBytes);
  ByteWriter out(bytes);
  out.u32(kIndexMagic);
  out.u32(0);
  out.u64(index.frames.size());
  out.i64(index.duration_ns);
  for (const VmovIndexEntry& entry : index.frames) {
    out.u64(entry.offset);
    out.i64(entry.pts_ns);
    out.u64(entry.bytes);
  }
  end_with_checksum(bytes);
  return bytes;
}

Result<VmovIndex> decode_vmov_index(std::span<const uint8_t> bytes, uint64_t header_bytes,
                                    const VmovFrameBounds& bounds) {
  constexpr size_t kLeast = kVmovIndexFixedBytes + kVmovChecksumBytes;
  if (bytes.size() < kLeast) return bad("the index is cut off");
  if (!checksum_holds(bytes)) return bad("the index's checksum is wrong");
  ByteReader in(bytes);
  const uint32_t magic = in.u32();
  const uint32_t reserved = in.u32();
  const uint64_t count = in.u64();
  VmovIndex index;
  index.duration_ns = in.i64();
  if (magic != kIndexMagic || reserved != 0 || !is_time(index.duration_ns) ||
      count > kMaxVmovFrames || bytes.size() - kLeast != count * kVmovIndexEntryBytes) {
    return bad("the index's fields are inconsistent");
  }
  index.frames.reserve(count);
  uint64_t offset = header_bytes;
  int64_t former_pts_ns = -1;
  for (uint64_t n = 0; n < count; ++n) {
    const uint64_t at = in.u64();
    const int64_t pts_ns = in.i64();
    const uint64_t size = in.u64();
    if (at != offset || !is_time(pts_ns) || pts_ns <= former_pts_ns || size < bounds.head_bytes() ||
        size - bounds.head_bytes() > bounds.max_data_bytes()) {
      return bad(fmt::format("entry {} of the index is invalid", n));
    }
    index.frames.push_back({at, pts_ns, size, n});
    offset += size;
    former_pts_ns = pts_ns;
  }
  return index;
}

std::vector<uint8_t> encode_vmov_footer(const VmovFooter& footer) {
  std::vector<uint8_t> bytes(kVmovFooterBytes);
  ByteWriter out(bytes);
  out.u64(footer.index_offset);
  out.u64(footer.index_bytes);
  out.u64(checksum(std::span(bytes).first(2 * sizeof(uint64_t))));
  out.bytes(as_bytes(kFooterMagic));
  return bytes;
}

Result<VmovFooter> decode_vmov_footer(std::span<const uint8_t> bytes, uint64_t header_bytes,
                                      uint64_t file_bytes) {
  ByteReader in(bytes);
  VmovFooter footer;
  footer.index_offset = in.u64();
  footer.index_bytes = in.u64();
  const uint64_t sum = in.u64();
  const auto magic = in.bytes(kFooterMagic.size());
  if (!in.done() || as_text(magic) != kFooterMagic) return bad("no index at the end of the file");
  if (sum != checksum(bytes.first(2 * sizeof(uint64_t)))) return bad("the footer is damaged");
  constexpr uint64_t kMostBytes =
      kVmovIndexFixedBytes + kVmovIndexEntryBytes * kMaxVmovFrames + kVmovChecksumBytes;
  const uint64_t end = file_bytes - std::min<uint64_t>(file_bytes, kVmovFooterBytes);
  if (footer.index_bytes > kMostBytes || footer.index_offset < header_bytes ||
      footer.index_bytes > end || footer.index_offset != end - footer.index_bytes) {
    return bad("the footer does not point to the index");
  }
  return footer;
}

}  // namespace sail
