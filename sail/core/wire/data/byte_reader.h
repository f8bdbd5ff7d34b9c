// Reads little-endian fields from untrusted bytes. Reading past the end returns zeros and makes
// ok() false, so check ok() once, after the last field. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace sail {

class ByteReader {
 public:
  explicit ByteReader(std::span<const uint8_t> data) : data_(data) {}

  uint8_t u8() { return take<uint8_t>(); }
  uint16_t u16() { return take<uint16_t>(); }
  uint32_t u32() { return take<uint32_t>(); }
  uint64_t u64() { return take<uint64_t>(); }
  int64_t i64() { return static_cast<int64_t>(take<uint64_t>()); }
  std::span<const uint8_t> bytes(size_t count) {
    if (count > data_.size() - at_) {
      ok_ = false;
      at_ = data_.size();
      return {};
    }
    const auto part = data_.subspan(at_, count);
    at_ += count;
    return part;
  }
  size_t left() const { return data_.size() - at_; }
  // True if no read went past the end.
  bool ok() const { return ok_; }
  // True if, in addition, all bytes were read.
  bool done() const { return ok_ && left() == 0; }

 private:
  template <typename T>
  T take() {
    const auto part = bytes(sizeof(T));
    if (part.size() != sizeof(T)) return 0;
    uint64_t value = 0;
    for (size_t i = 0; i < sizeof(T); ++i) value |= uint64_t{part[i]} << (8 * i);
    return static_cast<T>(value);
  }

  std::span<const uint8_t> data_;
  size_t at_ = 0;
  bool ok_ = true;
};

}  // namespace sail
