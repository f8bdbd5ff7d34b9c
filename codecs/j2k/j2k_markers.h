// Markers of a JPEG 2000 codestream (ISO/IEC 15444-1, Annex A), and a reader of their segments.
// Internal to codecs/. Pure; no allocation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace codecs {

enum J2kMarker : uint16_t {
  kSoc = 0xff4f,
  kCap = 0xff50,
  kSiz = 0xff51,
  kCod = 0xff52,
  kCoc = 0xff53,
  kPlt = 0xff58,
  kQcd = 0xff5c,
  kQcc = 0xff5d,
  kRgn = 0xff5e,
  kPoc = 0xff5f,
  kPpm = 0xff60,
  kPpt = 0xff61,
  kCom = 0xff64,
  kSot = 0xff90,
  kSod = 0xff93,
  kEoc = 0xffd9,
};

// Reads consecutive big-endian numbers; beyond the end it returns zeros and sets `failed`.
class MarkerReader {
 public:
  explicit MarkerReader(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  uint32_t number(size_t size) {
    if (left() < size) {
      failed_ = true;
      at_ = bytes_.size();
      return 0;
    }
    uint32_t value = 0;
    for (size_t i = 0; i < size; ++i) value = value << 8 | bytes_[at_++];
    return value;
  }
  // size: at most left().
  std::span<const uint8_t> bytes(size_t size) {
    at_ += size;
    return bytes_.subspan(at_ - size, size);
  }
  uint8_t byte() { return static_cast<uint8_t>(number(1)); }
  uint16_t word() { return static_cast<uint16_t>(number(2)); }

  // Returns the body of a marker segment, after its length.
  MarkerReader segment() {
    const size_t length = word();
    if (failed_ || length < 2 || length - 2 > left()) {
      failed_ = true;
      return MarkerReader({});
    }
    MarkerReader body(bytes_.subspan(at_, length - 2));
    at_ += length - 2;
    return body;
  }

  size_t at() const { return at_; }
  size_t left() const { return bytes_.size() - at_; }
  bool failed() const { return failed_; }

 private:
  std::span<const uint8_t> bytes_;
  size_t at_ = 0;
  bool failed_ = false;
};

}  // namespace codecs
