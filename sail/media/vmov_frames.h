// Frames of a .vmov film, for its reader and for a writer that goes on with it. One thread at
// a time.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sail/media/vmov_format.h"
#include "sail/storage/byte_source.h"

namespace sail {

// Used again for the next frame without taking memory anew.
struct VmovFrame {
  VmovFrameHead head;
  std::vector<uint32_t> lengths;   // of the pixel blocks, in rows from left to right
  std::span<const uint8_t> bytes;  // the blocks one after another, within `record`
  std::vector<uint8_t> record;
};

// Both checksums are verified. Errors name the file, the frame and where it stands.
Result<void> read_vmov_frame(const ByteSource& file, const VmovFrameBounds& bounds,
                             const VmovIndexEntry& entry, VmovFrame& frame);
// The same for a frame whose record has been read.
Result<void> check_vmov_frame(const ByteSource& file, const VmovFrameBounds& bounds,
                              const VmovIndexEntry& entry, VmovFrame& frame);

enum class VmovScanDepth : uint8_t {
  // What a frame says of itself; its blocks are verified when they are read. Behind one that is
  // damaged or lost the next one is looked for.
  kHeads,
  kBlocks,  // all bytes, up to the first that are damaged
};

// The whole frames from the header on.
struct VmovScan {
  VmovIndex index;
  // What stands behind the last of them, when that is not the file's end: a sentence.
  std::optional<std::string> stopped;
};
Result<VmovScan> scan_vmov_frames(const ByteSource& file, uint64_t header_bytes,
                                  const VmovFrameBounds& bounds, VmovScanDepth depth);

}  // namespace sail
