// Loops of wavelet_kernels.h that compilers do not vectorise.
#pragma once

#include "codecs/simd/wavelet_kernels.h"

namespace codecs {

// The horizontal inverse 9/7 transform in one pass: each step of a vector is done as soon as the
// previous step of the next vector is done, and all intermediate values stay in registers.
template <class V>
class InverseAcross {
 public:
  static void run(const AcrossRow& from, float* even, float* odd) {
    InverseAcross row(from, even, odd);
    if (from.low != nullptr) {
      row.template run<true>();
    } else {
      row.template run<false>();
    }
  }

 private:
  using Reg = typename V::Reg;
  using Floats = typename V::Floats;
  static constexpr int kStep = V::kBytes / 4;
  static constexpr const float* kFactors = kInverseLiftingFactors;

  // If the row begins with an odd sample, that sample precedes the first vector.
  InverseAcross(const AcrossRow& from, float* even, float* odd)
      : from_(from),
        even_(even),
        odd_(from.begins_odd ? odd + 1 : odd),
        high_(from.begins_odd ? from.high_halves + 1 : from.high_halves),
        last_((from.evens - 1) / kStep),
        last_lane_((from.evens - 1) % kStep),
        ends_even_(from.begins_odd ? from.evens == from.odds : from.evens > from.odds) {}

  static Floats floats(Reg a) { return reinterpret_cast<Floats>(a); }
  static Reg reg(Floats a) { return reinterpret_cast<Reg>(a); }
  static Floats lifted(Floats center, Floats a, Floats b, float factor) {
    return center + (a + b) * factor;
  }
  // The left, or right, neighbours of the samples at the same position.
  static Floats lefts(Floats before, Floats here) {
    return floats(V::shift_in_last32(reg(before), reg(here)));
  }
  static Floats rights(Floats here, Floats next) {
    return floats(V::shift_in_first32(reg(here), reg(next)));
  }
  static Floats first_of(Floats a) { return floats(V::first32_everywhere(reg(a))); }
  static Floats load_halves(const int16_t* halves, float step) {
    return floats(V::floats_of16(halves)) * step;
  }
  // At the row's end `mirrored` replaces the missing sample.
  Floats at_end(Floats a, Floats mirrored) const {
    return floats(V::with_lane32(reg(a), reg(mirrored), last_lane_));
  }
  template <bool kHasLow>
  Floats low(int i) const {
    if constexpr (kHasLow) return floats(V::load(from_.low + ptrdiff_t{kStep} * i));
    return load_halves(from_.low_halves + ptrdiff_t{kStep} * i, from_.low_step);
  }
  Floats high(int i) const { return load_halves(high_ + ptrdiff_t{kStep} * i, from_.high_step); }
  static void store(float* to, int i, Floats a) { V::store(to + ptrdiff_t{kStep} * i, reg(a)); }

  // Values of the previous vector: e and o are even and odd samples; the digit counts their steps.
  struct Before {
    Floats o, e1, o1, e2;
  };

  template <bool kHasLow>
  void run() {
    const Floats first = first_of(load_halves(from_.high_halves, from_.high_step));
    Before before{first, first, first, first};
    for (int i = 0; i <= last_; ++i) {
      const bool is_inner = i > 1 && i < last_;
      is_inner ? step<kHasLow, false>(i, before) : step<kHasLow, true>(i, before);
    }
    finish<true>(last_, end_of(before.e1), before);
    store(odd_, last_, lifted(before.o1, before.e2, end_of(before.e2), kFactors[3]));
  }
  // The right neighbours of the last vector's samples.
  Floats end_of(Floats last) const {
    const Floats right = rights(last, last);
    return ends_even_ ? right : at_end(right, last);
  }
  // `kIsEdge`: the vector may be among the first or the last two.
  template <bool kHasLow, bool kIsEdge>
  [[gnu::always_inline]] void step(int i, Before& before) const {
    Floats o = high(i);
    if (kIsEdge && i == last_ && ends_even_) o = at_end(o, lefts(before.o, o));
    const Floats e1 = lifted(low<kHasLow>(i), lefts(before.o, o), o, kFactors[0]);
    if (!kIsEdge || i > 0) {
      finish<kIsEdge>(i - 1, rights(before.e1, e1), before);
    } else if (from_.begins_odd) {
      before.o1 = lifted(before.o, first_of(e1), first_of(e1), kFactors[1]);
    }
    before.e1 = e1;
    before.o = o;
  }
  // The second and third step of vector i, and the last step of the previous vector.
  template <bool kIsEdge>
  [[gnu::always_inline]] void finish(int i, Floats right, Before& before) const {
    Floats o1 = lifted(before.o, before.e1, right, kFactors[1]);
    if (kIsEdge && i == 0 && !from_.begins_odd) before.o1 = first_of(o1);
    if (kIsEdge && i == last_ && ends_even_) o1 = at_end(o1, lefts(before.o1, o1));
    const Floats e2 = lifted(before.e1, lefts(before.o1, o1), o1, kFactors[2]);
    store(even_, i, e2);
    if (!kIsEdge || i > 0) {
      store(odd_, i - 1, lifted(before.o1, before.e2, rights(before.e2, e2), kFactors[3]));
    } else if (from_.begins_odd) {
      const float o1_first = before.o1[0], e2_first = e2[0];
      odd_[-1] = o1_first + (e2_first + e2_first) * kFactors[3];
    }
    before.o1 = o1;
    before.e2 = e2;
  }

