// Encodes one component of a picture: rows of samples in, coded blocks out. Internal to codecs/.
// All stages work row by row. Allocates only for sizes larger than any before.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "codecs/ht/ht_kernels.h"
#include "codecs/htj2k/htj2k_packets.h"
#include "codecs/htj2k/wavelet_rows.h"
#include "codecs/simd/kernels.h"

namespace codecs {

// The coded bytes of all blocks of a picture.
class CodedBytes {
 public:
  void clear() { size_ = 0; }
  // Returns space for one more code-block.
  uint8_t* next() {
    if (bytes_.size() - size_ < kHtMostCleanupBytes) {
      bytes_.resize(2 * bytes_.size() + kHtMostCleanupBytes);
    }
    return bytes_.data() + size_;
  }
  size_t add(size_t bytes) {
    size_ += bytes;
    return size_ - bytes;
  }
  std::span<const uint8_t> bytes() const { return std::span(bytes_).first(size_); }

 private:
  std::vector<uint8_t> bytes_;
  size_t size_ = 0;
};

// Collects rows of a band's quantised samples, and encodes each full row of code-blocks.
template <class Quantised>
class BandEncoder {
 public:
  void begin(int width, int height, int block_side, CodedBand& band) {
    width_ = width;
    stride_ = padded_count(width);
    rows_left_ = height;
    side_ = block_side;
    band_ = &band;
    band.across = (width + block_side - 1) / block_side;
    band.down = (height + block_side - 1) / block_side;
    if (band.count() > band.blocks.size()) band.blocks.resize(band.count());
    const size_t samples = static_cast<size_t>(stride_) * static_cast<size_t>(block_side);
    if (samples > rows_.size()) rows_.resize(samples);
    filled_ = 0;
    next_block_ = 0;
  }
  int width() const { return width_; }
  Quantised* next_row() { return rows_.data() + stride_ * filled_; }
  void arrive(const HtKernels& kernels, CodedBytes& bytes) {
    ++filled_;
    if (--rows_left_ == 0 || filled_ == side_) encode(kernels, bytes);
  }

 private:
  void encode(const HtKernels& kernels, CodedBytes& bytes) {
    for (int x = 0; x < width_; x += side_) {
      const HtBlock<const Quantised> block{rows_.data() + x, stride_, std::min(side_, width_ - x),
                                           filled_};
      const size_t size = ht_encode(kernels, block, bytes.next());
      band_->blocks[next_block_++] = {bytes.add(size), static_cast<uint32_t>(size)};
    }
    filled_ = 0;
  }

  int width_ = 0;
  ptrdiff_t stride_ = 0;
  int rows_left_ = 0;
  int side_ = 0;
  CodedBand* band_ = nullptr;
  AlignedVector<Quantised> rows_;
  int filled_ = 0;
  size_t next_block_ = 0;
};

// By resolution, then kind.
using CodedResolutions = std::vector<std::array<CodedBand, 4>>;

// `Sample` is float for 9/7, int32_t for 5/3; `Quantised` is int16_t if all bands have at most
// kHtMostPlanes16 planes, else int32_t.
template <class Sample, class Quantised>
class ComponentEncoder {
 public:
  explicit ComponentEncoder(const KernelSet& kernels)
      : transform_(*kernels.transform), coder_(*kernels.ht), rows_(wavelet(), Direction::kForward) {
    columns_.reserve(kMostJ2kLevels);
  }

  void begin(int width, int height, const Htj2kPicture& picture, CodedResolutions& coded) {
    picture_ = &picture;
    coded_ = &coded;
    coded.resize(static_cast<size_t>(picture.levels) + 1);
    if (levels_.size() < coded.size()) levels_.resize(coded.size());
    while (columns_.size() < coded.size()) columns_.emplace_back(wavelet(), Direction::kForward);
    double scale = 1;  // gain of the previous level's lowest band
    for (int level = 1; level <= picture.levels; ++level) {
      begin_level(level, width, height, scale);
      scale *= band_gain(false, width, false) * band_gain(false, height, false);
      width = (width + 1) / 2;
      height = (height + 1) / 2;
    }
    begin_band(picture.levels, kLowLow, width, height, scale);
  }

  // Encodes a row of level-shifted samples.
  void push(const Sample* row, CodedBytes& bytes) { push(1, row, bytes); }
  // Alternative: write a row's halves to next(), then call push_next(). Needs at least one level.
  RowHalves<Sample> next() { return columns_[1].next(); }
  void push_next(CodedBytes& bytes) { arrive(1, bytes); }

