// The parts of films that a disk server keeps: files of one folder. A part that is being written is
// a hidden file, which becomes the part when it is whole and on the disk. Any thread, but a
// WrittenPart is one thread's at a time; all block on the disk.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "sail/base/result.h"
#include "sail/storage/file.h"
#include "sail/wire/disk_messages.h"

namespace server {

class WrittenPart {
 public:
  // Goes on where its writing was broken off. kConflict: somebody writes it now.
  static sail::Result<WrittenPart> open(const std::string& folder, const std::string& name);

  uint64_t bytes() const { return bytes_; }
  // offset: bytes(). What could not be written whole is not there at all.
  sail::Result<void> write(uint64_t offset, std::span<const uint8_t> bytes);
  // It is whole with that many bytes, and stays.
  sail::Result<void> keep(uint64_t bytes);

 private:
  WrittenPart(sail::File file, std::string part, uint64_t bytes)
      : file_(std::move(file)), part_(std::move(part)), bytes_(bytes) {}

  sail::File file_;
  std::string part_;  // its path
  uint64_t bytes_;
};

std::string part_path(const std::string& folder, const std::string& name);
// What is there of it; whole: it is a part.
sail::Result<sail::DiskStored> find_part(const std::string& folder, const std::string& name);
uint64_t free_bytes(const std::string& folder);
// How fast parts are read, MB/s, by the largest. 0: none is as large as 1 MiB.
double measure_parts(const std::string& folder);

}  // namespace server