  const AcrossRow& from_;
  float* even_;
  float* odd_;
  const int16_t* high_;
  int last_;       // index of the last vector
  int last_lane_;  // lane of the last even sample
  bool ends_even_;
};

// The horizontal forward 9/7 transform in one pass, like InverseAcross.
template <class V>
class ForwardAcross {
 public:
  static void run(const RowToTransform& from, float* low, float* high) {
    from.even[from.evens] = from.even[from.evens - 1];  // mirrored for the first step
    ForwardAcross(from, low, high).run();
  }

 private:
  using Reg = typename V::Reg;
  using Floats = typename V::Floats;
  static constexpr int kStep = V::kBytes / 4;

  ForwardAcross(const RowToTransform& from, float* low, float* high)
      : even_(from.even),
        odd_(from.odd),
        low_(low),
        high_(high),
        last_((from.evens - 1) / kStep),
        last_lane_((from.evens - 1) % kStep),
        ends_even_(from.evens > from.odds) {}

  static Floats floats(Reg a) { return reinterpret_cast<Floats>(a); }
  static Reg reg(Floats a) { return reinterpret_cast<Reg>(a); }
  template <int kStepNumber>
  static Floats lifted(Floats center, Floats a, Floats b) {
    return center + (a + b) * -kInverseLiftingFactors[3 - kStepNumber];
  }
  // The right neighbours of the samples at the same position.
  static Floats rights(Floats here, Floats next) {
    return floats(V::shift_in_first32(reg(here), reg(next)));
  }
  // The left neighbours; for the first sample of the row, its right neighbour.
  template <bool kIsFirst>
  static Floats lefts(Floats before, Floats here) {
    if constexpr (kIsFirst) before = floats(V::first32_everywhere(reg(here)));
    return floats(V::shift_in_last32(reg(before), reg(here)));
  }
  // At the row's end `mirrored` replaces the missing sample.
  Floats at_end(Floats a, Floats mirrored) const {
    return floats(V::with_lane32(reg(a), reg(mirrored), last_lane_));
  }
  Floats even(int i) const { return floats(V::load(even_ + ptrdiff_t{kStep} * i)); }

  // Values of the previous vector, named as above, except that e belongs to the next one.
  struct Before {
    Floats e, o1, e1, o2;
  };

  void run() const {
    const Floats first = even(0);
    Before before{first, first, first, first};
    if (last_ == 0) {
      step<0, true>(0, before);
      return finish<true, true>(0, rights(before.e1, before.e1), before);
    }
    step<0, false>(0, before);
    if (last_ == 1) {
      step<1, true>(1, before);
    } else {
      step<1, false>(1, before);
      for (int i = 2; i < last_; ++i) step<2, false>(i, before);
      step<2, true>(last_, before);
    }
    finish<false, true>(last_, rights(before.e1, before.e1), before);
  }
  // The first two steps of vector i, and the remaining steps of the previous vector. `kPlace`: the
  // vector's index, where 2 stands for all from 2 on.
  template <int kPlace, bool kIsLast>
  [[gnu::always_inline]] void step(int i, Before& before) const {
    constexpr bool kIsFirst = kPlace == 0;
    const Floats e = before.e, next = even(i + 1);
    Floats o1 = lifted<0>(floats(V::load(odd_ + ptrdiff_t{kStep} * i)), e, rights(e, next));
    if (kIsLast && ends_even_) o1 = at_end(o1, lefts<kIsFirst>(before.o1, o1));
    const Floats e1 = lifted<1>(e, lefts<kIsFirst>(before.o1, o1), o1);
    if constexpr (!kIsFirst) finish<kPlace == 1, false>(i - 1, rights(before.e1, e1), before);
    before.e = next;
    before.o1 = o1;
    before.e1 = e1;
  }
  template <bool kIsFirst, bool kIsLast>
  [[gnu::always_inline]] void finish(int i, Floats right, Before& before) const {
    if (kIsLast && !ends_even_) right = at_end(right, before.e1);
    Floats o2 = lifted<2>(before.o1, before.e1, right);
    if (kIsLast && ends_even_) o2 = at_end(o2, lefts<kIsFirst>(before.o2, o2));
    const Floats e2 = lifted<3>(before.e1, lefts<kIsFirst>(before.o2, o2), o2);
    V::store(high_ + ptrdiff_t{kStep} * i, reg(o2));
    V::store(low_ + ptrdiff_t{kStep} * i, reg(e2));
    before.o2 = o2;
  }

  const float* even_;
  const float* odd_;
  float* low_;
  float* high_;
  int last_;       // index of the last vector
  int last_lane_;  // lane of the last even sample
  bool ends_even_;
};

}  // namespace codecs
