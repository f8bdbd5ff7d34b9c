// Means of squares for any vector width. A lane holds four pixels of a row, then the 16-bit sums of
// two pairs of them; the sums of 8×8 bytes stay below 2^14.
#pragma once

#include "codecs/color/scaling.h"
#include "codecs/simd/kernels.h"

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

  // Returns the mean colours of kPixels squares, beginning with square `at`.
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

// Bilinear scaling for any vector width.

// (a · (256 − weight) + b · weight + 128) / 256 for every byte; each weight is in both words of a
// pixel. Computed as a · 256 + (b − a) · weight + 128: the final sum fits 16 bits, so intermediate
// results may wrap.
template <class V>
typename V::Reg mix(typename V::Reg a, typename V::Reg b, typename V::Reg weights) {
  using Reg = typename V::Reg;
  const Reg even = V::all16(0x00ff);
  const Reg a_even = V::bit_and(a, even);
  const Reg a_odd = V::template shift_right16<8>(a);
  const Reg change_even = V::multiply16(V::sub16(V::bit_and(b, even), a_even), weights);
  const Reg change_odd = V::multiply16(V::sub16(V::template shift_right16<8>(b), a_odd), weights);
  const Reg half = V::all16(128);
  const Reg sum_even = V::add16(V::add16(V::template shift_left16<8>(a), half), change_even);
  const Reg sum_odd = V::add16(V::add16(V::and_not(even, a), half), change_odd);
  return V::bit_or(V::template shift_right16<8>(sum_even), V::and_not(even, sum_odd));
}

template <class V>
void blend_rows(const uint8_t* upper, const uint8_t* lower, int weight, size_t bytes,
                uint8_t* out) {
  if (bytes < V::kBytes) return reference::blend_rows(upper, lower, weight, bytes, out);
  const typename V::Reg weights = V::all16(static_cast<int16_t>(weight));
  for (size_t i = 0; i < bytes; i += V::kBytes) {
    const size_t at = i + V::kBytes <= bytes ? i : bytes - V::kBytes;
    V::store(out + at, mix<V>(V::load(upper + at), V::load(lower + at), weights));
  }
}

// Loads the pixels of a vector of taps. Unless the picture shrinks much, adjacent columns read
// adjacent pixels: these are shuffled from one window of the row. Else pixels are loaded singly.
template <class V>
class TapPixels {
 public:
  using Reg = typename V::Reg;

  TapPixels(const uint8_t* source, const ColumnTaps& columns, const Tap* taps) : source_(source) {
    Reg parts[3];
    V::load_thirds(taps, parts);
    first_ = parts[0];
    second_ = parts[1];
    const Reg weight = V::bit_and(parts[2], V::all32(0xffff));
    weights_ = V::bit_or(weight, V::template shift_left32<16>(weight));

    window_ = taps[0].first;
    const int last_window = columns.last_column + 1 - V::kWindow;
    if (window_ > last_window) window_ = last_window;
    const Reg start = V::all32(window_);
    in_window_ = window_ >= columns.first_column &&
                 V::all_below(V::sub32(first_, start), V::kWindow) &&
                 V::all_below(V::sub32(second_, start), V::kWindow);
  }

  Reg first() const { return pick(first_); }
  Reg second() const { return pick(second_); }
  // In both words of each pixel.
  Reg weights() const { return weights_; }

 private:
  Reg pick(Reg columns) const {
    if (!in_window_) return V::gather32(source_, columns);
    return V::pick_from_window(source_ + ptrdiff_t{4} * window_,
                               V::sub32(columns, V::all32(window_)));
  }

  const uint8_t* source_;
  Reg first_;
  Reg second_;
  Reg weights_;
  int window_;
  bool in_window_;
};

template <class V>
void scale_row(const uint8_t* source, const ColumnTaps& columns, uint8_t* bgra) {
  constexpr int kPixels = V::kBytes / 4;
  constexpr int kPrefetchColumns = 512;
  constexpr int kPrefetchBytes = 3 * V::kBytes;  // enough for shrinking to a third
  if (columns.count < kPixels) return reference::scale_row(source, columns, bgra);
  for (int i = 0; i < columns.count; i += kPixels) {
    const ptrdiff_t at = i + kPixels <= columns.count ? i : columns.count - kPixels;
    const TapPixels<V> pixels(source, columns, columns.taps + at);
    const int ahead = columns.taps[at].first + kPrefetchColumns;
    const int nearest = ahead < columns.last_column ? ahead : columns.last_column;
    for (int line = 0; line < kPrefetchBytes; line += 64) {
      __builtin_prefetch(source + ptrdiff_t{4} * nearest + line);
    }
    V::store(bgra + 4 * at, mix<V>(pixels.first(), pixels.second(), pixels.weights()));
  }
}

}  // namespace codecs
