// One level of the wavelet transform, row by row: each row is processed as soon as the rows that it
// needs have arrived, so that all data stays in the cache. Internal to codecs/. Allocates only for
// rows wider than any before.
//
// A row is stored as two halves, one with the first, third, … sample and one with the others. Each
// half has a margin into which a lifting step writes the mirrored extension (F.3.7).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <vector>

#include "codecs/simd/wavelet_kernels.h"

namespace codecs {

// A std::vector that starts at a cache line, so that vector loads and stores from there on never
// cross one.
template <class T>
struct CacheLineAllocator {
  using value_type = T;
  static constexpr std::align_val_t kLine{64};

  CacheLineAllocator() = default;
  template <class U>
  CacheLineAllocator(const CacheLineAllocator<U>&) {}

  T* allocate(size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), kLine)); }
  void deallocate(T* memory, size_t) { ::operator delete(memory, kLine); }
  bool operator==(const CacheLineAllocator&) const = default;
};

template <class T>
using AlignedVector = std::vector<T, CacheLineAllocator<T>>;

enum class Direction { kForward, kInverse };

// The lifting steps of a transform. Forward, even-numbered steps change the samples at odd
// positions (from the picture's corner), odd-numbered steps those at even positions. Inverse: vice
// versa.
template <class Sample>
struct LiftingSteps;

template <>
struct LiftingSteps<float> {
  static constexpr int kCount = 4;
  static float step(Direction direction, int s) {
    return direction == Direction::kForward ? -kInverseLiftingFactors[kCount - 1 - s]
                                            : kInverseLiftingFactors[s];
  }
};

template <>
struct LiftingSteps<int32_t> {
  static constexpr int kCount = 2;
  static WholeStep step(Direction direction, int s) {
    const bool high = (direction == Direction::kForward) == (s == 0);
    return high ? WholeStep{0, 1, direction == Direction::kForward}
                : WholeStep{2, 2, direction == Direction::kInverse};
  }
};

// Start and length of a run of samples in a row, or of rows.
struct Run {
  bool begins_odd = false;
  int count = 0;

  int evens() const { return (count + (begins_odd ? 0 : 1)) / 2; }
  int odds() const { return count - evens(); }
};

// Memory of a row half with its margins.
constexpr size_t kRowMargin = kRowStep;
constexpr size_t row_half_size(int count) {
  return static_cast<size_t>(padded_count(count)) + 2 * kRowMargin;
}

template <class Sample>
struct RowHalves {
  Sample* even = nullptr;
  Sample* odd = nullptr;
};

// The horizontal steps of a row.
template <class Sample>
class RowTransform {
 public:
  RowTransform(const WaveletKernels<Sample>& kernels, Direction direction)
      : kernels_(kernels), direction_(direction) {}

  // Transforms `from` to `to`. All halves have margins, which are written in both.
  void run(const Run& run, const RowHalves<Sample>& from, const RowHalves<Sample>& to) const {
    using Steps = LiftingSteps<Sample>;
    if (run.count == 1) return copy_one(run, from, to);
    const Sample* even = from.even;
    const Sample* odd = from.odd;
    for (int s = 0; s < Steps::kCount; ++s) {
      const bool odds = (s % 2 == 0) == (direction_ == Direction::kForward);
      const int count = odds ? run.odds() : run.evens();
      const Sample* center = odds ? odd : even;
      Sample* const other = odds ? (s == 0 ? from.even : to.even) : (s == 0 ? from.odd : to.odd);
      const int others = run.count - count;
      Sample* const out = odds ? to.odd : to.even;
      // The neighbours of sample i are the other half's i − 1 and i, or i and i + 1.
      const bool begins = odds == run.begins_odd;
      const Sample* first = begins ? other - 1 : other;
      if (begins) other[-1] = other[0];
      other[others] = other[others - 1];
      kernels_.lift(out, center, first, first + 1, padded_count(count), Steps::step(direction_, s));
      (odds ? odd : even) = out;
    }
  }

