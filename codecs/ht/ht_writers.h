// Writers of a cleanup segment's parts for the kernels (T.814, 7.1). Internal to codecs/.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "codecs/ht/ht_tables.h"
#include "codecs/ht/ht_unstuffed_bits.h"

namespace codecs {

// Writes events of the adaptive run-length code, bits from the highest down; the bit after a byte
// of 0xff is stuffed (7.1.3, 7.3.3).
class MelWriter {
 public:
  void put(bool event) { event ? put_one() : put_zeros(1); }
  void put_zeros(int count) {
    run_ += count;
    while (run_ >= 1 << kHtMelExponents[state_]) {
      run_ -= 1 << kHtMelExponents[state_];
      put_bits(1, 1);
      state_ = std::min<size_t>(state_ + 1, kHtMelExponents.size() - 1);
    }
  }
  void put_one() {
    const int exponent = kHtMelExponents[state_];
    put_bits(run_, 1 + exponent);
    if (state_ > 0) --state_;
    run_ = 0;
  }
  void finish_run() {
    if (run_ > 0) put_bits(1, 1);
  }
  std::span<const uint8_t> bytes() const { return std::span(bytes_).first(size_); }
  // The incomplete byte; its bits are the highest.
  int last_byte() const { return byte_ << left_; }
  int last_mask() const { return 0xff << left_ & 0xff; }

 private:
  // count: at most 8.
  void put_bits(int bits, int count) {
    if (count >= left_) {
      count -= left_;
      byte_ = byte_ << left_ | bits >> count;
      bits &= (1 << count) - 1;
      bytes_[size_++] = static_cast<uint8_t>(byte_);
      left_ = byte_ == 0xff ? 7 : 8;
      byte_ = 0;
    }
    byte_ = byte_ << count | bits;
    left_ -= count;
  }

  std::array<uint8_t, 512> bytes_;
  size_t size_ = 0;
  int byte_ = 0;
  int left_ = 8;
  size_t state_ = 0;
  int run_ = 0;
};

// Stuffs MagSgn bits (7.1.2): the bit after a byte of 0xff is stuffed; pads with ones; leaves out a
// last 0xff. Returns the bytes used; up to seven more may have been written.
template <class Bits>
size_t stuff_forward(const Bits& plain, uint8_t* out) {
  const size_t count = plain.bits();
  uint8_t* to = out;
  size_t at = 0;
  bool after_full = false;
  while (at < count) {
    const uint64_t bits = plain.at(at);
    if (!after_full && at + 8 * kBytesAtOnce <= count && !has_full_byte(bits)) {
      std::memcpy(to, &bits, sizeof(bits));
      to += kBytesAtOnce;
      at += 8 * kBytesAtOnce;
      continue;
    }
    const size_t wanted = after_full ? 7 : 8, there = std::min(wanted, count - at);
    const uint32_t mask = (1U << wanted) - 1, ones = mask & ~((1U << there) - 1);
    *to = static_cast<uint8_t>((static_cast<uint32_t>(bits) & mask) | ones);
    after_full = *to++ == 0xff;
    at += there;
  }
  if (to != out && to[-1] == 0xff) --to;
  return static_cast<size_t>(to - out);
}

// Stuffed VLC bytes (7.1.4) in reverse order: `out[0]` is the segment's last byte. A byte of 0x7f
// after one above 0x8f has its highest bit stuffed.
struct BackwardBytes {
  size_t size;    // complete bytes
  int last_byte;  // remaining bits
  int last_bits;
};
template <class Bits>
BackwardBytes stuff_backward(const Bits& plain, uint8_t* out) {
  const size_t count = plain.bits();
  out[0] = 0xff;
  size_t size = 1, at = 0;
  bool after_high = true;
  for (;;) {
    const uint64_t bits_there = plain.at(at);
    if (at + 8 * kBytesAtOnce <= count && !has_seven_ones(bits_there)) {
      std::memcpy(out + size, &bits_there, sizeof(bits_there));
      size += kBytesAtOnce;
      at += 8 * kBytesAtOnce;
      after_high = out[size - 1] > 0x8f;
      continue;
    }
    const auto byte = static_cast<uint8_t>(bits_there);
    const bool stuffed = after_high && (byte & 0x7f) == 0x7f;
    const size_t bits = stuffed ? 7 : 8;
    if (count - at < bits) {
      const int left = static_cast<int>(count - at);
      return {size, byte & ((1 << left) - 1), left};
    }
    out[size++] = stuffed ? 0x7f : byte;
    after_high = !stuffed && byte > 0x8f;
    at += bits;
  }
}

// Appends MEL and VLC to MagSgn (7.3.7), with a common last byte if theirs are compatible. Returns
// the total length.
inline size_t finish_cleanup(uint8_t* out, size_t mag_sgn, const MelWriter& mel, uint8_t* backward,
                             BackwardBytes vlc) {
  uint8_t* to = out + mag_sgn;
  const auto mel_bytes = mel.bytes();
  to = std::copy(mel_bytes.begin(), mel_bytes.end(), to);
  const int one = mel.last_byte(), other = vlc.last_byte, both = one | other;
  const int vlc_mask = 0xff >> (8 - vlc.last_bits);
  if ((mel.last_mask() | vlc_mask) != 0) {
    const bool agree = ((both ^ one) & mel.last_mask()) == 0 && ((both ^ other) & vlc_mask) == 0 &&
                       both != 0xff && vlc.size > 1;
    *to++ = static_cast<uint8_t>(agree ? both : one);
    if (!agree) backward[vlc.size++] = static_cast<uint8_t>(other);
  }
  to = std::reverse_copy(backward, backward + vlc.size, to);
  const auto length = static_cast<size_t>(to - out) - mag_sgn;
  to[-1] = static_cast<uint8_t>(length >> 4);
  to[-2] = static_cast<uint8_t>((to[-2] & 0xf0) | (length & 15));
  return static_cast<size_t>(to - out);
}

}  // namespace codecs
