// Memory that two processes share. Its size is sealed, so no access can fail because the other
// process changed it. The other process can change any byte at any time, unless it may only read.
// Pages take memory when they are first touched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "sail/core/base/descriptor.h"
#include "sail/core/base/result.h"

namespace sail {

class SealedMemory {
 public:
  enum class Others { kRead, kWrite };  // what processes that get the descriptor may do

  // Creates and maps memory. purpose: names it in lists of the system. Fails with kIo.
  static Result<std::unique_ptr<SealedMemory>> create(const char* purpose, size_t bytes,
                                                      Others others);
  // Maps memory that another process created. Fails like check().
  static Result<std::unique_ptr<SealedMemory>> attach(Descriptor descriptor, size_t bytes);
  // Fails with kBadData unless the descriptor is memory of this size whose size is sealed.
  static Result<void> check(const Descriptor& descriptor, size_t bytes);

  ~SealedMemory();
  SealedMemory(const SealedMemory&) = delete;
  SealedMemory& operator=(const SealedMemory&) = delete;

  // For the other process.
  const Descriptor& descriptor() const { return descriptor_; }
  std::span<uint8_t> bytes() const { return bytes_; }
  bool contains(std::span<const uint8_t> part) const {
    return part.data() >= bytes_.data() &&
           part.data() + part.size() <= bytes_.data() + bytes_.size();
  }

 private:
  SealedMemory(Descriptor descriptor, std::span<uint8_t> bytes)
      : descriptor_(std::move(descriptor)), bytes_(bytes) {}
  static Result<std::unique_ptr<SealedMemory>> map(Descriptor descriptor, size_t bytes);

  const Descriptor descriptor_;
  const std::span<uint8_t> bytes_;
};

}  // namespace sail
