// 128-bit vectors of 64-bit Arm processors. See kernels_vector.h for the use of the vector headers.
// The operations have the meaning that vector_sse41.h gives them.
#pragma once

#include <arm_neon.h>

#include <cstdint>
#include <cstring>
#include <limits>

#include "codecs/base/cpu.h"
#include "codecs/dxt/dxt_fit.h"

namespace codecs {

struct Neon {
  using Reg = uint8x16_t;
  using Floats = float32x4_t;
  using Ints = Ints4;
  static constexpr CpuLevel kLevel = CpuLevel::kNeon;
  static constexpr int kLanes = 1;
  static constexpr int kBytes = 16 * kLanes;

  static Reg load(const void* from) { return vld1q_u8(static_cast<const uint8_t*>(from)); }
  static Reg load_some16(const int16_t* from, int count) {
    int16_t words[kBytes / 2] = {};
    std::memcpy(words, from, sizeof(int16_t) * static_cast<size_t>(count));
    return load(words);
  }
  static void store(void* to, Reg a) { vst1q_u8(static_cast<uint8_t*>(to), a); }
  static void stream(void* to, Reg a) { store(to, a); }
  static Reg zero() { return vdupq_n_u8(0); }
  static Reg all8(int8_t value) { return of(vdupq_n_s8(value)); }
  static Reg all16(int16_t value) { return of(vdupq_n_s16(value)); }
  static Reg all32(int32_t value) { return of(vdupq_n_s32(value)); }
  static Reg bit_and(Reg a, Reg b) { return vandq_u8(a, b); }
  static Reg bit_or(Reg a, Reg b) { return vorrq_u8(a, b); }
  static Reg bit_xor(Reg a, Reg b) { return veorq_u8(a, b); }
  static Reg and_not(Reg a, Reg b) { return vbicq_u8(b, a); }
  static Reg add8(Reg a, Reg b) { return vaddq_u8(a, b); }
  static Reg add_saturate8(Reg a, Reg b) { return vqaddq_u8(a, b); }
  static Reg sub8(Reg a, Reg b) { return vsubq_u8(a, b); }
  static Reg sub_saturate8(Reg a, Reg b) { return vqsubq_u8(a, b); }
  static Reg sub_saturate8_signed(Reg a, Reg b) { return of(vqsubq_s8(s8(a), s8(b))); }
  static Reg add16(Reg a, Reg b) { return of(vaddq_s16(s16(a), s16(b))); }
  static Reg add_saturate16(Reg a, Reg b) { return of(vqaddq_s16(s16(a), s16(b))); }
  static Reg add32(Reg a, Reg b) { return of(vaddq_s32(s32(a), s32(b))); }
  static Reg add_neighbours32(Reg a, Reg b) { return of(vpaddq_s32(s32(a), s32(b))); }
  static Reg sub16(Reg a, Reg b) { return of(vsubq_s16(s16(a), s16(b))); }
  static Reg sub_saturate16(Reg a, Reg b) { return of(vqsubq_s16(s16(a), s16(b))); }
  static Reg sub32(Reg a, Reg b) { return of(vsubq_s32(s32(a), s32(b))); }
  static Reg multiply32(Reg a, Reg b) { return of(vmulq_s32(s32(a), s32(b))); }
  static Reg min8(Reg a, Reg b) { return vminq_u8(a, b); }
  static Reg max8(Reg a, Reg b) { return vmaxq_u8(a, b); }
  static Reg min32(Reg a, Reg b) { return of(vminq_s32(s32(a), s32(b))); }
  static Reg max32(Reg a, Reg b) { return of(vmaxq_s32(s32(a), s32(b))); }
  static Reg average8(Reg a, Reg b) { return vrhaddq_u8(a, b); }
  static Reg multiply_pairs8(Reg a, Reg b) {
    const int16x8_t low =
        vmulq_s16(vreinterpretq_s16_u16(vmovl_u8(vget_low_u8(a))), vmovl_s8(vget_low_s8(s8(b))));
    const int16x8_t high = vmulq_s16(vreinterpretq_s16_u16(vmovl_high_u8(a)), vmovl_high_s8(s8(b)));
    return of(vqmovn_high_s32(vqmovn_s32(vpaddlq_s16(low)), vpaddlq_s16(high)));
  }
  static Reg add_products8(Reg sums, Reg a, Reg b) {
    return of(vpadalq_s16(s32(sums), s16(multiply_pairs8(a, b))));
  }
  static Reg multiply_pairs16(Reg a, Reg b) {
    const int32x4_t low = vmull_s16(vget_low_s16(s16(a)), vget_low_s16(s16(b)));
    return of(vpaddq_s32(low, vmull_high_s16(s16(a), s16(b))));
  }
  static Reg multiply16(Reg a, Reg b) { return of(vmulq_s16(s16(a), s16(b))); }
  static Reg multiply_high16(Reg a, Reg b) {
    const uint32x4_t low = vmull_u16(vget_low_u16(u16(a)), vget_low_u16(u16(b)));
    const uint32x4_t high = vmull_high_u16(u16(a), u16(b));
    return of(vuzp2q_u16(vreinterpretq_u16_u32(low), vreinterpretq_u16_u32(high)));
  }
  static Reg multiply_high16_signed(Reg a, Reg b) {
    const int32x4_t low = vmull_s16(vget_low_s16(s16(a)), vget_low_s16(s16(b)));
    const int32x4_t high = vmull_high_s16(s16(a), s16(b));
    return of(vuzp2q_s16(vreinterpretq_s16_s32(low), vreinterpretq_s16_s32(high)));
  }
  // Saturates -32768 · -32768, which no kernel multiplies.
  static Reg multiply_round16(Reg a, Reg b) { return of(vqrdmulhq_s16(s16(a), s16(b))); }
  static Reg pack32(Reg a, Reg b) { return of(vqmovn_high_s32(vqmovn_s32(s32(a)), s32(b))); }
  static Reg pack16(Reg a, Reg b) { return of(vqmovn_high_s16(vqmovn_s16(s16(a)), s16(b))); }
  static Reg pack16_unsigned(Reg a, Reg b) { return vqmovun_high_s16(vqmovun_s16(s16(a)), s16(b)); }
  static Reg low8(Reg a, Reg b) { return vzip1q_u8(a, b); }
  static Reg high8(Reg a, Reg b) { return vzip2q_u8(a, b); }
  static Reg low16(Reg a, Reg b) { return of(vzip1q_u16(u16(a), u16(b))); }
  static Reg high16(Reg a, Reg b) { return of(vzip2q_u16(u16(a), u16(b))); }
  static Reg low32(Reg a, Reg b) { return of(vzip1q_u32(u32(a), u32(b))); }
  static Reg high32(Reg a, Reg b) { return of(vzip2q_u32(u32(a), u32(b))); }
  static Reg low64(Reg a, Reg b) { return of(vzip1q_u64(u64(a), u64(b))); }
  static Reg high64(Reg a, Reg b) { return of(vzip2q_u64(u64(a), u64(b))); }
  // Like SSE, an index counts in its low four bits, and its highest bit selects 0.
  static Reg shuffle8(Reg a, Reg b) { return vqtbl1q_u8(a, vandq_u8(b, vdupq_n_u8(0x8f))); }
  static Reg equal8(Reg a, Reg b) { return vceqq_u8(a, b); }
  static Reg absolute8(Reg a) { return of(vabsq_s8(s8(a))); }
  static Reg with_sign8(Reg a, Reg b) { return vbslq_u8(vcltzq_s8(s8(b)), of(vnegq_s8(s8(a))), a); }
  static Reg absolute32(Reg a) { return of(vabsq_s32(s32(a))); }
  static Reg absolute16(Reg a) { return of(vabsq_s16(s16(a))); }
  template <int kCount>
  static Reg shift_left16(Reg a) {
    return of(vshlq_n_u16(u16(a), kCount));
  }
  template <int kCount>
  static Reg shift_left32(Reg a) {
    return of(vshlq_n_u32(u32(a), kCount));
  }
  template <int kCount>
  static Reg shift_right16(Reg a) {
    if constexpr (kCount == 0) return a;
    return of(vshrq_n_u16(u16(a), kCount == 0 ? 1 : kCount));
  }
  template <int kCount>
  static Reg shift_right16_signed(Reg a) {
    return of(vshrq_n_s16(s16(a), kCount));
  }
  template <int kCount>
  static Reg shift_right32(Reg a) {
    if constexpr (kCount == 0) return a;
    return of(vshrq_n_u32(u32(a), kCount == 0 ? 1 : kCount));
  }
  // kOrder: see dword_order.
  template <int kOrder>
  static Reg shuffle32(Reg a) {
    const uint32x4_t from = u32(a);
    return of(__builtin_shufflevector(from, from, kOrder & 3, kOrder >> 2 & 3, kOrder >> 4 & 3,
                                      kOrder >> 6 & 3));
  }
  static Reg lanes(Reg a) { return a; }
  static Reg by_dword(Reg a) { return a; }
  static Reg to_lanes(Reg a) { return a; }
  static Reg by_qword(Reg a) { return a; }
  static Reg qwords_to_lanes(Reg a) { return a; }
  static Reg load_lanes8(const uint8_t* from) { return vcombine_u8(vld1_u8(from), vdup_n_u8(0)); }
  static Reg load_quads(const int16_t* from, const int32_t* at) {
    return of(vcombine_s16(vld1_s16(from + at[0]), vdup_n_s16(0)));
  }
  static Reg load_lanes12(const uint8_t* from) { return load(from); }
  static Reg load_widened(const uint8_t* from) { return of(vmovl_u8(vld1_u8(from))); }
  static Reg greater16(Reg a, Reg b) { return of(vcgtq_s16(s16(a), s16(b))); }
  template <int kByte>
  static Reg pick32(Reg palette, Reg lanes) {
    const int32x4_t places = {0, -2, -4, -6};
    const uint32x4_t byte = vdupq_n_u32(vgetq_lane_u8(lanes, kByte));
    const uint32x4_t index = vandq_u32(vshlq_u32(byte, places), vdupq_n_u32(3));
    return vqtbl1q_u8(palette, bytes_of_dwords(index));
  }
  static void load_thirds(const void* from, Reg (&parts)[3]) {
    uint32_t dwords[12];
    std::memcpy(dwords, from, sizeof(dwords));
    const uint32x4x3_t thirds = vld3q_u32(dwords);
    for (int k = 0; k < 3; ++k) parts[k] = of(thirds.val[k]);
  }
  static Reg load_lanes16(const int16_t* from, const int32_t* at) { return load(from + at[0]); }
  static Reg gather32(const uint8_t* from, Reg indices) {
    int32_t at[4], values[4];
    store(at, indices);
    for (int i = 0; i < 4; ++i) std::memcpy(&values[i], from + ptrdiff_t{4} * at[i], 4);
    return load(values);
  }
  static constexpr int kWindow = 4;
  static Reg pick_from_window(const uint8_t* from, Reg indices) {
    return vqtbl1q_u8(load(from), bytes_of_dwords(u32(indices)));
  }
  static bool all_below(Reg a, int limit) {
    return vmaxvq_u32(u32(a)) < static_cast<uint32_t>(limit);
  }
  static Reg last32_of(Reg a, Reg b) { return of(vcopyq_laneq_u32(u32(a), 3, u32(b), 3)); }
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
  static Reg sums_before32(Reg a) {
    const uint32x4_t none = vdupq_n_u32(0);
    const uint32x4_t first = vextq_u32(none, u32(a), 3);
    const uint32x4_t two = vaddq_u32(first, vextq_u32(none, first, 3));
    return of(vaddq_u32(two, vextq_u32(none, two, 2)));
  }
  static uint32_t last32(Reg a) { return vgetq_lane_u32(u32(a), 3); }
  static Reg shift_in_last32(Reg before, Reg a) { return of(vextq_u32(u32(before), u32(a), 3)); }
  static Reg shift_in_first32(Reg a, Reg next) { return of(vextq_u32(u32(a), u32(next), 1)); }
  static Reg first32_everywhere(Reg a) { return of(vdupq_laneq_u32(u32(a), 0)); }
  static Reg with_lane32(Reg a, Reg b, int lane) {
    const int32x4_t numbers = {0, 1, 2, 3};
    return vbslq_u8(of(vceqq_s32(numbers, vdupq_n_s32(lane))), b, a);
  }
  static Reg floats_of16(const int16_t* from) {
    return vreinterpretq_u8_f32(vcvtq_f32_s32(vmovl_s16(vld1_s16(from))));
  }
  static Reg truncated(Floats a, float most) {
    const int32x4_t whole = vcvtq_s32_f32(vminq_f32(vdupq_n_f32(most), a));  // NaN becomes 0
    const int32x4_t least = vdupq_n_s32(std::numeric_limits<int32_t>::min());
    return of(vbslq_s32(vceqq_f32(a, a), whole, least));
  }
  static uint32_t equal_mask32(Reg a, Reg b) {
    const uint32x4_t bits = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(vceqq_u32(u32(a), u32(b)), bits));
  }
  static Reg negative8(Reg a) { return vcltzq_s8(s8(a)); }
  static Reg min16(Reg a, Reg b) { return of(vminq_u16(u16(a), u16(b))); }
  static Reg sub_saturate16_unsigned(Reg a, Reg b) { return of(vqsubq_u16(u16(a), u16(b))); }
  static Reg greater32(Reg a, Reg b) { return of(vcgtq_s32(s32(a), s32(b))); }
  static Reg shift_left_by32(Reg a, Reg counts) { return of(vshlq_u32(u32(a), s32(counts))); }
  static Reg shift_left_by64(Reg a, Reg counts) {
    return of(vshlq_u64(u64(a), vreinterpretq_s64_u8(counts)));
  }
  static Reg shift_right_by32(Reg a, Reg counts) {
    return of(vshlq_u32(u32(a), vnegq_s32(s32(counts))));
  }
  static Reg bit_length32(Reg a) { return of(vsubq_u32(vdupq_n_u32(32), vclzq_u32(u32(a)))); }

