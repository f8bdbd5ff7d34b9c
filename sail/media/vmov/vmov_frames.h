// Reads frames of a .vmov film, for its reader and for a writer that resumes it. One thread at a
// time.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sail/media/storage/reading/byte_source.h"
#include "sail/media/vmov/vmov_format.h"

namespace sail {

// Reused for the next frame to save allocations.
struct VmovFrame {
  VmovFrameHead head;
  std::vector<uint32_t> lengths;   // lengths of the pixel blocks, row by row
  std::span<const uint8_t> bytes;  // the concatenated blocks, within `record`
  std::vector<uint8_t> record;
};

// Reads a frame and verifies both checksums. Errors name the file, the frame and its offset.
Result<void> read_vmov_frame(const ByteSource& file, const VmovFrameBounds& bounds,
                             const VmovIndexEntry& entry, VmovFrame& frame);
// Verifies a frame whose record has been read.
Result<void> check_vmov_frame(const ByteSource& file, const VmovFrameBounds& bounds,
                              const VmovIndexEntry& entry, VmovFrame& frame);

enum class VmovScanDepth : uint8_t {
  // Read only the heads; blocks are verified when they are read. After a damaged or lost frame,
  // searches for the next one.
  kHeads,
  kBlocks,  // read all bytes, up to the first damaged ones
};

// The valid frames after the header.
struct VmovScan {
  VmovIndex index;
  // Why the scan ended before the end of the file: a sentence.
  std::optional<std::string> stopped;
};
Result<VmovScan> scan_vmov_frames(const ByteSource& file, uint64_t header_bytes,
                                  const VmovFrameBounds& bounds, VmovScanDepth depth);

}  // namespace sail
