// 128-bit vectors. See kernels_vector.h for the use of the three vector headers.
#pragma once

#include <immintrin.h>

#include <cstdint>
#include <cstring>

#include "codecs/base/cpu.h"
#include "codecs/dxt/dxt_fit.h"

namespace codecs {

struct Sse41 {
  using Reg = __m128i;
  using Floats = __m128;
  using Ints = Ints4;
  static constexpr CpuLevel kLevel = CpuLevel::kSse41;
  static constexpr int kLanes = 1;
  static constexpr int kBytes = 16 * kLanes;

  static Reg load(const void* from) { return _mm_loadu_si128(static_cast<const Reg*>(from)); }
  // Loads `count` words followed by zeros; reads no more than that.
  static Reg load_some16(const int16_t* from, int count) {
    int16_t words[kBytes / 2] = {};
    std::memcpy(words, from, sizeof(int16_t) * static_cast<size_t>(count));
    return load(words);
  }
  static void store(void* to, Reg a) { _mm_storeu_si128(static_cast<Reg*>(to), a); }
  // Bypasses the caches if the processor can; `to` is a multiple of kBytes.
  static void stream(void* to, Reg a) { _mm_stream_si128(static_cast<Reg*>(to), a); }
  static Reg zero() { return _mm_setzero_si128(); }
  static Reg all8(int8_t value) { return _mm_set1_epi8(value); }
  static Reg all16(int16_t value) { return _mm_set1_epi16(value); }
  static Reg all32(int32_t value) { return _mm_set1_epi32(value); }
  static Reg bit_and(Reg a, Reg b) { return _mm_and_si128(a, b); }
  static Reg bit_or(Reg a, Reg b) { return _mm_or_si128(a, b); }
  static Reg bit_xor(Reg a, Reg b) { return _mm_xor_si128(a, b); }
  static Reg and_not(Reg a, Reg b) { return _mm_andnot_si128(a, b); }
  static Reg add8(Reg a, Reg b) { return _mm_add_epi8(a, b); }
  static Reg add_saturate8(Reg a, Reg b) { return _mm_adds_epu8(a, b); }
  static Reg sub8(Reg a, Reg b) { return _mm_sub_epi8(a, b); }
  static Reg sub_saturate8(Reg a, Reg b) { return _mm_subs_epu8(a, b); }
  static Reg sub_saturate8_signed(Reg a, Reg b) { return _mm_subs_epi8(a, b); }
  static Reg add16(Reg a, Reg b) { return _mm_add_epi16(a, b); }
  static Reg add_saturate16(Reg a, Reg b) { return _mm_adds_epi16(a, b); }
  static Reg add32(Reg a, Reg b) { return _mm_add_epi32(a, b); }
  // Sums of two adjacent dwords: in each lane, those of `a` and then those of b.
  static Reg add_neighbours32(Reg a, Reg b) { return _mm_hadd_epi32(a, b); }
  static Reg sub16(Reg a, Reg b) { return _mm_sub_epi16(a, b); }
  static Reg sub_saturate16(Reg a, Reg b) { return _mm_subs_epi16(a, b); }
  static Reg sub32(Reg a, Reg b) { return _mm_sub_epi32(a, b); }
  static Reg min8(Reg a, Reg b) { return _mm_min_epu8(a, b); }
  static Reg max8(Reg a, Reg b) { return _mm_max_epu8(a, b); }
  static Reg min32(Reg a, Reg b) { return _mm_min_epi32(a, b); }
  static Reg max32(Reg a, Reg b) { return _mm_max_epi32(a, b); }
  static Reg average8(Reg a, Reg b) { return _mm_avg_epu8(a, b); }
  static Reg multiply_pairs8(Reg a, Reg b) { return _mm_maddubs_epi16(a, b); }
  // Adds to each dword the products of its four bytes of `a` (unsigned) and `b` (signed). The sum
  // of two adjacent products must fit 16 bits.
  static Reg add_products8(Reg sums, Reg a, Reg b) {
    return add32(sums, multiply_pairs16(multiply_pairs8(a, b), all16(1)));
  }
  static Reg multiply_pairs16(Reg a, Reg b) { return _mm_madd_epi16(a, b); }
  static Reg multiply32(Reg a, Reg b) { return _mm_mullo_epi32(a, b); }
  static Reg multiply16(Reg a, Reg b) { return _mm_mullo_epi16(a, b); }
  static Reg multiply_high16(Reg a, Reg b) { return _mm_mulhi_epu16(a, b); }
  static Reg multiply_high16_signed(Reg a, Reg b) { return _mm_mulhi_epi16(a, b); }
  static Reg multiply_round16(Reg a, Reg b) { return _mm_mulhrs_epi16(a, b); }
  static Reg pack32(Reg a, Reg b) { return _mm_packs_epi32(a, b); }
  static Reg pack16(Reg a, Reg b) { return _mm_packs_epi16(a, b); }
  static Reg pack16_unsigned(Reg a, Reg b) { return _mm_packus_epi16(a, b); }
  static Reg low8(Reg a, Reg b) { return _mm_unpacklo_epi8(a, b); }
  static Reg high8(Reg a, Reg b) { return _mm_unpackhi_epi8(a, b); }
  static Reg low16(Reg a, Reg b) { return _mm_unpacklo_epi16(a, b); }
  static Reg high16(Reg a, Reg b) { return _mm_unpackhi_epi16(a, b); }
  static Reg low32(Reg a, Reg b) { return _mm_unpacklo_epi32(a, b); }
  static Reg high32(Reg a, Reg b) { return _mm_unpackhi_epi32(a, b); }
  static Reg low64(Reg a, Reg b) { return _mm_unpacklo_epi64(a, b); }
  static Reg high64(Reg a, Reg b) { return _mm_unpackhi_epi64(a, b); }
  static Reg shuffle8(Reg a, Reg b) { return _mm_shuffle_epi8(a, b); }
  static Reg equal8(Reg a, Reg b) { return _mm_cmpeq_epi8(a, b); }
  static Reg absolute8(Reg a) { return _mm_abs_epi8(a); }
  // a, negated where b is negative; b is not 0.
  static Reg with_sign8(Reg a, Reg b) { return _mm_sign_epi8(a, b); }
  static Reg absolute32(Reg a) { return _mm_abs_epi32(a); }
  static Reg absolute16(Reg a) { return _mm_abs_epi16(a); }
  template <int kCount>
  static Reg shift_left16(Reg a) {
    return _mm_slli_epi16(a, kCount);
  }
  template <int kCount>
  static Reg shift_left32(Reg a) {
    return _mm_slli_epi32(a, kCount);
  }
  template <int kCount>
  static Reg shift_right16(Reg a) {
    return _mm_srli_epi16(a, kCount);
  }
  template <int kCount>
  static Reg shift_right16_signed(Reg a) {
    return _mm_srai_epi16(a, kCount);
  }
  template <int kCount>
  static Reg shift_right32(Reg a) {
    return _mm_srli_epi32(a, kCount);
  }
  // Permutes each lane's dwords; kOrder: see dword_order.
  template <int kOrder>
  static Reg shuffle32(Reg a) {
    return _mm_shuffle_epi32(a, kOrder);
  }
  // The same 16 bytes in every lane.
  static Reg lanes(__m128i a) { return a; }
  // Dword i of lane j becomes dword i · kLanes + j; reverts a transposition in lanes.
  static Reg by_dword(Reg a) { return a; }
  // The inverse of by_dword.
  static Reg to_lanes(Reg a) { return a; }
  // Qword i of lane j becomes qword i · kLanes + j.
  static Reg by_qword(Reg a) { return a; }
  // The inverse of by_qword.
  static Reg qwords_to_lanes(Reg a) { return a; }
  // Lane i begins with the eight bytes at 8 · i.
  static Reg load_lanes8(const uint8_t* from) {
    return _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from));
  }
  // Lane i is the sixteen bytes at 12 · i.
  static Reg load_lanes12(const uint8_t* from) { return load(from); }
  // Widens bytes to words; reads kBytes / 2 bytes.
  static Reg load_widened(const uint8_t* from) { return _mm_cvtepu8_epi16(load_lanes8(from)); }
  static Reg greater16(Reg a, Reg b) { return _mm_cmpgt_epi16(a, b); }
  // Dword i of each lane is the lane's dword of `palette` with the number in bits 2 · i of byte
  // kByte of `lanes`.
  template <int kByte>
  static Reg pick32(Reg palette, Reg lanes) {
    // Before AVX2 there are no variable shifts: moves the index up to bit 6 by multiplication.
    const Reg byte = _mm_shuffle_epi8(lanes, _mm_set1_epi16(static_cast<int16_t>(0x8000 | kByte)));
    const Reg moved = _mm_mullo_epi16(byte, _mm_setr_epi16(64, 64, 16, 16, 4, 4, 1, 1));
    const Reg index = _mm_and_si128(_mm_srli_epi16(moved, 6), _mm_set1_epi16(3));
    const Reg bytes = _mm_mullo_epi16(index, _mm_set1_epi16(0x0404));
    return _mm_shuffle_epi8(palette, _mm_add_epi8(bytes, _mm_set1_epi32(0x03020100)));
  }
  // Dword i of parts[k] is dword 3 · i + k at `from`.
  static void load_thirds(const void* from, Reg (&parts)[3]) {
    const Reg third = _mm_setr_epi32(0, 3, 6, 9);
    for (int k = 0; k < 3; ++k)
      parts[k] = gather32(static_cast<const uint8_t*>(from) + 4 * k, third);
  }
  // Lane i begins with the four words at from + at[4 · i].
  static Reg load_quads(const int16_t* from, const int32_t* at) {
    return _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from + at[0]));
  }
  // Lane i is the eight words at from + at[4 · i].
  static Reg load_lanes16(const int16_t* from, const int32_t* at) { return load(from + at[0]); }
  // Dword i is the dword at from + 4 · indices[i].
  static Reg gather32(const uint8_t* from, Reg indices) {
    int32_t at[4], values[4];
    store(at, indices);
    for (int i = 0; i < 4; ++i) std::memcpy(&values[i], from + ptrdiff_t{4} * at[i], 4);
    return load(values);
  }
  // Number of dwords that pick_from_window selects from.
  static constexpr int kWindow = 4;
  static Reg pick_from_window(const uint8_t* from, Reg indices) {
    const Reg bytes = _mm_mullo_epi32(indices, _mm_set1_epi32(0x04040404));
    return _mm_shuffle_epi8(load(from), _mm_add_epi8(bytes, _mm_set1_epi32(0x03020100)));
  }
  // Whether all dwords, as unsigned numbers, are below the limit.
  static bool all_below(Reg a, int limit) {
    const Reg greatest = _mm_set1_epi32(limit - 1);
    return _mm_movemask_epi8(_mm_cmpeq_epi32(_mm_max_epu32(a, greatest), greatest)) == 0xffff;
  }
  // `a` with the last dword of every lane from b.
  static Reg last32_of(Reg a, Reg b) { return _mm_blend_epi16(a, b, 0xc0); }
  // The 32 bits that begin at each of the positions, which lie within a vector.
  static Reg bits_at32(const uint8_t* from, Reg positions) {
    uint32_t at[4];
    store(at, positions);
    for (uint32_t& value : at) {
      uint64_t bits;
      std::memcpy(&bits, from + value / 8, sizeof(bits));
      value = static_cast<uint32_t>(bits >> value % 8);
    }
    return load(at);
  }
  // For each dword, the sum of the dwords before it.
  static Reg sums_before32(Reg a) {
    const Reg first = _mm_slli_si128(a, 4);
    const Reg two = _mm_add_epi32(first, _mm_slli_si128(first, 4));
    return _mm_add_epi32(two, _mm_slli_si128(two, 8));
  }
  static uint32_t last32(Reg a) { return static_cast<uint32_t>(_mm_extract_epi32(a, 3)); }
  // Move dwords one up, inserting the last of `before`, or one down, inserting the first of `next`.
  static Reg shift_in_last32(Reg before, Reg a) { return _mm_alignr_epi8(a, before, 12); }
  static Reg shift_in_first32(Reg a, Reg next) { return _mm_alignr_epi8(next, a, 4); }
  static Reg first32_everywhere(Reg a) { return _mm_shuffle_epi32(a, 0); }
  // `a` with dword `lane` from b.
  static Reg with_lane32(Reg a, Reg b, int lane) {
    return _mm_blendv_epi8(a, b, _mm_cmpeq_epi32(_mm_setr_epi32(0, 1, 2, 3), all32(lane)));
  }
  // Converts words to floats; reads kBytes / 2 bytes.
  static Reg floats_of16(const int16_t* from) {
    const __m128i words = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from));
    return _mm_castps_si128(_mm_cvtepi32_ps(_mm_cvtepi16_epi32(words)));
  }
  // Rounds towards 0; at most `most`. NaN and values out of range of 32 bits become negative.
  static Reg truncated(Floats a, float most) {
    return _mm_cvttps_epi32(_mm_min_ps(_mm_set1_ps(most), a));
  }
  // One bit per dword, set if the dwords are equal.
  static uint32_t equal_mask32(Reg a, Reg b) {
    return static_cast<uint32_t>(_mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(a, b))));
  }
  static Reg negative8(Reg a) { return _mm_cmpgt_epi8(_mm_setzero_si128(), a); }
  static Reg min16(Reg a, Reg b) { return _mm_min_epu16(a, b); }
  static Reg sub_saturate16_unsigned(Reg a, Reg b) { return _mm_subs_epu16(a, b); }
  static Reg greater32(Reg a, Reg b) { return _mm_cmpgt_epi32(a, b); }
  // Shifts each dword by its own count, 0 … 30. Left: dwords are below 2^(31 − count).
  static Reg shift_left_by32(Reg a, Reg counts) { return _mm_mullo_epi32(a, power_of_two(counts)); }
  // Shifts each qword by its own count.
  static Reg shift_left_by64(Reg a, Reg counts) {
    const Reg low = _mm_sll_epi64(a, counts);
    return _mm_blend_epi16(low, _mm_sll_epi64(a, _mm_srli_si128(counts, 8)), 0xf0);
  }
  static Reg shift_right_by32(Reg a, Reg counts) {
    uint32_t values[4], by[4];
    store(values, a);
    store(by, counts);
    for (int i = 0; i < 4; ++i) values[i] >>= by[i];
    return load(values);
  }
  // Bit length of each dword; dwords are below 2^24.
  static Reg bit_length32(Reg a) {
    const Reg exponents = _mm_srli_epi32(_mm_castps_si128(_mm_cvtepi32_ps(a)), 23);
    return _mm_max_epi32(_mm_sub_epi32(exponents, all32(126)), zero());
  }

 private:
  static Reg power_of_two(Reg exponents) {
    const Reg floats = _mm_slli_epi32(_mm_add_epi32(exponents, all32(127)), 23);
    return _mm_cvttps_epi32(_mm_castsi128_ps(floats));
  }
};

}  // namespace codecs
