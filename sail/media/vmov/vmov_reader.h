// Reads a pre-compressed film (VMOV.md). One thread at a time.
//
// Reads instead of mapping the file: a truncated file or failing disk is then an error of one frame
// and does not kill the process (SIGBUS).
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "sail/media/storage/reading/byte_source.h"
#include "sail/media/vmov/vmov_format.h"
#include "sail/media/vmov/vmov_frames.h"

namespace sail {

// Decides by the content of a regular file; false if it cannot be read. Decides by the name of a
// remote file.
bool is_vmov_file(const std::string& name);

class VmovReader {
 public:
  // Opens a name or URL (open_bytes). Without a valid index, the file is scanned for frames (see
  // complaint()). kIo, or kBadData with the file's name if it has no frames.
  static Result<VmovReader> open(const std::string& name);
  static Result<VmovReader> open(std::unique_ptr<const ByteSource> file);

  const ByteSource& file() const { return *file_; }
  const VmovHeader& header() const { return header_; }
  size_t frame_count() const { return index_.frames.size(); }
  const VmovIndexEntry& entry(size_t number) const { return index_.frames[number]; }
  int64_t duration_ns() const { return index_.duration_ns; }
  // Why the index could not be used: a sentence.
  const std::optional<std::string>& complaint() const { return complaint_; }

  // The frame shown at that time: the last one past the end, the first one before the beginning.
  size_t frame_at(int64_t pts_ns) const;
  // kBadData: the frame is damaged.
  Result<void> read(size_t number, VmovFrame& frame) const {
    return read_vmov_frame(*file_, bounds_, entry(number), frame);
  }
  // Verifies a frame whose record has been read.
  Result<void> check(size_t number, VmovFrame& frame) const {
    return check_vmov_frame(*file_, bounds_, entry(number), frame);
  }

 private:
  VmovReader(std::unique_ptr<const ByteSource> file, VmovHeader header, size_t header_bytes);
  Result<VmovIndex> load_index() const;

  std::unique_ptr<const ByteSource> file_;
  VmovHeader header_;
  size_t header_bytes_;
  VmovFrameBounds bounds_;
  VmovIndex index_;
  std::optional<std::string> complaint_;
};

// The header of a file, and its size.
struct VmovFileHeader {
  VmovHeader header;
  size_t bytes = 0;
};
Result<VmovFileHeader> read_vmov_header(const ByteSource& file);

}  // namespace sail
