// Bytes that can be read at any place: what stands between those who read media and where media is
// kept.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "sail/base/result.h"

namespace sail {

class ByteSource {
 public:
  ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  virtual ~ByteSource() = default;

  virtual const std::string& name() const = 0;
  virtual Result<uint64_t> size() const = 0;
  // All of `bytes`; a source that ends before is kBadData. Errors name the source and the place.
  // Any number of threads at a time.
  virtual Result<void> read(uint64_t offset, std::span<uint8_t> bytes) const = 0;
};

}  // namespace sail
