// 512-bit vectors with the interface of vector_sse41.h.
#pragma once

#include <immintrin.h>

#include <cstdint>
#include <cstring>

#include "codecs/base/cpu.h"
#include "codecs/dxt/dxt_fit.h"

namespace codecs {

struct Avx512 {
  using Reg = __m512i;
  using Floats = __m512;
  using Ints = Ints16;
  static constexpr CpuLevel kLevel = CpuLevel::kAvx512;
  static constexpr int kLanes = 4;
  static constexpr int kBytes = 16 * kLanes;

  static Reg load(const void* from) { return _mm512_loadu_si512(from); }
  // Loads `count` words followed by zeros; reads no more than that.
  static Reg load_some16(const int16_t* from, int count) {
    return _mm512_maskz_loadu_epi16((__mmask32{1} << count) - 1, from);
  }
  static void store(void* to, Reg a) { _mm512_storeu_si512(to, a); }
  static void stream(void* to, Reg a) { _mm512_stream_si512(static_cast<Reg*>(to), a); }
  static Reg zero() { return _mm512_setzero_si512(); }
  static Reg all8(int8_t value) { return _mm512_set1_epi8(value); }
  static Reg all16(int16_t value) { return _mm512_set1_epi16(value); }
  static Reg all32(int32_t value) { return _mm512_set1_epi32(value); }
  static Reg bit_and(Reg a, Reg b) { return _mm512_and_si512(a, b); }
  static Reg bit_or(Reg a, Reg b) { return _mm512_or_si512(a, b); }
  static Reg bit_xor(Reg a, Reg b) { return _mm512_xor_si512(a, b); }
  static Reg and_not(Reg a, Reg b) { return _mm512_andnot_si512(a, b); }
  static Reg add8(Reg a, Reg b) { return _mm512_add_epi8(a, b); }
  static Reg add_saturate8(Reg a, Reg b) { return _mm512_adds_epu8(a, b); }
  static Reg sub8(Reg a, Reg b) { return _mm512_sub_epi8(a, b); }
  static Reg sub_saturate8(Reg a, Reg b) { return _mm512_subs_epu8(a, b); }
  static Reg sub_saturate8_signed(Reg a, Reg b) { return _mm512_subs_epi8(a, b); }
  static Reg add16(Reg a, Reg b) { return _mm512_add_epi16(a, b); }
  static Reg add_saturate16(Reg a, Reg b) { return _mm512_adds_epi16(a, b); }
  static Reg add32(Reg a, Reg b) { return _mm512_add_epi32(a, b); }
  static Reg add_neighbours32(Reg a, Reg b) {
    const Floats first = _mm512_castsi512_ps(a), second = _mm512_castsi512_ps(b);
    return _mm512_add_epi32(_mm512_castps_si512(_mm512_shuffle_ps(first, second, 0x88)),
                            _mm512_castps_si512(_mm512_shuffle_ps(first, second, 0xdd)));
  }
  static Reg sub16(Reg a, Reg b) { return _mm512_sub_epi16(a, b); }
  static Reg sub_saturate16(Reg a, Reg b) { return _mm512_subs_epi16(a, b); }
  static Reg sub32(Reg a, Reg b) { return _mm512_sub_epi32(a, b); }
  static Reg min8(Reg a, Reg b) { return _mm512_min_epu8(a, b); }
  static Reg max8(Reg a, Reg b) { return _mm512_max_epu8(a, b); }
  static Reg min32(Reg a, Reg b) { return _mm512_min_epi32(a, b); }
  static Reg max32(Reg a, Reg b) { return _mm512_max_epi32(a, b); }
  static Reg average8(Reg a, Reg b) { return _mm512_avg_epu8(a, b); }
  static Reg multiply_pairs8(Reg a, Reg b) { return _mm512_maddubs_epi16(a, b); }
  static Reg add_products8(Reg sums, Reg a, Reg b) { return _mm512_dpbusd_epi32(sums, a, b); }
  static Reg multiply_pairs16(Reg a, Reg b) { return _mm512_madd_epi16(a, b); }
  static Reg multiply32(Reg a, Reg b) { return _mm512_mullo_epi32(a, b); }
  static Reg multiply16(Reg a, Reg b) { return _mm512_mullo_epi16(a, b); }
  static Reg multiply_high16(Reg a, Reg b) { return _mm512_mulhi_epu16(a, b); }
  static Reg multiply_high16_signed(Reg a, Reg b) { return _mm512_mulhi_epi16(a, b); }
  static Reg multiply_round16(Reg a, Reg b) { return _mm512_mulhrs_epi16(a, b); }
  static Reg pack32(Reg a, Reg b) { return _mm512_packs_epi32(a, b); }
  static Reg pack16(Reg a, Reg b) { return _mm512_packs_epi16(a, b); }
  static Reg pack16_unsigned(Reg a, Reg b) { return _mm512_packus_epi16(a, b); }
  static Reg low8(Reg a, Reg b) { return _mm512_unpacklo_epi8(a, b); }
  static Reg high8(Reg a, Reg b) { return _mm512_unpackhi_epi8(a, b); }
  static Reg low16(Reg a, Reg b) { return _mm512_unpacklo_epi16(a, b); }
  static Reg high16(Reg a, Reg b) { return _mm512_unpackhi_epi16(a, b); }
  static Reg low32(Reg a, Reg b) { return _mm512_unpacklo_epi32(a, b); }
  static Reg high32(Reg a, Reg b) { return _mm512_unpackhi_epi32(a, b); }
  static Reg low64(Reg a, Reg b) { return _mm512_unpacklo_epi64(a, b); }
  static Reg high64(Reg a, Reg b) { return _mm512_unpackhi_epi64(a, b); }
  static Reg shuffle8(Reg a, Reg b) { return _mm512_shuffle_epi8(a, b); }
  static Reg equal8(Reg a, Reg b) { return _mm512_movm_epi8(_mm512_cmpeq_epi8_mask(a, b)); }
  static Reg absolute8(Reg a) { return _mm512_abs_epi8(a); }
  // a, negated where b is negative; b is not 0.
  static Reg with_sign8(Reg a, Reg b) {
    return _mm512_mask_sub_epi8(a, _mm512_movepi8_mask(b), _mm512_setzero_si512(), a);
  }
  static Reg absolute32(Reg a) { return _mm512_abs_epi32(a); }
  static Reg absolute16(Reg a) { return _mm512_abs_epi16(a); }
  template <int kCount>
  static Reg shift_left16(Reg a) {
    return _mm512_slli_epi16(a, kCount);
  }
  template <int kCount>
  static Reg shift_left32(Reg a) {
    return _mm512_slli_epi32(a, kCount);
  }
  template <int kCount>
  static Reg shift_right16(Reg a) {
    return _mm512_srli_epi16(a, kCount);
  }
  template <int kCount>
  static Reg shift_right16_signed(Reg a) {
    return _mm512_srai_epi16(a, kCount);
  }
  template <int kCount>
  static Reg shift_right32(Reg a) {
    return _mm512_srli_epi32(a, kCount);
  }
  // Permutes each lane's dwords; kOrder: see dword_order.
  template <int kOrder>
  static Reg shuffle32(Reg a) {
    return _mm512_shuffle_epi32(a, static_cast<_MM_PERM_ENUM>(kOrder));
  }
  // The same 16 bytes in every lane.
  static Reg lanes(__m128i a) { return _mm512_broadcast_i32x4(a); }
  // Dword i of lane j becomes dword i · kLanes + j; reverts a transposition in lanes.
  static Reg by_dword(Reg a) {
    return _mm512_permutexvar_epi32(
        _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15), a);
  }
  // The inverse of by_dword.
  static Reg to_lanes(Reg a) { return by_dword(a); }
  // Qword i of lane j becomes qword i · kLanes + j.
  static Reg by_qword(Reg a) {
    return _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), a);
  }
  // The inverse of by_qword.
  static Reg qwords_to_lanes(Reg a) {
    return _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7), a);
  }
  // Lane i begins with the eight bytes at 8 · i.
  static Reg load_lanes8(const uint8_t* from) {
    const __m256i blocks = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
    return _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 0, 1, 1, 2, 2, 3, 3),
                                    _mm512_castsi256_si512(blocks));
  }
  // Lane i is the sixteen bytes at 12 · i.
  static Reg load_lanes12(const uint8_t* from) {
    const Reg start =
        _mm512_castsi256_si512(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
    const Reg all = _mm512_inserti32x8(
        start, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + 20)), 1);
    return _mm512_permutexvar_epi32(
        _mm512_setr_epi32(0, 1, 2, 3, 3, 4, 5, 6, 6, 7, 11, 12, 12, 13, 14, 15), all);
  }
  // Widens bytes to words; reads kBytes / 2 bytes.
  static Reg load_widened(const uint8_t* from) {
    return _mm512_cvtepu8_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
  }
  static Reg greater16(Reg a, Reg b) { return _mm512_movm_epi16(_mm512_cmpgt_epi16_mask(a, b)); }
  // Dword i of each lane is the lane's dword of `palette` with the number in bits 2 · i of byte
  // kByte of `lanes`.
  template <int kByte>
  static Reg pick32(Reg palette, Reg lanes) {
    constexpr int kDword = kByte / 4, kBit = kByte % 4 * 8;
    const Reg shifts = _mm512_broadcast_i32x4(_mm_setr_epi32(kBit, kBit + 2, kBit + 4, kBit + 6));
    const Reg index = _mm512_srlv_epi32(shuffle32<kDword * 0x55>(lanes), shifts);
    return _mm512_castps_si512(_mm512_permutevar_ps(_mm512_castsi512_ps(palette), index));
  }
  // Dword i of parts[k] is dword 3 · i + k at `from`.
  static void load_thirds(const void* from, Reg (&parts)[3]) {
    const auto* dwords = static_cast<const uint8_t*>(from);
    const Reg a = load(dwords), b = load(dwords + kBytes), c = load(dwords + 2 * kBytes);
    const Reg step = _mm512_setr_epi32(0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 0, 0, 0, 0, 0);
    for (int k = 0; k < 3; ++k) {
      // Dwords 0 … 31 come from a and b, the rest from c.
      const Reg from_ab = _mm512_add_epi32(step, _mm512_set1_epi32(k));
      const Reg ab = _mm512_permutex2var_epi32(a, from_ab, b);
      const int in_ab = (34 - k) / 3;
      const Reg wanted = _mm512_add_epi32(
          _mm512_mullo_epi32(
              _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
              _mm512_set1_epi32(3)),
          _mm512_set1_epi32(k - 32));
      parts[k] =
          _mm512_mask_permutexvar_epi32(ab, static_cast<__mmask16>(0xffff << in_ab), wanted, c);
    }
  }
  // Lane i begins with the four words at from + at[4 · i].
  static Reg load_quads(const int16_t* from, const int32_t* at) {
    const __m256i low = _mm256_set_m128i(quad(from, at[4]), quad(from, at[0]));
    const __m256i high = _mm256_set_m128i(quad(from, at[12]), quad(from, at[8]));
    return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
  }
  static __m128i quad(const int16_t* from, int at) {
    return _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from + at));
  }
  // Lane i is the eight words at from + at[4 · i].
  static Reg load_lanes16(const int16_t* from, const int32_t* at) {
    const __m256i low = _mm256_set_m128i(eight(from, at[4]), eight(from, at[0]));
    const __m256i high = _mm256_set_m128i(eight(from, at[12]), eight(from, at[8]));
    return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
  }
  static __m128i eight(const int16_t* from, int at) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + at));
  }
  // Dword i is the dword at from + 4 · indices[i]. Loads one by one: gather instructions are slow
  // on many processors, and even slower with security mitigations.
  static Reg gather32(const uint8_t* from, Reg indices) {
    int32_t at[16], values[16];
    store(at, indices);
    for (int i = 0; i < 16; ++i) std::memcpy(&values[i], from + ptrdiff_t{4} * at[i], 4);
    return _mm512_setr_epi32(values[0], values[1], values[2], values[3], values[4], values[5],
                             values[6], values[7], values[8], values[9], values[10], values[11],
                             values[12], values[13], values[14], values[15]);
  }
  // Number of dwords that pick_from_window selects from.
  static constexpr int kWindow = 32;
  static Reg pick_from_window(const uint8_t* from, Reg indices) {
    return _mm512_permutex2var_epi32(load(from), indices, load(from + kBytes));
  }
  // Whether all dwords, as unsigned numbers, are below the limit.
  static bool all_below(Reg a, int limit) {
    return _mm512_cmplt_epu32_mask(a, _mm512_set1_epi32(limit)) == 0xffff;
  }
  // `a` with the last dword of every lane from b.
  static Reg last32_of(Reg a, Reg b) { return _mm512_mask_blend_epi32(0x8888, a, b); }
  // The 32 bits that begin at each of the positions, which lie within a vector.
  static Reg bits_at32(const uint8_t* from, Reg positions) {
    const Reg dwords = _mm512_srli_epi32(positions, 5);
    const Reg shifts = _mm512_and_si512(positions, all32(31));
    const Reg low = _mm512_permutexvar_epi32(dwords, load(from));
    const Reg high = _mm512_permutexvar_epi32(dwords, load(from + 4));
    return _mm512_or_si512(_mm512_srlv_epi32(low, shifts),
                           _mm512_sllv_epi32(high, _mm512_sub_epi32(all32(32), shifts)));
  }
  // For each dword, the sum of the dwords before it.
  static Reg sums_before32(Reg a) {
    const Reg two = _mm512_add_epi32(a, _mm512_bslli_epi128(a, 4));
    const Reg four = _mm512_add_epi32(two, _mm512_bslli_epi128(two, 8));
    // Adds the sums of the preceding lanes to each lane.
    const Reg one_back = _mm512_setr_epi32(0, 0, 0, 0, 3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11);
    const Reg two_back = _mm512_setr_epi32(0, 0, 0, 0, 0, 0, 0, 0, 3, 3, 3, 3, 7, 7, 7, 7);
    const Reg one = _mm512_maskz_permutexvar_epi32(0xfff0, one_back, four);
    const Reg more = _mm512_maskz_permutexvar_epi32(0xff00, two_back, four);
    const Reg most = _mm512_maskz_permutexvar_epi32(0xf000, all32(3), four);
    return _mm512_add_epi32(_mm512_add_epi32(_mm512_sub_epi32(four, a), one),
                            _mm512_add_epi32(more, most));
  }
  static uint32_t last32(Reg a) {
    return static_cast<uint32_t>(_mm_extract_epi32(_mm512_extracti32x4_epi32(a, 3), 3));
  }
  // Move dwords one up, inserting the last of `before`, or one down, inserting the first of `next`.
  static Reg shift_in_last32(Reg before, Reg a) { return _mm512_alignr_epi32(a, before, 15); }
  static Reg shift_in_first32(Reg a, Reg next) { return _mm512_alignr_epi32(next, a, 1); }
  static Reg first32_everywhere(Reg a) {
    return _mm512_broadcastd_epi32(_mm512_castsi512_si128(a));
  }
  // `a` with dword `lane` from b.
  static Reg with_lane32(Reg a, Reg b, int lane) {
    return _mm512_mask_blend_epi32(static_cast<__mmask16>(1U << lane), a, b);
  }
  // Converts words to floats; reads kBytes / 2 bytes.
  static Reg floats_of16(const int16_t* from) {
    const __m256i words = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
    return _mm512_castps_si512(_mm512_cvtepi32_ps(_mm512_cvtepi16_epi32(words)));
  }
  // Rounds towards 0; at most `most`. NaN and values out of range of 32 bits become negative.
  static Reg truncated(Floats a, float most) {
    return _mm512_cvttps_epi32(_mm512_min_ps(_mm512_set1_ps(most), a));
  }
  // One bit per dword, set if the dwords are equal.
  static uint32_t equal_mask32(Reg a, Reg b) { return _mm512_cmpeq_epi32_mask(a, b); }
  static Reg negative8(Reg a) { return _mm512_movm_epi8(_mm512_movepi8_mask(a)); }
  static Reg min16(Reg a, Reg b) { return _mm512_min_epu16(a, b); }
  static Reg sub_saturate16_unsigned(Reg a, Reg b) { return _mm512_subs_epu16(a, b); }
  static Reg greater32(Reg a, Reg b) { return _mm512_movm_epi32(_mm512_cmpgt_epi32_mask(a, b)); }
  static Reg shift_left_by32(Reg a, Reg counts) { return _mm512_sllv_epi32(a, counts); }
  static Reg shift_left_by64(Reg a, Reg counts) { return _mm512_sllv_epi64(a, counts); }
  static Reg shift_right_by32(Reg a, Reg counts) { return _mm512_srlv_epi32(a, counts); }
  static Reg bit_length32(Reg a) {
    const Reg exponents = _mm512_srli_epi32(_mm512_castps_si512(_mm512_cvtepi32_ps(a)), 23);
    return _mm512_max_epi32(_mm512_sub_epi32(exponents, all32(126)), zero());
  }
};

}  // namespace codecs
