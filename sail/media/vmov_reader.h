// A pre-compressed film to read (VMOV.md). One thread at a time.
//
// It is read and not mapped: a file that somebody shortens, or a disk that fails, is then an error
// of one frame and not the end of the process.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "sail/media/vmov_format.h"
#include "sail/media/vmov_frames.h"
#include "sail/storage/byte_source.h"

namespace sail {

// By what is in it; false for what is no readable, regular file. What is far is one by its name.
bool is_vmov_file(const std::string& name);

class VmovReader {
 public:
  // A name or URL (open_bytes). A file without a sound index is searched for its frames (see
  // complaint()). kIo, or kBadData with the file's name when there is no frame in it.
  static Result<VmovReader> open(const std::string& name);
  static Result<VmovReader> open(std::unique_ptr<const ByteSource> file);

  const ByteSource& file() const { return *file_; }
  const VmovHeader& header() const { return header_; }
  size_t frame_count() const { return index_.frames.size(); }
  const VmovIndexEntry& entry(size_t number) const { return index_.frames[number]; }
  int64_t duration_ns() const { return index_.duration_ns; }
  // Why the index could not be used: a sentence.
  const std::optional<std::string>& complaint() const { return complaint_; }

  // The frame to be seen at that time: the last one past the end, the first one before it begins.
  size_t frame_at(int64_t pts_ns) const;
  // kBadData: this frame is damaged.
  Result<void> read(size_t number, VmovFrame& frame) const {
    return read_vmov_frame(*file_, bounds_, entry(number), frame);
  }
  // The same for a frame whose record has been read.
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

// The header at the start of a file, and its bytes.
struct VmovFileHeader {
  VmovHeader header;
  size_t bytes = 0;
};
Result<VmovFileHeader> read_vmov_header(const ByteSource& file);

}  // namespace sail
