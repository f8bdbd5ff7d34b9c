// Writes a pre-compressed film (VMOV.md). One thread at a time.
//
// It grows under the name NAME.part and gets its own name when it is whole. A part that was left
// behind is gone on with, when its header is the same in every byte.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sail/media/vmov_format.h"
#include "sail/media/vmov_frames.h"
#include "sail/storage/file.h"

namespace sail {

std::string vmov_part_name(const std::string& name);

class VmovWriter {
 public:
  // kConflict: NAME is there, or its part is of another film, and `overwrite` does not say to take
  // their place; or the part is being written.
  static Result<VmovWriter> begin(const std::string& name, const VmovHeader& header,
                                  bool overwrite);

  // Frames written, those of the part that was there included: verified, and cut behind the last
  // sound one.
  size_t frame_count() const { return index_.frames.size(); }
  // Time stamp of the last one; only when there is one.
  int64_t last_pts_ns() const { return index_.frames.back().pts_ns; }
  Result<void> read_last(VmovFrame& frame) const;
  // Gives up all frames.
  Result<void> restart();
  const std::string& part_name() const { return file_.name(); }
  uint64_t bytes() const { return index_.end(header_bytes_); }

  // The next frame; time stamps grow. kInvalidParams: they do not, or the lengths are not possible.
  Result<void> append(int64_t pts_ns, int64_t duration_ns, std::span<const uint32_t> lengths,
                      std::span<const uint8_t> blocks);
  // Index, footer, and the film's own name. Once, at the end; a film has at least one frame.
  Result<void> finish();

 private:
  VmovWriter(std::string name, File file, const VmovHeader& header, bool overwrite);
  // Goes on with what is in the file, or begins it.
  Result<void> take_up(const VmovHeader& header, bool overwrite);
  Result<void> begin_anew(std::span<const uint8_t> header);

  std::string name_;
  File file_;
  uint64_t header_bytes_ = 0;
  VmovFrameBounds bounds_;
  bool overwrite_;
  VmovIndex index_;
  std::vector<uint8_t> head_;
};

}  // namespace sail
