// A regular file by its descriptor: whole reads and writes, errors that name the file. One thread
// at a time, but for reading.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "sail/base/result.h"
#include "sail/storage/byte_source.h"

namespace sail {

class File : public ByteSource {
 public:
  static Result<File> open_to_read(const std::string& name);
  // Made when it is not there, kept as it is when it is. kConflict when another process has it open
  // to write.
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
  // The system's memory keeps nothing of it that the disk has: what is read next comes from there.
  void forget() const;
  // Until everything is on the disk.
  Result<void> sync();

 private:
  File(std::string name, int descriptor);

  std::string name_;
  int descriptor_ = -1;
};

}  // namespace sail
