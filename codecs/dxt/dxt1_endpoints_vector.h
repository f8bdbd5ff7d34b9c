// The per-block work of DXT1 encoders for a vector of blocks, one dword per block: box_endpoints
// and search_of of the reference.
#pragma once

#include "codecs/dxt/dxt1_block.h"
#include "codecs/dxt/dxt_fit.h"

namespace codecs {

// 0xff in the bytes of red and blue if the channel falls while the others rise. The bytes of
// `falls` are negative if channel 0 falls against green, (unused), channel 2 falls against green,
// channel 0 falls against channel 2.
template <class V>
CODECS_INLINE typename V::Reg fallen_channels(typename V::Reg falls, typename V::Reg range,
                                              ChannelOrder order) {
  using Reg = typename V::Reg;
  const Reg by_green = V::negative8(falls);
  // In blue's byte: blue against green by way of red, and whether green has the smallest range.
  // Red's byte always uses green: there green is compared with 0.
  Reg by_red, green, least;
  if (order == ChannelOrder::kRgba) {
    by_red =
        V::bit_xor(V::template shift_right32<8>(by_green), V::template shift_left32<16>(by_green));
    green = V::template shift_left32<8>(range);
    least = V::min8(range, V::template shift_left32<16>(range));
  } else {
    by_red = V::bit_xor(V::template shift_right32<24>(by_green),
                        V::template shift_right32<16>(by_green));
    green = V::template shift_right32<8>(range);
    least = V::min8(range, V::template shift_right32<16>(range));
  }
  const Reg green_counts = V::equal8(V::max8(green, least), green);
  return V::bit_and(V::bit_or(V::bit_and(green_counts, by_green), V::and_not(green_counts, by_red)),
                    V::all32(0x00ff00ff));
}

template <class V>
CODECS_INLINE typename V::Reg to_565(typename V::Reg pixels, ChannelOrder order) {
  using Reg = typename V::Reg;
  const int place0 = 1 << shift_565(0, order), place2 = 1 << shift_565(2, order);
  const Reg channels02 = V::multiply_round16(V::bit_and(pixels, V::all32(0x00ff00ff)),
                                             V::all16(static_cast<int16_t>(kTo5Bits)));
  const Reg green = V::multiply_round16(V::template shift_right16<8>(pixels), V::all32(kTo6Bits));
  return V::bit_or(V::multiply_pairs16(channels02, V::all32(place0 | place2 << 16)),
                   V::template shift_left32<5>(green));
}

template <class V>
CODECS_INLINE typename V::Reg box_endpoints(typename V::Reg least, typename V::Reg greatest,
                                            typename V::Reg falls, bool refit, ChannelOrder order) {
  using Reg = typename V::Reg;
  const Reg range = V::sub8(greatest, least);
  Reg inset =
      V::bit_and(V::template shift_right16<kInsetShift>(range), V::all8(0xff >> kInsetShift));
  if (refit) {
    inset = V::add8(inset, V::bit_and(V::template shift_right16<kRefitInsetShift>(range),
                                      V::all8(0xff >> kRefitInsetShift)));
  }
  const Reg low = V::add8(least, inset), high = V::sub8(greatest, inset);
  const Reg fallen = fallen_channels<V>(falls, range, order);
  const Reg swap = V::bit_and(V::bit_xor(low, high), fallen);
  const Reg a = to_565<V>(V::bit_xor(high, swap), order);
  const Reg b = to_565<V>(V::bit_xor(low, swap), order);
  return V::bit_or(V::max32(a, b), V::template shift_left32<16>(V::min32(a, b)));
}

// One channel of both colours, colour0 in the low word.
template <class V>
CODECS_INLINE typename V::Reg expand_both(typename V::Reg endpoints, int channel,
                                          ChannelOrder order) {
  using Reg = typename V::Reg;
  if (channel == 1) {
    const Reg bits = V::bit_and(V::template shift_right16<5>(endpoints), V::all16(63));
    return V::template shift_right16<4>(V::multiply16(bits, V::all16(65)));
  }
  const Reg bits = shift_565(channel, order) == 0 ? V::bit_and(endpoints, V::all16(31))
                                                  : V::template shift_right16<11>(endpoints);
  return V::template shift_right16<2>(V::multiply16(bits, V::all16(33)));
}

template <class V>
struct PlaceSearch {
  typename V::Reg weights;  // four signed bytes in memory order; the last is 0
  typename V::Reg start;    // `start` and `steps` are in both words
  typename V::Reg steps;
};

template <class V>
CODECS_INLINE typename V::Reg both_words(typename V::Reg a) {
  return V::shuffle8(a, V::lanes(bytes128(0, 1, 0, 1, 4, 5, 4, 5, 8, 9, 8, 9, 12, 13, 12, 13)));
}

template <class V>
CODECS_INLINE PlaceSearch<V> place_search(typename V::Reg endpoints, ChannelOrder order) {
  using Reg = typename V::Reg;
  using Ints = typename V::Ints;
  Reg colours[3], spans[3];
  Reg longest = V::all32(kLeastSpan), square = V::zero();
  for (int c = 0; c < 3; ++c) {
    colours[c] = expand_both<V>(endpoints, c, order);
    spans[c] = V::multiply_pairs16(colours[c], V::all32(kSpanScale | -kSpanScale * 65536));
    longest = V::max32(longest, V::absolute32(spans[c]));
    const Reg words = V::bit_and(spans[c], V::all32(0xffff));
    square = V::add32(square, V::multiply_pairs16(words, words));
  }
  square = V::max32(square, V::all32(kLeastSpan * kLeastSpan));
  const auto floats = to_floats(reinterpret_cast<Ints>(longest));
  // Both are below 2^15, so their high words are 0.
  const auto scale = reinterpret_cast<Reg>(to_ints<Ints>(kWeightScale / floats));
  const auto steps = reinterpret_cast<Reg>(
      to_ints<Ints>(kStepScale * floats / to_floats(reinterpret_cast<Ints>(square)) + 0.5F));
  Reg weights[3];
  Reg start = V::zero();
  for (int c = 0; c < 3; ++c) {
    weights[c] = V::multiply_round16(spans[c], scale);
    start = V::add32(start, V::multiply_pairs16(weights[c], colours[c]));
  }
  const Reg bytes =
      V::pack16(V::bit_or(weights[0], V::template shift_left32<16>(weights[1])), weights[2]);
  return {
      V::shuffle8(bytes, V::lanes(bytes128(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15))),
      both_words<V>(start), both_words<V>(steps)};
}

}  // namespace codecs
