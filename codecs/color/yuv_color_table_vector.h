// Prism interpolation (simd/prism_kernels.h) for any vector width. The loops that place samples are
// plain code, which compilers vectorise in each target region.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "codecs/simd/prism_kernels.h"

namespace codecs {

template <class V>
struct PrismVectors {
  using Reg = typename V::Reg;
  using Prisms = ColorPrisms;
  static constexpr int kPixels = V::kBytes / 4;  // pixels in a vector
  static constexpr int kBits = Prisms::kFractionBits;
  static constexpr int32_t kOne = 1 << kBits;

  static int32_t position(int32_t sum, int32_t last) {
    const int32_t shifted = sum >> Prisms::kShift;
    const int32_t positive = shifted < 0 ? 0 : shifted;
    return positive > last ? last : positive;
  }
  static void place_luma8(const Prisms& prisms, const uint8_t* __restrict samples, int count,
                          int32_t* __restrict positions) {
    const int32_t gain = prisms.luma_gain, offset = prisms.luma_offset;
    const int32_t last = ((prisms.luma_nodes - 1) << kBits) - 1;
    for (int i = 0; i < count; ++i) positions[i] = position(gain * samples[i] + offset, last);
  }
  static void place_luma16(const Prisms& prisms, const uint8_t* __restrict samples, int count,
                           int32_t* __restrict positions) {
    const int32_t gain = prisms.luma_gain, offset = prisms.luma_offset, mask = prisms.sample_mask;
    const int32_t last = ((prisms.luma_nodes - 1) << kBits) - 1;
    for (int i = 0; i < count; ++i) {
      uint16_t sample;
      std::memcpy(&sample, samples + ptrdiff_t{2} * i, sizeof(sample));
      positions[i] = position(gain * (sample & mask) + offset, last);
    }
  }
  static void average_luma(const int32_t* upper, const int32_t* lower, int count,
                           int32_t* positions) {
    for (ptrdiff_t at = 0; at < count; at += kPixels) {
      Reg columns[2];
      for (int i = 0; i < 2; ++i) {
        const ptrdiff_t from = 2 * at + i * kPixels;
        columns[i] = V::add32(V::load(upper + from), V::load(lower + from));
      }
      const Reg sums = V::by_qword(V::add_neighbours32(columns[0], columns[1]));
      V::store(positions + at, V::template shift_right32<2>(V::add32(sums, V::all32(2))));
    }
  }
  static void place_chroma(const Prisms& prisms, const int32_t* __restrict cb,
                           const int32_t* __restrict cr, int count, int32_t* __restrict nodes,
                           int16_t* __restrict weights) {
    const Prisms p = prisms;
    constexpr int32_t kLast = (Prisms::kChromaCells << kBits) - 1;
    for (int i = 0; i < count; ++i) {
      const int32_t u = position(
          p.chroma_gains[0][0] * cb[i] + p.chroma_gains[0][1] * cr[i] + p.chroma_offsets[0], kLast);
      const int32_t v = position(
          p.chroma_gains[1][0] * cb[i] + p.chroma_gains[1][1] * cr[i] + p.chroma_offsets[1], kLast);
      nodes[i] = ((u >> kBits) * Prisms::kChromaCells + (v >> kBits)) * p.luma_nodes;
      const int32_t across = u & (kOne - 1), down = v & (kOne - 1);
      const int32_t least = across < down ? across : down;
      const int32_t greatest = across < down ? down : across;
      const auto low = static_cast<uint32_t>((kOne - greatest) | (across - least) << 16);
      const auto high = static_cast<uint32_t>((down - least) | least << 16);
      const uint64_t corners = low | uint64_t{high} << 32;
      std::memcpy(weights + ptrdiff_t{Prisms::kCorners} * i, &corners, sizeof(corners));
    }
  }

  // Where the lower nodes of a row are (numbers of words), and the weights of the lower and upper
  // nodes. They pass through memory because loads of single places cost less than extractions from
  // a register; a store of the same iteration would delay these loads.
  struct Places {
    int32_t at[kPrismColumns];
    int32_t weights[kPrismColumns];
  };
  template <int kWordsLog2, int kShared>
  static void find(const PrismRow& row, Places& places) {
    for (ptrdiff_t at = 0; at < row.count; at += kPixels) {
      Reg nodes;
      if constexpr (kShared == 2) {
        const Reg pairs = V::load_lanes8(reinterpret_cast<const uint8_t*>(row.nodes + at / 2));
        nodes = V::low32(pairs, pairs);
      } else {
        nodes = V::load(row.nodes + at);
      }
      const Reg positions = V::load(row.luma + at);
      const Reg node = V::add32(nodes, V::template shift_right32<kBits>(positions));
      V::store(places.at + at, V::template shift_left32<kWordsLog2>(node));
      const Reg fraction = V::bit_and(positions, V::all32(kOne - 1));
      V::store(places.weights + at, V::bit_or(V::sub32(V::all32(kOne), fraction),
                                              V::template shift_left32<16>(fraction)));
    }
  }

