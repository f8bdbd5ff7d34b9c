// Readers of a cleanup segment's parts for the kernels (T.814, 7.1). Internal to codecs/.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "codecs/ht/ht_tables.h"
#include "codecs/ht/ht_unstuffed_bits.h"

namespace codecs {

// Events of the adaptive run-length code (7.1.3). `Level`: as in UnstuffedBits.
template <class Level>
class MelEvents {
 public:
  static constexpr int kAhead = 32;

  explicit MelEvents(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  // Appends events. In `events` the next event is the lowest bit, and a one marks the end: 1 is
  // empty. Returns at least kAhead events; beyond the end of the bytes all events are zero.
  uint64_t fill(uint64_t events) {
    int count = 63 - std::countl_zero(events);
    events ^= uint64_t{1} << count;
    while (count < kAhead) {
      if (left_ < kHtMelBits) fill_bits();
      const uint64_t codes = kHtMelTable[state_ | bits_ >> (64 - kHtMelBits)];
      events |= (codes & UINT32_MAX) << count;
      count += static_cast<int>(codes >> kHtMelCountShift & 63);
      const int used = static_cast<int>(codes >> kHtMelUsedShift & 7);
      bits_ <<= used;
      left_ -= used;
      state_ = codes >> kHtMelStateShift;
    }
    return events | uint64_t{1} << count;
  }

 private:
  void fill_bits() {
    while (left_ <= 56) {
      const int bits = byte_ == 0xff ? 7 : 8;
      byte_ = at_ < bytes_.size() ? bytes_[at_] : 0xff;
      if (at_ + 1 == bytes_.size()) byte_ |= 0xf;  // the lower half may belong to VLC
      ++at_;
      const uint64_t fresh = static_cast<uint64_t>(byte_ & ((1 << bits) - 1));
      bits_ |= fresh << (64 - bits) >> left_;
      left_ += bits;
    }
  }

  std::span<const uint8_t> bytes_;
  size_t at_ = 0;
  uint64_t bits_ = 0;  // the next bit is the highest
  int left_ = 0;
  int byte_ = 0;
  size_t state_ = 0;  // shifted to its position in the table's index
};

// Removes stuffed bits from MagSgn (7.1.2).
template <class Bits>
void unstuff_forward(std::span<const uint8_t> bytes, Bits& to) {
  auto plain = to.writer();
  size_t at = 0;
  bool after_full = false;
  while (at < bytes.size()) {
    if (!after_full && at + 8 <= bytes.size()) {
      uint64_t bits;
      std::memcpy(&bits, bytes.data() + at, sizeof(bits));
      if (!has_full_byte(bits)) {
        plain.put(bits & 0xffffffffffffff, 56);
        at += kBytesAtOnce;
        continue;
      }
    }
    const uint32_t byte = bytes[at++];
    plain.put(after_full ? byte & 0x7f : byte, after_full ? 7 : 8);
    after_full = byte == 0xff;
  }
  to.take(plain);
}

// Removes stuffed bits from VLC (7.1.4): the upper half of `half`, then `bytes` backwards.
template <class Bits>
void unstuff_backward(std::span<const uint8_t> bytes, int half, Bits& to) {
  auto plain = to.writer();
  const bool seven = (half & 0x70) == 0x70;
  plain.put(static_cast<uint64_t>(half >> 4) & (seven ? 7 : 15), seven ? 3 : 4);
  uint32_t before = static_cast<uint32_t>(half) | 15;
  size_t left = bytes.size();
  while (left > 0) {
    if (left >= 8) {
      uint64_t bits;
      std::memcpy(&bits, bytes.data() + left - 8, sizeof(bits));
      bits = __builtin_bswap64(bits);
      if (!has_stuffed_byte(bits, before)) {
        plain.put(bits & 0xffffffffffffff, 56);
        left -= kBytesAtOnce;
        before = bytes[left];
        continue;
      }
    }
    const uint32_t byte = bytes[--left];
    const bool stuffed = before > 0x8f && (byte & 0x7f) == 0x7f;
    plain.put(stuffed ? 0x7f : byte, stuffed ? 7 : 8);
    before = byte;
  }
  to.take(plain);
}

}  // namespace codecs
