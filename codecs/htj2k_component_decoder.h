// One component of a J2K tile: coded blocks in, rows of samples out, each as it is asked for.
// Internal to codecs/. Memory is taken only for what is larger than any before.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "codecs/aligned_vector.h"
#include "codecs/ht_kernels.h"
#include "codecs/htj2k_tile.h"
#include "codecs/kernels.h"
#include "codecs/wavelet_rows.h"

namespace codecs {

// Rows of a band, decoded by rows of code-blocks. `Halves`: int16_t where all bands have at most
// kHtMostPlanes16 planes, else int32_t.
template <class Halves>
class BandDecoder {
 public:
  void begin(const TileBand& band, bool stripe_causal) {
    band_ = &band;
    stripe_causal_ = stripe_causal;
    next_ = 0;
    filled_ = 0;
    taken_ = 0;
    stride_ = padded_count(band.area.width());
    const size_t samples = static_cast<size_t>(stride_)
                           << std::min(band.block_height_log2, kMostBlockHeightLog2);
    constexpr size_t kBehind = kRowStep;  // of the last row
    if (!band.area.is_empty() && samples + kBehind > rows_.size()) {
      rows_.resize(samples + kBehind);
    }
  }
  // Null when a code-block is broken.
  const Halves* next_row(const HtKernels& kernels, Htj2kTile& tile) {
    if (taken_ == filled_ && !decode(kernels, tile)) return nullptr;
    return rows_.data() + ptrdiff_t{stride_} * taken_++;
  }
  int width() const { return band_->area.width(); }

 private:
  static constexpr int kMostBlockHeightLog2 = 10;

  bool decode(const HtKernels& kernels, Htj2kTile& tile) {
    const int top =
        std::max((band_->first_row() + next_) << band_->block_height_log2, band_->area.y0);
    const int bottom =
        std::min((band_->first_row() + next_ + 1) << band_->block_height_log2, band_->area.y1);
    filled_ = bottom - top;
    taken_ = 0;
    for (int i = 0; i < band_->across;) {
      // Two at once, where the kernel is made for that.
      const bool two = i + 1 < band_->across && tile.block(*band_, i, next_).passes > 0 &&
                       tile.block(*band_, i + 1, next_).passes > 0;
      if (!(two ? decode_two(kernels, tile, i) : decode_one(kernels, tile, i))) return false;
      i += two ? 2 : 1;
    }
    ++next_;
    return true;
  }
  HtBlock<Halves> to(int i) {
    const int column = (band_->first_column() + i) << band_->block_width_log2;
    const int left = std::max(column, band_->area.x0);
    const int right = std::min(column + (1 << band_->block_width_log2), band_->area.x1);
    return {rows_.data() + (left - band_->area.x0), stride_, right - left, filled_};
  }
  HtCodedBlock coded(Htj2kTile& tile, int i) const {
    const TileBlock& block = tile.block(*band_, i, next_);
    return {.cleanup = block.cleanup,
            .refinement = block.refinement,
            .passes = block.passes,
            .planes = band_->planes,
            .zero_planes = block.zero_planes,
            .stripe_causal = stripe_causal_};
  }
  bool decode_one(const HtKernels& kernels, Htj2kTile& tile, int i) {
    const HtBlock<Halves> block = to(i);
    if (tile.block(*band_, i, next_).passes > 0) return ht_decode(kernels, coded(tile, i), block);
    for (int y = 0; y < block.height; ++y) {
      std::fill_n(block.samples + y * block.stride, block.width, Halves{});
    }
    return true;
  }
  bool decode_two(const HtKernels& kernels, Htj2kTile& tile, int i) {
    const HtCodedBlock both[] = {coded(tile, i), coded(tile, i + 1)};
    const HtBlock<Halves> blocks[] = {to(i), to(i + 1)};
    return ht_decode_two(kernels, both, blocks);
  }

