// The parts of films that a disk server stores: files of one folder. A part being written is a
// hidden file, which is renamed when it is complete and synced to disk. Thread-safe, except that a
// WrittenPart is used by one thread at a time. All functions block on the disk.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "sail/core/base/result.h"
#include "sail/core/wire/data/disk_messages.h"
#include "sail/media/storage/reading/file.h"

namespace server {

class WrittenPart {
 public:
  // Resumes an interrupted write. kConflict: another session is writing it.
  static sail::Result<WrittenPart> open(const std::string& folder, const std::string& name);

  uint64_t bytes() const { return bytes_; }
  // offset must equal bytes(). A failed write is undone completely.
  sail::Result<void> write(uint64_t offset, std::span<const uint8_t> bytes);
  // Completes the part, which must have that many bytes, and syncs it to disk.
  sail::Result<void> keep(uint64_t bytes);

 private:
  WrittenPart(sail::File file, std::string part, uint64_t bytes)
      : file_(std::move(file)), part_(std::move(part)), bytes_(bytes) {}

  sail::File file_;
  std::string part_;  // path of the complete part
  uint64_t bytes_;
};

std::string part_path(const std::string& folder, const std::string& name);
// The size of a complete part. kNotFound: there is none.
sail::Result<sail::DiskStored> find_part(const std::string& folder, const std::string& name);
uint64_t free_bytes(const std::string& folder);
// Measures the read rate on the largest part, MB/s. 0: no part has 1 MiB or more.
double measure_parts(const std::string& folder);

}  // namespace server
