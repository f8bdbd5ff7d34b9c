// Writes a pre-compressed film (VMOV.md). One thread at a time.
//
// The film is written as NAME.part and renamed when complete. An existing part is resumed if its
// header is identical.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sail/media/storage/reading/file.h"
#include "sail/media/vmov/vmov_format.h"
#include "sail/media/vmov/vmov_frames.h"

namespace sail {

std::string vmov_part_name(const std::string& name);

class VmovWriter {
 public:
  // kConflict: NAME exists or its part belongs to another film, and `overwrite` is false; or
  // another process is writing the part.
  static Result<VmovWriter> begin(const std::string& name, const VmovHeader& header,
                                  bool overwrite);

  // Number of frames, including those of a resumed part. Such a part is verified and truncated
  // after its last valid frame.
  size_t frame_count() const { return index_.frames.size(); }
  // Time stamp of the last frame; there must be one.
  int64_t last_pts_ns() const { return index_.frames.back().pts_ns; }
  Result<void> read_last(VmovFrame& frame) const;
  // Discards all frames.
  Result<void> restart();
  const std::string& part_name() const { return file_.name(); }
  uint64_t bytes() const { return index_.end(header_bytes_); }

  // Appends a frame; time stamps must increase. kInvalidParams: they do not, or the lengths are
  // impossible.
  Result<void> append(int64_t pts_ns, int64_t duration_ns, std::span<const uint32_t> lengths,
                      std::span<const uint8_t> blocks);
  // Writes index and footer and renames the file. Call once; at least one frame is required.
  Result<void> finish();

 private:
  VmovWriter(std::string name, File file, const VmovHeader& header, bool overwrite);
  // Resumes the existing part, or starts a new one.
  Result<void> take_up(const VmovHeader& header, bool overwrite);
  Result<void> begin_file(std::span<const uint8_t> header);

  std::string name_;
  File file_;
  uint64_t header_bytes_ = 0;
  VmovFrameBounds bounds_;
  bool overwrite_;
  VmovIndex index_;
  std::vector<uint8_t> head_;
};

}  // namespace sail
