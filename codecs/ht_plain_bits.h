// Bits of the block coder's streams, without those that are stuffed between them. Internal to
// codecs/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace codecs {

// Bits without those that are stuffed, the first lowest. `Level` keeps what is compiled for one
// region of instructions apart from the others, here and in what works on them.
template <class Level, size_t kMostBits, size_t kBehind = 16>
class PlainBits {
 public:
  // Where the next bit goes: to be kept in registers while there are many.
  class Writer {
   public:
    // At most 56.
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
    friend class PlainBits;
    uint8_t* to_ = nullptr;
    uint64_t rest_ = 0;
    int used_ = 0;
  };
  PlainBits() { writer_.to_ = bytes_; }
  PlainBits(const PlainBits&) = delete;
  PlainBits& operator=(const PlainBits&) = delete;

  // As Writer does it.
  void put(uint64_t bits, int count) { writer_.put(bits, count); }
  Writer writer() const { return writer_; }
  // All that it has put belongs to these.
  void take(const Writer& writer) { writer_ = writer; }
  const uint8_t* bytes() const { return bytes_; }
  size_t bits() const { return 8 * size() + static_cast<size_t>(writer_.used_); }
  // 57 of them, and none behind the last.
  uint64_t at(size_t bit) const {
    uint64_t bits;
    std::memcpy(&bits, bytes_ + bit / 8, sizeof(bits));
    return bits >> bit % 8;
  }
  // What is read behind the last bit, up to as many bytes, is 0, or ones.
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

// Whether a byte of the lower seven is 0xff, and may so make a bit be stuffed.
constexpr bool has_full_byte(uint64_t seven) {
  const uint64_t inverse = ~seven | 0xff00000000000000;
  return ((inverse - 0x0101010101010101) & ~inverse & 0x8080808080808080) != 0;
}

// Whether one is 0x7f or 0xff.
constexpr bool has_seven_ones(uint64_t seven) {
  return has_full_byte(seven | 0x8080808080808080);
}

// Whether one is, and the byte before it above 0x8f, the first of them behind `before`.
constexpr bool has_stuffed_byte(uint64_t seven, uint32_t before) {
  constexpr uint64_t kLow = 0x7f7f7f7f7f7f7f7f, kHigh = ~kLow;
  const uint64_t seven_ones = (seven & kLow) + 0x0101010101010101;
  const uint64_t bytes_before = seven << 8 | before;
  const uint64_t high = ((bytes_before & kLow) + 0x7070707070707070) & bytes_before;
  return (seven_ones & high & kHigh << 8 >> 8) != 0;
}

// Seven bytes at once where nothing is to be stuffed among them.
constexpr size_t kBytesAtOnce = 7;

}  // namespace codecs
