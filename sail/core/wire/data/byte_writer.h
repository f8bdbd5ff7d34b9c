// Writes little-endian fields into a fixed buffer. Pure.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace sail {

class ByteWriter {
 public:
  // The buffer must be large enough for everything that is written.
  explicit ByteWriter(std::span<uint8_t> buffer) : buffer_(buffer) {}

  void u8(uint8_t value) { put(value); }
  void u16(uint16_t value) { put(value); }
  void u32(uint32_t value) { put(value); }
  void u64(uint64_t value) { put(value); }
  void i64(int64_t value) { put(static_cast<uint64_t>(value)); }
  void bytes(std::span<const uint8_t> data) {
    assert(data.size() <= buffer_.size() - at_);
    if (!data.empty()) std::memcpy(buffer_.data() + at_, data.data(), data.size());
    at_ += data.size();
  }
  size_t size() const { return at_; }

 private:
  template <typename T>
  void put(T value) {
    assert(sizeof(T) <= buffer_.size() - at_);
    for (size_t i = 0; i < sizeof(T); ++i) {
      buffer_[at_ + i] = static_cast<uint8_t>(value >> (8 * i));
    }
    at_ += sizeof(T);
  }

  std::span<uint8_t> buffer_;
  size_t at_ = 0;
};

}  // namespace sail
