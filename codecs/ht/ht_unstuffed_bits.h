// Bit buffers of the block coder's streams without stuffed bits. Internal to codecs/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace codecs {

// A bit buffer without stuffed bits, the first bit lowest. `Level` makes the type, and functions
// that use it, distinct for each instruction set region.
template <class Level, size_t kMostBits, size_t kBehind = 16>
class UnstuffedBits {
 public:
  // The write position; a local copy stays in registers during many writes.
  class Writer {
   public:
    // count: at most 56.
    void put(uint64_t bits, int count) {
      rest_ |= bits << used_;
      std::memcpy(to_, &rest_, sizeof(rest_));
      used_ += count;
      const int whole = used_ & ~7;
      to_ += whole / 8;
      rest_ >>= whole;
      used_ &= 7;
    }

   private:
    friend class UnstuffedBits;
    uint8_t* to_ = nullptr;
    uint64_t rest_ = 0;
    int used_ = 0;
  };
  UnstuffedBits() { writer_.to_ = bytes_; }
  UnstuffedBits(const UnstuffedBits&) = delete;
  UnstuffedBits& operator=(const UnstuffedBits&) = delete;

  // Like Writer::put.
  void put(uint64_t bits, int count) { writer_.put(bits, count); }
  Writer writer() const { return writer_; }
  // Adopts the position of a writer, with all that it has written.
  void take(const Writer& writer) { writer_ = writer; }
  const uint8_t* bytes() const { return bytes_; }
  size_t bits() const { return 8 * size() + static_cast<size_t>(writer_.used_); }
  // At least 57 bits from `bit` on, which is before the end.
  uint64_t at(size_t bit) const {
    uint64_t bits;
    std::memcpy(&bits, bytes_ + bit / 8, sizeof(bits));
    return bits >> bit % 8;
  }
  // Defines the bits after the last one, up to `bytes` bytes, as zeros or ones.
  void end_with_zeros(size_t bytes = kBehind) {
    std::memset(writer_.to_ + (writer_.used_ > 0 ? 1 : 0), 0, bytes);
  }
  void end_with_ones(size_t bytes = kBehind) {
    writer_.put(0xff, 8);
    std::memset(writer_.to_, 0xff, bytes);
    writer_.used_ = 0;
  }

 private:
  size_t size() const { return static_cast<size_t>(writer_.to_ - bytes_); }

  static constexpr size_t kSlack = kBehind + 24;
  uint8_t bytes_[kMostBits / 8 + kSlack];
  Writer writer_;
};

// Whether any of the lower seven bytes is 0xff and so may cause bit stuffing.
constexpr bool has_full_byte(uint64_t seven) {
  const uint64_t inverse = ~seven | 0xff00000000000000;
  return ((inverse - 0x0101010101010101) & ~inverse & 0x8080808080808080) != 0;
}

// Whether any of them is 0x7f or 0xff.
constexpr bool has_seven_ones(uint64_t seven) {
  return has_full_byte(seven | 0x8080808080808080);
}

// Whether any of them is 0x7f or 0xff and follows a byte above 0x8f; `before` precedes the first.
constexpr bool has_stuffed_byte(uint64_t seven, uint32_t before) {
  constexpr uint64_t kLow = 0x7f7f7f7f7f7f7f7f, kHigh = ~kLow;
  const uint64_t seven_ones = (seven & kLow) + 0x0101010101010101;
  const uint64_t bytes_before = seven << 8 | before;
  const uint64_t high = ((bytes_before & kLow) + 0x7070707070707070) & bytes_before;
  return (seven_ones & high & kHigh << 8 >> 8) != 0;
}

// Seven bytes are processed at a time if none of them needs stuffing.
constexpr size_t kBytesAtOnce = 7;

}  // namespace codecs
