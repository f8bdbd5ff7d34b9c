// Loops of wavelet_kernels.h that a compiler does not make vectors of.
#pragma once

#include "codecs/wavelet_kernels.h"

namespace codecs {

// A row of the inverse 9/7 transform in one pass: each step is done for a vector as soon as the one
// before it is done for the next vector, and all that is between stays in registers.
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

  // Where the row begins with an odd sample, that is the one before the first vector's.
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
  // The samples to the left, or right, of those at the same place.
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
  // At the row's end `mirrored` stands for what is not there.
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

  // Names: e and o: even and odd samples; 1, 2: of which so many steps are done; all of the vector
  // before.
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
  // What is to the right of the last vector's samples.
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
  // The second step of vector i, the third, and the last of the vector before.
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
  int last_;       // vector
  int last_lane_;  // of an even sample
  bool ends_even_;
};

// The forward transform likewise.
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
  // To the right of the samples at the same place.
  static Floats rights(Floats here, Floats next) {
    return floats(V::shift_in_first32(reg(here), reg(next)));
  }
  // To the left; to that of the first one is what is to its right.
  template <bool kIsFirst>
  static Floats lefts(Floats before, Floats here) {
    if constexpr (kIsFirst) before = floats(V::first32_everywhere(reg(here)));
    return floats(V::shift_in_last32(reg(before), reg(here)));
  }
  // At the row's end `mirrored` stands for what is not there.
  Floats at_end(Floats a, Floats mirrored) const {
    return floats(V::with_lane32(reg(a), reg(mirrored), last_lane_));
  }
  Floats even(int i) const { return floats(V::load(even_ + ptrdiff_t{kStep} * i)); }

  // Names as above. All of the vector before, but e: of the next one.
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
  // The first two steps of vector i, and the others of the one before. `kPlace`: 2 stands for all
  // from there on.
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
  int last_;       // vector
  int last_lane_;  // of an even sample
  bool ends_even_;
};

}  // namespace codecs
