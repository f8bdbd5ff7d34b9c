// Encoding and decoding of the parts of a .vmov file; VMOV.md is the normative text. Pure. Sizes
// are checked against the limits here and those of the wire protocol before memory is allocated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"
#include "sail/core/wall/block_grid.h"
#include "sail/core/wire/data/codec_name.h"
#include "sail/media/source/film_time.h"

namespace sail {

// XXH3, 64 bits, seed 0: a fast checksum against damage, not against malice.
// Specification: https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md
uint64_t checksum(std::span<const uint8_t> bytes);

constexpr uint16_t kVmovVersion = 2;
constexpr uint16_t kVmovShardVersion = 3;     // of a shard
constexpr uint32_t kMaxVmovShards = 1000;     // shards of a film
constexpr size_t kMaxVmovText = 1024;         // bytes of each text in the header
constexpr uint64_t kMaxVmovFrames = 1 << 24;  // six days at 30 frames per second
constexpr size_t kVmovHeaderFixedBytes = 56;  // before the texts
constexpr size_t kVmovShardBytes = 24;        // of a shard, after the texts
constexpr size_t kVmovFrameFixedBytes = 48;   // before the lengths
constexpr size_t kVmovIndexFixedBytes = 24;   // before the entries
constexpr size_t kVmovIndexEntryBytes = 24;
constexpr size_t kVmovFooterBytes = 32;
constexpr size_t kVmovChecksumBytes = 8;
constexpr std::string_view kVmovFrameMark = "VFRM";  // a frame begins with it

// --- header -------------------------------------------------------------------------------------

// A part of a film that is joined with the others later.
struct VmovShard {
  uint32_t number = 0;  // from 1
  uint32_t count = 0;   // shards of the film
  uint64_t frames = 0;  // frames of the film; the number decides which of them belong to each shard
  uint64_t recipe = 0;  // hash of input and options, also of inputs on other hosts

  bool operator==(const VmovShard&) const = default;
};

struct VmovHeader {
  StreamCodec codec;
  Size block_size = kDefaultBlockSize;
  Size frame_size;
  Size display_size;  // with square pixels; differs from frame_size if pixels are not square
  FrameRate rate;     // nominal; presentation uses the time stamps
  codecs::PictureColor color;           // for JPEG 2000
  uint64_t recipe = 0;                  // hash of input and options, for resuming; 0: do not resume
  std::string made_with;                // the codec with its mode: "dxt1:high"
  std::string source;                   // name of the source film
  std::optional<VmovShard> shard = {};  // empty: the whole film

  bool operator==(const VmovHeader&) const = default;
};

// The values must be within the limits.
std::vector<uint8_t> encode_vmov_header(const VmovHeader& header);
bool has_vmov_magic(std::span<const uint8_t> bytes);
// Size of the whole header, from its first kVmovHeaderFixedBytes. kBadData: not a readable header.
Result<size_t> vmov_header_bytes(std::span<const uint8_t> fixed);
Result<VmovHeader> decode_vmov_header(std::span<const uint8_t> bytes);

// --- frames -------------------------------------------------------------------------------------

struct VmovFrameHead {
  uint64_t number = 0;      // from 0
  int64_t pts_ns = 0;       // film time
  int64_t duration_ns = 0;  // 0: unknown
  uint64_t data_bytes = 0;
  uint64_t data_checksum = 0;

  bool operator==(const VmovFrameHead&) const = default;
};

// Limits of a film's frame sizes.
class VmovFrameBounds {
 public:
  explicit VmovFrameBounds(const VmovHeader& header);

  size_t block_count() const { return blocks_.size(); }
  // Size of a frame's head, including lengths and checksum.
  size_t head_bytes() const {
    return kVmovFrameFixedBytes + sizeof(uint32_t) * blocks_.size() + kVmovChecksumBytes;
  }
  uint64_t max_data_bytes() const { return max_data_bytes_; }
  bool allows(std::span<const uint32_t> lengths) const;

 private:
  struct Range {
    uint32_t least;
    uint32_t most;
  };
  std::vector<Range> blocks_;  // valid sizes of each pixel block
  uint64_t max_data_bytes_ = 0;
};

// Writes bounds.head_bytes() bytes.
void encode_vmov_frame_head(const VmovFrameHead& head, std::span<const uint32_t> lengths,
                            std::span<uint8_t> bytes);
// Decodes the numbers at the start of a head, without lengths and checksum: enough to know the
// frame's size.
Result<VmovFrameHead> decode_vmov_frame_fixed(std::span<const uint8_t> fixed,
                                              const VmovFrameBounds& bounds);
// Decodes bounds.head_bytes() bytes. `lengths` gets one entry per block.
Result<VmovFrameHead> decode_vmov_frame_head(std::span<const uint8_t> bytes,
                                             const VmovFrameBounds& bounds,
                                             std::vector<uint32_t>& lengths);

// --- index --------------------------------------------------------------------------------------

struct VmovIndexEntry {
  uint64_t offset = 0;  // in the file
  int64_t pts_ns = 0;
  uint64_t bytes = 0;   // head, lengths, checksum and blocks
  uint64_t number = 0;  // frame number; greater than the entry's index if earlier frames are lost

  bool operator==(const VmovIndexEntry&) const = default;
};

struct VmovIndex {
  int64_t duration_ns = 0;  // duration of the film
  std::vector<VmovIndexEntry> frames;

  uint64_t end(uint64_t header_bytes) const {
    return frames.empty() ? header_bytes : frames.back().offset + frames.back().bytes;
  }
  bool operator==(const VmovIndex&) const = default;
};

struct VmovFooter {
  uint64_t index_offset = 0;
  uint64_t index_bytes = 0;

  bool operator==(const VmovFooter&) const = default;
};

std::vector<uint8_t> encode_vmov_index(const VmovIndex& index);
// header_bytes, bounds: used to check that the entries are contiguous and plausible.
Result<VmovIndex> decode_vmov_index(std::span<const uint8_t> bytes, uint64_t header_bytes,
                                    const VmovFrameBounds& bounds);

std::vector<uint8_t> encode_vmov_footer(const VmovFooter& footer);
// file_bytes: used to check that the index lies between header and footer and has a valid size.
Result<VmovFooter> decode_vmov_footer(std::span<const uint8_t> bytes, uint64_t header_bytes,
                                      uint64_t file_bytes);

}  // namespace sail
