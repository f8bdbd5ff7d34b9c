// Constant vectors of 16 bytes for the kernel templates, which place them in every lane of a vector
// (V::lanes). Included before the target regions.
#pragma once

#include <cstdint>

#ifdef __aarch64__
#include <arm_neon.h>
#else
#include <immintrin.h>
#endif

namespace codecs {

// For V::shuffle32: the numbers of the dwords, the one for the lowest address last.
constexpr int dword_order(int d3, int d2, int d1, int d0) {
  return d3 << 6 | d2 << 4 | d1 << 2 | d0;
}

#ifdef __aarch64__

using Vector128 = uint8x16_t;

// The arguments are the elements from the lowest address on.
template <class... Values>
[[gnu::always_inline]] inline Vector128 bytes128(Values... values) {
  return reinterpret_cast<Vector128>(
      (int8_t __attribute__((vector_size(16)))){static_cast<int8_t>(values)...});
}
template <class... Values>
[[gnu::always_inline]] inline Vector128 words128(Values... values) {
  return reinterpret_cast<Vector128>(
      (int16_t __attribute__((vector_size(16)))){static_cast<int16_t>(values)...});
}
template <class... Values>
[[gnu::always_inline]] inline Vector128 dwords128(Values... values) {
  return reinterpret_cast<Vector128>(
      (int32_t __attribute__((vector_size(16)))){static_cast<int32_t>(values)...});
}
[[gnu::always_inline]] inline Vector128 load128(const void* from) {
  return vld1q_u8(static_cast<const uint8_t*>(from));
}

#else

using Vector128 = __m128i;

// The arguments are the elements from the lowest address on.
template <class... Values>
[[gnu::always_inline]] inline Vector128 bytes128(Values... values) {
  return _mm_setr_epi8(static_cast<char>(values)...);
}
template <class... Values>
[[gnu::always_inline]] inline Vector128 words128(Values... values) {
  return _mm_setr_epi16(static_cast<short>(values)...);
}
template <class... Values>
[[gnu::always_inline]] inline Vector128 dwords128(Values... values) {
  return _mm_setr_epi32(static_cast<int>(values)...);
}
[[gnu::always_inline]] inline Vector128 load128(const void* from) {
  return _mm_loadu_si128(static_cast<const Vector128*>(from));
}

#endif

}  // namespace codecs