 private:
  // A single sample is unchanged, or doubled if its position is odd (F.3.6, F.4.6). For 9/7 the
  // band gains include that factor.
  void copy_one(const Run& run, const RowHalves<Sample>& from, const RowHalves<Sample>& to) const {
    if (!run.begins_odd) {
      to.even[0] = from.even[0];
    } else if (std::is_same_v<Sample, float>) {
      to.odd[0] = from.odd[0];
    } else {
      to.odd[0] = direction_ == Direction::kForward ? from.odd[0] * 2 : from.odd[0] / 2;
    }
  }

  const WaveletKernels<Sample>& kernels_;
  Direction direction_;
};

// The vertical steps. Rows are written to next() one after another; finished rows are taken.
template <class Sample>
class ColumnTransform {
 public:
  ColumnTransform(const WaveletKernels<Sample>& kernels, Direction direction)
      : kernels_(kernels), direction_(direction) {}

  void begin(const Run& across, const Run& down) {
    down_ = down;
    const size_t half = row_half_size(std::max(across.evens(), across.odds()));
    // The gap between the halves takes part in the steps, so it is initialised with zeros.
    if (half != half_) memory_.assign(kRing * 2 * half, Sample{});
    half_ = half;
    arrived_ = 0;
    done_ = 0;
    ready_ = 0;
  }

  // Destination of the next row.
  RowHalves<Sample> next() { return row(arrived_); }
  void arrive() {
    step();
    if (arrived_ == down_.count) {
      while (ready_ < down_.count) step();
    }
  }
  bool has_ready() const { return done_ < ready_; }
  // The next finished row's number, and the row, valid until the second arrival from now.
  int ready() const { return done_; }
  RowHalves<Sample> take() { return row(done_++); }

 private:
  using Steps = LiftingSteps<Sample>;
  static constexpr int kRing = 8;

  RowHalves<Sample> row(int i) {
    Sample* const at = memory_.data() + 2 * half_ * static_cast<size_t>(i % kRing) + kRowMargin;
    return {at, at + half_};
  }
  // From a row's first sample to its last, including the gap between its halves.
  Sample* whole(int i) { return row(i).even; }
  size_t whole_count() const { return 2 * (half_ - kRowMargin); }

  // Handles the arrival of row `arrived_`, which may lie below the last row.
  void step() {
    const int newest = arrived_++;
    if (down_.count == 1) {
      if (down_.begins_odd) change_one();
      ready_ = 1;
      return;
    }
    const bool changes_odd = direction_ == Direction::kForward;
    const bool above_is_odd = ((newest - 1) % 2 != 0) != down_.begins_odd;
    if (above_is_odd != changes_odd) return;
    lift(newest);
    ready_ = std::clamp(newest - Steps::kCount + 2, ready_, down_.count);
  }

  // A single row, as in RowTransform.
  void change_one() {
    if constexpr (!std::is_same_v<Sample, float>) {
      const bool forward = direction_ == Direction::kForward;
      for (size_t i = 0; i < whole_count(); ++i) {
        Sample& sample = whole(0)[i];
        sample = forward ? sample * 2 : sample / 2;
      }
    }
  }

  void lift(int newest) {
    const auto count = static_cast<int>(whole_count());
    if constexpr (Steps::kCount == 4) {
      if (newest >= 5 && newest < down_.count) {
        Sample* const rows[] = {whole(newest),     whole(newest - 1), whole(newest - 2),
                                whole(newest - 3), whole(newest - 4), whole(newest - 5)};
        const Sample factors[] = {Steps::step(direction_, 0), Steps::step(direction_, 1),
                                  Steps::step(direction_, 2), Steps::step(direction_, 3)};
        return kernels_.lift_four(rows, count, factors);
      }
    }
    for (int s = 0; s < Steps::kCount; ++s) {
      const int at = newest - 1 - s;
      if (at < 0 || at >= down_.count) continue;
      const int above = at > 0 ? at - 1 : 1, below = at + 1 < down_.count ? at + 1 : at - 1;
      kernels_.lift(whole(at), whole(at), whole(above), whole(below), count,
                    Steps::step(direction_, s));
    }
  }

  const WaveletKernels<Sample>& kernels_;
  Direction direction_;
  Run down_;
  size_t half_ = 0;
  AlignedVector<Sample> memory_;
  int arrived_ = 0;
  int ready_ = 0;  // rows with all steps done
  int done_ = 0;   // rows taken
};

}  // namespace codecs
