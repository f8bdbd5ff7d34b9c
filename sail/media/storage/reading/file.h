// A regular file, by its descriptor: complete reads and writes, errors that name the file. Reads
// are thread-safe; everything else from one thread at a time.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "sail/core/base/result.h"
#include "sail/media/storage/reading/byte_source.h"

namespace sail {

class File : public ByteSource {
 public:
  static Result<File> open_to_read(const std::string& name);
  // Creates the file if missing, keeps its contents otherwise. kConflict: another process has it
  // open for writing.
  static Result<File> open_to_write(const std::string& name);

  File(File&& other) noexcept;
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() override;

  const std::string& name() const override { return name_; }
  Result<uint64_t> size() const override;

  Result<void> read(uint64_t offset, std::span<uint8_t> bytes) const override;
  Result<void> write(uint64_t offset, std::span<const uint8_t> bytes);
  Result<void> cut(uint64_t size);
  // Drops the file's clean pages from the page cache, so that the next read goes to the disk.
  void forget() const;
  // Returns when everything is on disk (fsync).
  Result<void> sync();

 private:
  File(std::string name, int descriptor);

  std::string name_;
  int descriptor_ = -1;
};

}  // namespace sail