 private:
  static int8x16_t s8(Reg a) { return vreinterpretq_s8_u8(a); }
  static int16x8_t s16(Reg a) { return vreinterpretq_s16_u8(a); }
  static int32x4_t s32(Reg a) { return vreinterpretq_s32_u8(a); }
  static uint16x8_t u16(Reg a) { return vreinterpretq_u16_u8(a); }
  static uint32x4_t u32(Reg a) { return vreinterpretq_u32_u8(a); }
  static uint64x2_t u64(Reg a) { return vreinterpretq_u64_u8(a); }
  static Reg of(int8x16_t a) { return vreinterpretq_u8_s8(a); }
  static Reg of(int16x8_t a) { return vreinterpretq_u8_s16(a); }
  static Reg of(int32x4_t a) { return vreinterpretq_u8_s32(a); }
  static Reg of(uint16x8_t a) { return vreinterpretq_u8_u16(a); }
  static Reg of(uint32x4_t a) { return vreinterpretq_u8_u32(a); }
  static Reg of(uint64x2_t a) { return vreinterpretq_u8_u64(a); }
  // The four byte indices of each dword.
  static Reg bytes_of_dwords(uint32x4_t indices) {
    return of(vmlaq_n_u32(vdupq_n_u32(0x03020100), indices, 0x04040404));
  }
};

}  // namespace codecs
