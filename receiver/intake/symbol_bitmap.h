// Bitmap of the symbols of an FEC block. Pure.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "sail/core/wire/data/packets.h"

namespace receiver {

class SymbolBitmap {
 public:
  bool operator[](uint32_t symbol) const { return (words_[symbol / 64] >> symbol % 64 & 1) != 0; }
  void set(uint32_t symbol) { words_[symbol / 64] |= uint64_t{1} << symbol % 64; }
  uint32_t count() const {
    return static_cast<uint32_t>(std::popcount(words_[0]) + std::popcount(words_[1]));
  }
  // Return the first set (clear) bit in [from, end), or `end`.
  uint32_t next_set(uint32_t from, uint32_t end) const { return next(from, end, 0); }
  uint32_t next_clear(uint32_t from, uint32_t end) const { return next(from, end, ~uint64_t{0}); }

  bool operator==(const SymbolBitmap&) const = default;

 private:
  static_assert(sail::kGroupSymbols <= 128);
  uint32_t next(uint32_t from, uint32_t end, uint64_t inverted) const {
    while (from < end) {
      const uint64_t word = (words_[from / 64] ^ inverted) >> from % 64;
      if (word != 0) return std::min(from + static_cast<uint32_t>(std::countr_zero(word)), end);
      from = (from / 64 + 1) * 64;
    }
    return end;
  }

  std::array<uint64_t, 2> words_{};
};

}  // namespace receiver
