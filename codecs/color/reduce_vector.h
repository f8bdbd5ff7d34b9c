// Means of squares for any vector width. A lane holds four pixels of a row, then the 16-bit sums of
// two pairs of them; the sums of 8×8 bytes stay below 2^14.
#pragma once

#include "codecs/color/reduce.h"
#include "codecs/simd/kernels_reference.h"

namespace codecs {

template <class V, int kReduction>
class SquareReducer {
 public:
  using Reg = typename V::Reg;
  static constexpr int kPixels = V::kBytes / 4;

  explicit SquareReducer(const PixelSquares& squares)
      : squares_(squares),
        // Places channels of adjacent pixels side by side, in BGRA order.
        pairs_(V::lanes(squares.order == ChannelOrder::kBgra
                            ? bytes128(0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15)
                            : bytes128(2, 6, 1, 5, 0, 4, 3, 7, 10, 14, 9, 13, 8, 12, 11, 15))) {}

  // kPixels means from square `at` on.
  Reg means(ptrdiff_t at) const {
    constexpr int kHalf = kSide * V::kBytes / 2;
    const uint8_t* from = squares_.pixels + 4 * kSide * at;
    const Reg rounding = V::all16(1 << (2 * kReduction - 1));
    const Reg low = V::add16(sums<kReduction>(from), rounding);
    const Reg high = V::add16(sums<kReduction>(from + kHalf), rounding);
    return V::by_qword(V::pack16_unsigned(V::template shift_right16<2 * kReduction>(low),
                                          V::template shift_right16<2 * kReduction>(high)));
  }

 private:
  static constexpr int kSide = 1 << kReduction;

  // kPixels / 2 sums in a row, each over 2^kLevel columns and all kSide rows.
  template <int kLevel>
  Reg sums(const uint8_t* from) const {
    if constexpr (kLevel == 1) {
      Reg sum = V::zero();
      for (int y = 0; y < kSide; ++y, from += squares_.stride) {
        const Reg pixels = V::shuffle8(V::load(from), pairs_);
        sum = V::add16(sum, V::multiply_pairs8(pixels, V::all8(1)));
      }
      return sum;
    } else {
      constexpr int kHalf = (1 << kLevel) * V::kBytes / 4;
      const Reg a = sums<kLevel - 1>(from), b = sums<kLevel - 1>(from + kHalf);
      return V::by_qword(V::add16(V::low64(a, b), V::high64(a, b)));
    }
  }

  const PixelSquares& squares_;
  Reg pairs_;
};

// Processes whole vectors; the last one is shifted back to overlap pixels already done. Shorter
// rows use the reference.
template <class V, int kReduction>
void reduce_row_by(const PixelSquares& squares, uint8_t* bgra) {
  using Reducer = SquareReducer<V, kReduction>;
  const Reducer reducer(squares);
  for (int i = 0; i < squares.count; i += Reducer::kPixels) {
    const ptrdiff_t at =
        i + Reducer::kPixels <= squares.count ? i : squares.count - Reducer::kPixels;
    V::store(bgra + 4 * at, reducer.means(at));
  }
}

template <class V>
void reduce_row(const PixelSquares& squares, uint8_t* bgra) {
  static_assert(kMaxReduction == 3);
  if (squares.count < V::kBytes / 4) return reference::reduce_row(squares, bgra);
  switch (squares.reduction) {
    case 1:
      return reduce_row_by<V, 1>(squares, bgra);
    case 2:
      return reduce_row_by<V, 2>(squares, bgra);
    default:
      return reduce_row_by<V, 3>(squares, bgra);
  }
}

}  // namespace codecs