  const TileBand* band_ = nullptr;
  bool stripe_causal_ = false;
  int stride_ = 0;
  int next_ = 0;    // row of code-blocks
  int filled_ = 0;  // rows of samples
  int taken_ = 0;
  AlignedVector<Halves> rows_;
};

// `Sample` is float for 9/7, int32_t for 5/3.
template <class Sample, class Halves>
class ComponentDecoder {
 public:
  explicit ComponentDecoder(const KernelSet& kernels)
      : transform_(*kernels.transform), coder_(*kernels.ht), rows_(wavelet(), Direction::kInverse) {
    columns_.reserve(kMostJ2kLevels + 1);
  }

  // Of the picture halved `reduction` times.
  void begin(Htj2kTile& tile, int component, int reduction) {
    tile_ = &tile;
    component_ = component;
    last_ = reduction + 1;
    const int levels = tile.levels(component);
    const auto count = static_cast<size_t>(levels) + 1;
    if (levels_.size() < count) levels_.resize(count);
    while (columns_.size() < count) columns_.emplace_back(wavelet(), Direction::kInverse);
    double scale = 1;
    for (int level = last_; level <= levels; ++level) begin_level(level, scale);
    begin_band(levels, 0, kLowLow, scale);
    const int width = tile.resolution(component, levels - reduction).area.width();
    if (lowest_.size() < row_half_size(width)) lowest_.resize(row_half_size(width));
  }

  // Null when a code-block is broken.
  const Sample* next_row() { return next_row(last_); }
  // Instead: its halves, that of the first, third, … sample first. Where there is a level.
  bool has_halves() const { return last_ <= tile_->levels(component_); }
  RowHalves<Sample> next_halves() { return next_halves(last_); }

 private:
  struct Band {
    BandDecoder<Halves> decoder;
    float half_step = 1;
  };
  struct Level {
    Run across, down;
    int arrived = 0;
    std::array<Band, 4> bands;
    AlignedVector<Sample> halves;  // of a row to be transformed
    AlignedVector<Sample> row;
  };

  const WaveletKernels<Sample>& wavelet() const {
    if constexpr (std::is_same_v<Sample, float>) {
      return transform_.irreversible;
    } else {
      return transform_.reversible;
    }
  }
  Level& level_of(int level) { return levels_[static_cast<size_t>(level)]; }

  void begin_level(int level, double& scale) {
    Level& here = level_of(level);
    const int levels = tile_->levels(component_);
    const Area& area = tile_->resolution(component_, levels - level + 1).area;
    here.across = {area.x0 % 2 != 0, std::max(area.width(), 0)};
    here.down = {area.y0 % 2 != 0, std::max(area.height(), 0)};
    here.arrived = 0;
    columns_[static_cast<size_t>(level)].begin(here.across, here.down);
    const auto grow = [](AlignedVector<Sample>& samples, size_t count) {
      if (samples.size() < count) samples.resize(count);
    };
    grow(here.halves, 2 * row_half_size(std::max(here.across.evens(), here.across.odds())));
    grow(here.row, 2 * row_half_size((here.across.count + 1) / 2));
    for (const BandKind kind : {kHighLow, kLowHigh, kHighHigh}) {
      begin_band(level, levels - level + 1, kind,
                 scale * gain((kind & 1) != 0, here.across) * gain((kind & 2) != 0, here.down));
    }
    scale *= gain(false, here.across) * gain(false, here.down);
  }
  static double gain(bool high, const Run& run) {
    return band_gain(high, run.count, run.begins_odd);
  }
  void begin_band(int level, int resolution, BandKind kind, double scale) {
    Band& band = level_of(level).bands[kind];
    const J2kCoding& coding = tile_->coding();
    band.decoder.begin(tile_->resolution(component_, resolution).bands[kind],
                       coding.component(component_).stripe_causal);
    const float step =
        coding.quantiser(component_, resolution, kind).step(tile_->header().shape.bits, kind);
    band.half_step = static_cast<float>(0.5 * scale * static_cast<double>(step));
  }

