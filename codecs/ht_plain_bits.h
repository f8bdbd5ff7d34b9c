// Bits of the block coder's streams, without those that are stuffed between them. Internal to
// codecs/.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace codecs {

// Bits without those that are stuffed, the first lowest.
template <size_t kMostBits, size_t kBehind = 16>
class PlainBits {
 public:
  // At most 56.
  void put(uint64_t bits, int count) {
    rest_ |= bits << used_;
    std::memcpy(bytes_.data() + size_, &rest_, sizeof(rest_));
    used_ += count;
    const int whole = used_ & ~7;
    size_ += static_cast<size_t>(whole) / 8;
    rest_ >>= whole;
    used_ &= 7;
  }
  const uint8_t* bytes() const { return bytes_.data(); }
  size_t bits() const { return 8 * size_ + static_cast<size_t>(used_); }
  // 57 of them, and none behind the last.
  uint64_t at(size_t bit) const {
    uint64_t bits;
    std::memcpy(&bits, bytes_.data() + bit / 8, sizeof(bits));
    return bits >> bit % 8;
  }
  // What is read behind the last bit, up to as many bytes, is 0, or ones.
  void end_with_zeros(size_t bytes = kBehind) {
    std::memset(bytes_.data() + size_ + (used_ > 0 ? 1 : 0), 0, bytes);
  }
  void end_with_ones(size_t bytes = kBehind) {
    put(0xff, 8);
    std::memset(bytes_.data() + size_, 0xff, bytes);
    used_ = 0;
  }

 private:
  static constexpr size_t kSlack = kBehind + 24;
  std::array<uint8_t, kMostBits / 8 + kSlack> bytes_;
  size_t size_ = 0;
  uint64_t rest_ = 0;
  int used_ = 0;
};

// Whether a byte of the lower seven is 0xff, and may so make a bit be stuffed.
constexpr bool has_full_byte(uint64_t seven) {
  const uint64_t inverse = ~seven | 0xff00000000000000;
  return ((inverse - 0x0101010101010101) & ~inverse & 0x8080808080808080) != 0;
}

// Whether one is 0x7f or 0xff.
constexpr bool has_seven_ones(uint64_t seven) {
  return has_full_byte(seven | 0x8080808080808080);
}

// Seven bytes at once where nothing is to be stuffed among them.
constexpr size_t kBytesAtOnce = 7;

}  // namespace codecs