  // Weights of the corners for pixel i of each lane, twice.
  struct Corners {
    Reg of_pixel[4];
  };
  static Corners corners_of_pairs(const int16_t* weights) {
    const Reg two = V::load(weights);
    const Reg left = V::low64(two, two), right = V::high64(two, two);
    return {{left, left, right, right}};
  }
  static Corners corners_of_pixels(const int16_t* weights) {
    alignas(V::kBytes) int32_t at[kPixels];
    for (int i = 0; i < kPixels; ++i) at[i] = Prisms::kCorners * i;
    const Reg a = V::load_lanes16(weights, at);
    const Reg b = V::load_lanes16(weights + 2 * Prisms::kCorners, at);
    return {{V::low64(a, a), V::high64(a, a), V::low64(b, b), V::high64(b, b)}};
  }

  // The level of each dword's pair of nodes.
  static Reg level(Reg nodes, Reg weights, Reg dither) {
    return V::template shift_right32<kBits + Prisms::kLevelBits>(
        V::add32(V::multiply_pairs16(nodes, weights), dither));
  }

  template <int kShared>
  static Reg luma_levels(const Prisms& prisms, const PrismRow& row, const Places& places,
                         ptrdiff_t at) {
    Corners corners;
    if constexpr (kShared == 2) {
      corners = corners_of_pairs(row.weights + Prisms::kCorners * (at / 2));
    } else {
      corners = corners_of_pixels(row.weights + Prisms::kCorners * at);
    }
    Reg sums[4];
    for (int i = 0; i < 4; ++i) {
      sums[i] = V::multiply_pairs16(V::load_lanes16(prisms.luma, places.at + at + i),
                                    corners.of_pixel[i]);
    }
    const Reg left = V::template shift_right32<kBits>(V::add_neighbours32(sums[0], sums[1]));
    const Reg right = V::template shift_right32<kBits>(V::add_neighbours32(sums[2], sums[3]));
    return level(V::pack32(left, right), V::load(places.weights + at),
                 V::load(row.dither + at % kDitherPeriod));
  }

  template <int kShared>
  static void map_luma(const Prisms& prisms, const PrismRow& row, uint8_t* luma) {
    Places places;
    find<2, kShared>(row, places);
    for (ptrdiff_t at = 0; at < row.count; at += 4 * kPixels) {
      Reg levels[4];
      for (int i = 0; i < 4; ++i) {
        levels[i] = luma_levels<kShared>(prisms, row, places, at + i * kPixels);
      }
      const Reg first = V::pack32(levels[0], levels[1]), last = V::pack32(levels[2], levels[3]);
      V::store(luma + at, V::by_dword(V::pack16_unsigned(first, last)));
    }
  }

  // Cb and Cr of samples 2 · kPair and 2 · kPair + 1 of each lane.
  template <int kPair>
  static Reg chroma_levels(const Prisms& prisms, const int32_t* at, const Corners& corners,
                           Reg weights, Reg dither) {
    Reg nodes[2];
    for (int i = 0; i < 2; ++i) {
      const int16_t* from = prisms.chroma + ptrdiff_t{2} * Prisms::kCorners * i;
      const Reg first =
          V::multiply_pairs16(V::load_lanes16(from, at + 2 * kPair), corners.of_pixel[2 * kPair]);
      const Reg second = V::multiply_pairs16(V::load_lanes16(from, at + 2 * kPair + 1),
                                             corners.of_pixel[2 * kPair + 1]);
      nodes[i] = V::template shift_right32<kBits>(V::add_neighbours32(first, second));
    }
    return level(V::bit_or(nodes[0], V::template shift_left32<16>(nodes[1])), weights, dither);
  }
  // Words: Cb and Cr of each sample.
  static Reg chroma_words(const Prisms& prisms, const PrismRow& row, const Places& places,
                          ptrdiff_t at) {
    const int32_t* from = places.at + at;
    const Corners corners = corners_of_pixels(row.weights + Prisms::kCorners * at);
    const Reg w = V::load(places.weights + at), d = V::load(row.dither + at % kDitherPeriod);
    return V::pack32(chroma_levels<0>(prisms, from, corners, V::low32(w, w), V::low32(d, d)),
                     chroma_levels<1>(prisms, from, corners, V::high32(w, w), V::high32(d, d)));
  }
  static void map_chroma(const Prisms& prisms, const PrismRow& row, uint8_t* cb, uint8_t* cr) {
    constexpr ptrdiff_t kHalf = V::kBytes / 2;
    Places places;
    find<3, 1>(row, places);
    for (ptrdiff_t at = 0; at < row.count; at += 2 * kPixels) {
      const Reg a = chroma_words(prisms, row, places, at);
      const Reg b = chroma_words(prisms, row, places, at + kPixels);
      const Reg low = V::all32(0xffff);
      const Reg blue = V::pack32(V::bit_and(a, low), V::bit_and(b, low));
      const Reg red = V::pack32(V::template shift_right32<16>(a), V::template shift_right32<16>(b));
      uint8_t bytes[V::kBytes];
      V::store(bytes, V::by_dword(V::pack16_unsigned(blue, red)));
      std::memcpy(cb + at, bytes, kHalf);
      std::memcpy(cr + at, bytes + kHalf, kHalf);
    }
  }

  static constexpr PrismKernels kKernels = {.place_luma8 = place_luma8,
                                            .place_luma16 = place_luma16,
                                            .average_luma = average_luma,
                                            .place_chroma = place_chroma,
                                            .map_luma = map_luma<1>,
                                            .map_luma_pairs = map_luma<2>,
                                            .map_chroma = map_chroma};
};

}  // namespace codecs