 private:
  struct Band {
    BandEncoder<Quantised> encoder;
    float per_step = 1;
  };
  struct Level {
    Run across;
    std::array<Band, 4> bands;
    AlignedVector<Sample> halves;  // a row after its transform
  };

  const WaveletKernels<Sample>& wavelet() const {
    if constexpr (std::is_same_v<Sample, float>) {
      return transform_.irreversible;
    } else {
      return transform_.reversible;
    }
  }
  Level& level_of(int level) { return levels_[static_cast<size_t>(level)]; }

  void begin_level(int level, int width, int height, double scale) {
    Level& here = level_of(level);
    here.across = {false, width};
    const Run down{false, height};
    columns_[static_cast<size_t>(level)].begin(here.across, down);
    const size_t wanted = 2 * row_half_size(here.across.evens());
    if (here.halves.size() < wanted) here.halves.resize(wanted);
    for (const BandKind kind : {kHighLow, kLowHigh, kHighHigh}) {
      const bool across_high = (kind & 1) != 0, down_high = (kind & 2) != 0;
      begin_band(
          level, kind, across_high ? here.across.odds() : here.across.evens(),
          down_high ? down.odds() : down.evens(),
          scale * band_gain(across_high, width, false) * band_gain(down_high, height, false));
    }
  }
  // `scale`: factor of the inverse transform.
  void begin_band(int level, BandKind kind, int width, int height, double scale) {
    const size_t resolution =
        static_cast<size_t>(kind == kLowLow ? 0 : picture_->levels - level + 1);
    const BandQuantiser& quantiser = picture_->quantisers[resolution][kind];
    CodedBand& coded = (*coded_)[resolution][kind];
    coded.planes = band_planes(quantiser, kGuardBits);
    Band& band = level_of(level).bands[kind];
    band.encoder.begin(width, height, 1 << picture_->block_side_log2, coded);
    band.per_step =
        static_cast<float>(1 / (scale * static_cast<double>(quantiser.step(picture_->bits, kind))));
  }

  void push(int level, const Sample* row, CodedBytes& bytes) {
    if (level > picture_->levels) return put(picture_->levels, kLowLow, row, bytes);
    auto& columns = columns_[static_cast<size_t>(level)];
    const RowHalves<Sample> to = columns.next();
    wavelet().split(row, padded_count(level_of(level).across.evens()), to.even, to.odd);
    arrive(level, bytes);
  }
  void arrive(int level, CodedBytes& bytes) {
    auto& columns = columns_[static_cast<size_t>(level)];
    columns.arrive();
    while (columns.has_ready()) {
      const bool high = columns.ready() % 2 != 0;
      transform_row(level, high, columns.take(), bytes);
    }
  }
  void transform_row(int level, bool high, const RowHalves<Sample>& from, CodedBytes& bytes) {
    Level& here = level_of(level);
    Sample* const even = here.halves.data() + kRowMargin;
    Sample* const odd = even + row_half_size(here.across.evens());
    run_across(here.across, from, {even, odd});
    put(level, high ? kHighHigh : kHighLow, odd, bytes);
    if (high) return put(level, kLowHigh, even, bytes);
    push(level + 1, even, bytes);
  }
  void run_across(const Run& across, const RowHalves<Sample>& from, const RowHalves<Sample>& to) {
    if constexpr (std::is_same_v<Sample, float>) {
      if (across.count > 1) {
        return wavelet().forward_across({from.even, from.odd, across.evens(), across.odds()},
                                        to.even, to.odd);
      }
    }
    rows_.run(across, from, to);
  }
  void put(int level, BandKind kind, const Sample* row, CodedBytes& bytes) {
    Level& here = level_of(level);
    Band& band = here.bands[kind];
    const int count = band.encoder.width();
    if (count == 0) return;
    if constexpr (std::is_same_v<Quantised, int16_t>) {
      wavelet().quantise16(row, padded_count(count), band.per_step, band.encoder.next_row());
    } else {
      wavelet().quantise32(row, padded_count(count), band.per_step, band.encoder.next_row());
    }
    band.encoder.arrive(coder_, bytes);
  }

  const TransformKernels& transform_;
  const HtKernels& coder_;
  RowTransform<Sample> rows_;
  const Htj2kPicture* picture_ = nullptr;
  CodedResolutions* coded_ = nullptr;
  std::vector<Level> levels_;  // [0]: the lowest band if there are no levels
  std::vector<ColumnTransform<Sample>> columns_;
};

}  // namespace codecs