  // A row of the picture before the level's step.
  const Sample* next_row(int level) {
    const int levels = tile_->levels(component_);
    if (level > levels) {
      return restore(levels, kLowLow, lowest_.data()) ? lowest_.data() : nullptr;
    }
    const RowHalves<Sample> row = next_halves(level);
    if (row.even == nullptr) return nullptr;
    Level& here = level_of(level);
    wavelet().merge(row.even, row.odd, padded_count((here.across.count + 1) / 2), here.row.data());
    return here.row.data();
  }
  // The first half stands as the even one.
  RowHalves<Sample> next_halves(int level) {
    auto& columns = columns_[static_cast<size_t>(level)];
    while (!columns.has_ready()) {
      if (!put_row(level, columns.next())) return {};
      columns.arrive();
    }
    const RowHalves<Sample> row = columns.take();
    if (!level_of(level).across.begins_odd) return row;
    return {row.odd, row.even};
  }
  bool put_row(int level, const RowHalves<Sample>& to) {
    Level& here = level_of(level);
    const bool high = (here.arrived++ % 2 != 0) != here.down.begins_odd;
    if constexpr (std::is_same_v<Sample, float> && std::is_same_v<Halves, int16_t>) {
      if (here.across.count > 1) return put_at_once(level, high, to);
    }
    Sample* const even = here.halves.data() + kRowMargin;
    Sample* const odd = even + here.halves.size() / 2;
    RowHalves<Sample> from{even, odd};
    if (high) {
      if (!restore(level, kLowHigh, even)) return false;
    } else if (here.across.evens() > 0) {
      // The step across changes only what it is given margins for.
      from.even = const_cast<Sample*>(next_row(level + 1));
      if (from.even == nullptr) return false;
    }
    if (!restore(level, high ? kHighHigh : kHighLow, odd)) return false;
    rows_.run(here.across, from, to);
    return true;
  }
  bool put_at_once(int level, bool high, const RowHalves<Sample>& to) {
    Level& here = level_of(level);
    const auto halves = [&](BandKind kind) {
      return here.bands[kind].decoder.next_row(coder_, *tile_);
    };
    AcrossRow from;
    from.evens = here.across.evens();
    from.odds = here.across.odds();
    from.begins_odd = here.across.begins_odd;
    if (high) {
      from.low_halves = halves(kLowHigh);
      from.low_step = here.bands[kLowHigh].half_step;
    } else {
      from.low = next_row(level + 1);
    }
    if (from.low_halves == nullptr && from.low == nullptr) return false;
    const BandKind kind = high ? kHighHigh : kHighLow;
    from.high_halves = halves(kind);
    from.high_step = here.bands[kind].half_step;
    if (from.high_halves == nullptr) return false;
    wavelet().inverse_across(from, to.even, to.odd);
    return true;
  }
  bool restore(int level, BandKind kind, Sample* row) {
    Band& band = level_of(level).bands[kind];
    const int count = band.decoder.width();
    if (count <= 0) return true;
    const Halves* const halves = band.decoder.next_row(coder_, *tile_);
    if (halves == nullptr) return false;
    if constexpr (std::is_same_v<Halves, int16_t>) {
      wavelet().restore16(halves, padded_count(count), band.half_step, row);
    } else {
      wavelet().restore32(halves, padded_count(count), band.half_step, row);
    }
    return true;
  }

  const TransformKernels& transform_;
  const HtKernels& coder_;
  RowTransform<Sample> rows_;
  Htj2kTile* tile_ = nullptr;
  int component_ = 0;
  int last_ = 1;  // the level whose step is the last
  std::vector<Level> levels_;
  std::vector<ColumnTransform<Sample>> columns_;
  AlignedVector<Sample> lowest_;
};

}  // namespace codecs
