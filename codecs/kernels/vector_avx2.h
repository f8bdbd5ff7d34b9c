// 256-bit vectors with the interface of vector_sse41.h.
#pragma once

#include <immintrin.h>

#include <cstdint>
#include <cstring>

#include "codecs/base/cpu.h"
#include "codecs/dxt/dxt_fit.h"

namespace codecs {

struct Avx2 {
  using Reg = __m256i;
  using Floats = __m256;
  using Ints = Ints8;
  static constexpr CpuLevel kLevel = CpuLevel::kAvx2;
  static constexpr int kLanes = 2;
  static constexpr int kBytes = 16 * kLanes;

  static Reg load(const void* from) { return _mm256_loadu_si256(static_cast<const Reg*>(from)); }
  // Loads `count` words followed by zeros; reads no more than that.
  static Reg load_some16(const int16_t* from, int count) {
    int16_t words[kBytes / 2] = {};
    std::memcpy(words, from, sizeof(int16_t) * static_cast<size_t>(count));
    return load(words);
  }
  static void store(void* to, Reg a) { _mm256_storeu_si256(static_cast<Reg*>(to), a); }
  static void stream(void* to, Reg a) { _mm256_stream_si256(static_cast<Reg*>(to), a); }
  static Reg zero() { return _mm256_setzero_si256(); }
  static Reg all8(int8_t value) { return _mm256_set1_epi8(value); }
  static Reg all16(int16_t value) { return _mm256_set1_epi16(value); }
  static Reg all32(int32_t value) { return _mm256_set1_epi32(value); }
  static Reg bit_and(Reg a, Reg b) { return _mm256_and_si256(a, b); }
  static Reg bit_or(Reg a, Reg b) { return _mm256_or_si256(a, b); }
  static Reg bit_xor(Reg a, Reg b) { return _mm256_xor_si256(a, b); }
  static Reg and_not(Reg a, Reg b) { return _mm256_andnot_si256(a, b); }
  static Reg add8(Reg a, Reg b) { return _mm256_add_epi8(a, b); }
  static Reg add_saturate8(Reg a, Reg b) { return _mm256_adds_epu8(a, b); }
  static Reg sub8(Reg a, Reg b) { return _mm256_sub_epi8(a, b); }
  static Reg sub_saturate8(Reg a, Reg b) { return _mm256_subs_epu8(a, b); }
  static Reg sub_saturate8_signed(Reg a, Reg b) { return _mm256_subs_epi8(a, b); }
  static Reg add16(Reg a, Reg b) { return _mm256_add_epi16(a, b); }
  static Reg add_saturate16(Reg a, Reg b) { return _mm256_adds_epi16(a, b); }
  static Reg add32(Reg a, Reg b) { return _mm256_add_epi32(a, b); }
  static Reg add_neighbours32(Reg a, Reg b) { return _mm256_hadd_epi32(a, b); }
  static Reg sub16(Reg a, Reg b) { return _mm256_sub_epi16(a, b); }
  static Reg sub_saturate16(Reg a, Reg b) { return _mm256_subs_epi16(a, b); }
  static Reg sub32(Reg a, Reg b) { return _mm256_sub_epi32(a, b); }
  static Reg min8(Reg a, Reg b) { return _mm256_min_epu8(a, b); }
  static Reg max8(Reg a, Reg b) { return _mm256_max_epu8(a, b); }
  static Reg min32(Reg a, Reg b) { return _mm256_min_epi32(a, b); }
  static Reg max32(Reg a, Reg b) { return _mm256_max_epi32(a, b); }
  static Reg average8(Reg a, Reg b) { return _mm256_avg_epu8(a, b); }
  static Reg multiply_pairs8(Reg a, Reg b) { return _mm256_maddubs_epi16(a, b); }
  static Reg add_products8(Reg sums, Reg a, Reg b) {
    return add32(sums, multiply_pairs16(multiply_pairs8(a, b), all16(1)));
  }
  static Reg multiply_pairs16(Reg a, Reg b) { return _mm256_madd_epi16(a, b); }
  static Reg multiply32(Reg a, Reg b) { return _mm256_mullo_epi32(a, b); }
  static Reg multiply16(Reg a, Reg b) { return _mm256_mullo_epi16(a, b); }
  static Reg multiply_high16(Reg a, Reg b) { return _mm256_mulhi_epu16(a, b); }
  static Reg multiply_high16_signed(Reg a, Reg b) { return _mm256_mulhi_epi16(a, b); }
  static Reg multiply_round16(Reg a, Reg b) { return _mm256_mulhrs_epi16(a, b); }
  static Reg pack32(Reg a, Reg b) { return _mm256_packs_epi32(a, b); }
  static Reg pack16(Reg a, Reg b) { return _mm256_packs_epi16(a, b); }
  static Reg pack16_unsigned(Reg a, Reg b) { return _mm256_packus_epi16(a, b); }
  static Reg low8(Reg a, Reg b) { return _mm256_unpacklo_epi8(a, b); }
  static Reg high8(Reg a, Reg b) { return _mm256_unpackhi_epi8(a, b); }
  static Reg low16(Reg a, Reg b) { return _mm256_unpacklo_epi16(a, b); }
  static Reg high16(Reg a, Reg b) { return _mm256_unpackhi_epi16(a, b); }
  static Reg low32(Reg a, Reg b) { return _mm256_unpacklo_epi32(a, b); }
  static Reg high32(Reg a, Reg b) { return _mm256_unpackhi_epi32(a, b); }
  static Reg low64(Reg a, Reg b) { return _mm256_unpacklo_epi64(a, b); }
  static Reg high64(Reg a, Reg b) { return _mm256_unpackhi_epi64(a, b); }
  static Reg shuffle8(Reg a, Reg b) { return _mm256_shuffle_epi8(a, b); }
  static Reg equal8(Reg a, Reg b) { return _mm256_cmpeq_epi8(a, b); }
  static Reg absolute8(Reg a) { return _mm256_abs_epi8(a); }
  // a, negated where b is negative; b is not 0.
  static Reg with_sign8(Reg a, Reg b) { return _mm256_sign_epi8(a, b); }
  static Reg absolute32(Reg a) { return _mm256_abs_epi32(a); }
  static Reg absolute16(Reg a) { return _mm256_abs_epi16(a); }
  template <int kCount>
  static Reg shift_left16(Reg a) {
    return _mm256_slli_epi16(a, kCount);
  }
  template <int kCount>
  static Reg shift_left32(Reg a) {
    return _mm256_slli_epi32(a, kCount);
  }
  template <int kCount>
  static Reg shift_right16(Reg a) {
    return _mm256_srli_epi16(a, kCount);
  }
  template <int kCount>
  static Reg shift_right16_signed(Reg a) {
    return _mm256_srai_epi16(a, kCount);
  }
  template <int kCount>
  static Reg shift_right32(Reg a) {
    return _mm256_srli_epi32(a, kCount);
  }
  // Permutes each lane's dwords; kOrder: see dword_order.
  template <int kOrder>
  static Reg shuffle32(Reg a) {
    return _mm256_shuffle_epi32(a, kOrder);
  }
  // The same 16 bytes in every lane.
  static Reg lanes(__m128i a) { return _mm256_broadcastsi128_si256(a); }
  // Dword i of lane j becomes dword i · kLanes + j; reverts a transposition in lanes.
  static Reg by_dword(Reg a) {
    return _mm256_permutevar8x32_epi32(a, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
  }
  // The inverse of by_dword.
  static Reg to_lanes(Reg a) {
    return _mm256_permutevar8x32_epi32(a, _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7));
  }
  // Qword i of lane j becomes qword i · kLanes + j.
  static Reg by_qword(Reg a) { return _mm256_permute4x64_epi64(a, dword_order(3, 1, 2, 0)); }
  // The inverse of by_qword.
  static Reg qwords_to_lanes(Reg a) { return by_qword(a); }
  // Lane i begins with the eight bytes at 8 · i.
  static Reg load_lanes8(const uint8_t* from) {
    const __m128i blocks = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    return _mm256_permute4x64_epi64(_mm256_castsi128_si256(blocks), dword_order(1, 1, 0, 0));
  }
  // Lane i is the sixteen bytes at 12 · i.
  static Reg load_lanes12(const uint8_t* from) {
    const auto* first = reinterpret_cast<const __m128i*>(from);
    const auto* second = reinterpret_cast<const __m128i*>(from + 12);
    return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(first)),
                                   _mm_loadu_si128(second), 1);
  }
  // Widens bytes to words; reads kBytes / 2 bytes.
  static Reg load_widened(const uint8_t* from) {
    return _mm256_cvtepu8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
  }
  static Reg greater16(Reg a, Reg b) { return _mm256_cmpgt_epi16(a, b); }
  // Dword i of each lane is the lane's dword of `palette` with the number in bits 2 · i of byte
  // kByte of `lanes`.
  template <int kByte>
  static Reg pick32(Reg palette, Reg lanes) {
    constexpr int kDword = kByte / 4, kBit = kByte % 4 * 8;
    const Reg shifts =
        _mm256_setr_epi32(kBit, kBit + 2, kBit + 4, kBit + 6, kBit, kBit + 2, kBit + 4, kBit + 6);
    const Reg index = _mm256_srlv_epi32(shuffle32<kDword * 0x55>(lanes), shifts);
    return _mm256_castps_si256(_mm256_permutevar_ps(_mm256_castsi256_ps(palette), index));
  }
  // Dword i of parts[k] is dword 3 · i + k at `from`.
  static void load_thirds(const void* from, Reg (&parts)[3]) {
    const auto* dwords = static_cast<const uint8_t*>(from);
    const Reg a = load(dwords), b = load(dwords + kBytes), c = load(dwords + 2 * kBytes);
    const Reg first = _mm256_blend_epi32(_mm256_blend_epi32(a, b, 0x92), c, 0x24);
    const Reg second = _mm256_blend_epi32(_mm256_blend_epi32(a, b, 0x24), c, 0x49);
    const Reg third = _mm256_blend_epi32(_mm256_blend_epi32(a, b, 0x49), c, 0x92);
    parts[0] = _mm256_permutevar8x32_epi32(first, _mm256_setr_epi32(0, 3, 6, 1, 4, 7, 2, 5));
    parts[1] = _mm256_permutevar8x32_epi32(second, _mm256_setr_epi32(1, 4, 7, 2, 5, 0, 3, 6));
    parts[2] = _mm256_permutevar8x32_epi32(third, _mm256_setr_epi32(2, 5, 0, 3, 6, 1, 4, 7));
  }
  // Lane i begins with the four words at from + at[4 · i].
  static Reg load_quads(const int16_t* from, const int32_t* at) {
    return _mm256_set_m128i(quad(from, at[4]), quad(from, at[0]));
  }
  static __m128i quad(const int16_t* from, int at) {
    return _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from + at));
  }
  // Lane i is the eight words at from + at[4 · i].
  static Reg load_lanes16(const int16_t* from, const int32_t* at) {
    return _mm256_inserti128_si256(_mm256_castsi128_si256(eight(from, at[0])), eight(from, at[4]),
                                   1);
  }
  static __m128i eight(const int16_t* from, int at) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + at));
  }
  // Dword i is the dword at from + 4 · indices[i]. Loads one by one: gather instructions are slow
  // on many processors, and even slower with security mitigations.
  static Reg gather32(const uint8_t* from, Reg indices) {
    int32_t at[8], values[8];
    store(at, indices);
    for (int i = 0; i < 8; ++i) std::memcpy(&values[i], from + ptrdiff_t{4} * at[i], 4);
    return _mm256_setr_epi32(values[0], values[1], values[2], values[3], values[4], values[5],
                             values[6], values[7]);
  }
  // Number of dwords that pick_from_window selects from.
  static constexpr int kWindow = 16;
  static Reg pick_from_window(const uint8_t* from, Reg indices) {
    const Reg low = _mm256_permutevar8x32_epi32(load(from), indices);
    const Reg high = _mm256_permutevar8x32_epi32(load(from + kBytes), indices);
    const Reg is_high = _mm256_slli_epi32(indices, 28);
    return _mm256_castps_si256(_mm256_blendv_ps(_mm256_castsi256_ps(low), _mm256_castsi256_ps(high),
                                                _mm256_castsi256_ps(is_high)));
  }
  // Whether all dwords, as unsigned numbers, are below the limit.
  static bool all_below(Reg a, int limit) {
    const Reg greatest = _mm256_set1_epi32(limit - 1);
    return _mm256_movemask_epi8(_mm256_cmpeq_epi32(_mm256_max_epu32(a, greatest), greatest)) == -1;
  }
  // `a` with the last dword of every lane from b.
  static Reg last32_of(Reg a, Reg b) { return _mm256_blend_epi32(a, b, 0x88); }
  // The 32 bits that begin at each of the positions, which lie within a vector.
  static Reg bits_at32(const uint8_t* from, Reg positions) {
    const Reg dwords = _mm256_srli_epi32(positions, 5);
    const Reg shifts = _mm256_and_si256(positions, all32(31));
    const Reg low = _mm256_permutevar8x32_epi32(load(from), dwords);
    const Reg high = _mm256_permutevar8x32_epi32(load(from + 4), dwords);
    return _mm256_or_si256(_mm256_srlv_epi32(low, shifts),
                           _mm256_sllv_epi32(high, _mm256_sub_epi32(all32(32), shifts)));
  }
  // For each dword, the sum of the dwords before it.
  static Reg sums_before32(Reg a) {
    const Reg two = _mm256_add_epi32(a, _mm256_slli_si256(a, 4));
    const Reg four = _mm256_add_epi32(two, _mm256_slli_si256(two, 8));
    const Reg lane = _mm256_permutevar8x32_epi32(four, all32(3));
    return _mm256_sub_epi32(
        _mm256_add_epi32(four, _mm256_blend_epi32(_mm256_setzero_si256(), lane, 0xf0)), a);
  }
  static uint32_t last32(Reg a) { return static_cast<uint32_t>(_mm256_extract_epi32(a, 7)); }
  // Move dwords one up, inserting the last of `before`, or one down, inserting the first of `next`.
  static Reg shift_in_last32(Reg before, Reg a) {
    return _mm256_alignr_epi8(a, _mm256_permute2x128_si256(before, a, 0x21), 12);
  }
  static Reg shift_in_first32(Reg a, Reg next) {
    return _mm256_alignr_epi8(_mm256_permute2x128_si256(a, next, 0x21), a, 4);
  }
  static Reg first32_everywhere(Reg a) {
    return _mm256_broadcastd_epi32(_mm256_castsi256_si128(a));
  }
  // `a` with dword `lane` from b.
  static Reg with_lane32(Reg a, Reg b, int lane) {
    const Reg lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    return _mm256_blendv_epi8(a, b, _mm256_cmpeq_epi32(lanes, all32(lane)));
  }
  // Converts words to floats; reads kBytes / 2 bytes.
  static Reg floats_of16(const int16_t* from) {
    const __m128i words = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    return _mm256_castps_si256(_mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(words)));
  }
  // Rounds towards 0; at most `most`. NaN and values out of range of 32 bits become negative.
  static Reg truncated(Floats a, float most) {
    return _mm256_cvttps_epi32(_mm256_min_ps(_mm256_set1_ps(most), a));
  }
  // One bit per dword, set if the dwords are equal.
  static uint32_t equal_mask32(Reg a, Reg b) {
    return static_cast<uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(a, b))));
  }
  static Reg negative8(Reg a) { return _mm256_cmpgt_epi8(_mm256_setzero_si256(), a); }
  static Reg min16(Reg a, Reg b) { return _mm256_min_epu16(a, b); }
  static Reg sub_saturate16_unsigned(Reg a, Reg b) { return _mm256_subs_epu16(a, b); }
  static Reg greater32(Reg a, Reg b) { return _mm256_cmpgt_epi32(a, b); }
  static Reg shift_left_by32(Reg a, Reg counts) { return _mm256_sllv_epi32(a, counts); }
  static Reg shift_left_by64(Reg a, Reg counts) { return _mm256_sllv_epi64(a, counts); }
  static Reg shift_right_by32(Reg a, Reg counts) { return _mm256_srlv_epi32(a, counts); }
  static Reg bit_length32(Reg a) {
    const Reg exponents = _mm256_srli_epi32(_mm256_castps_si256(_mm256_cvtepi32_ps(a)), 23);
    return _mm256_max_epi32(_mm256_sub_epi32(exponents, all32(126)), zero());
  }
};

}  // namespace codecs
