// Decodes one component of a J2K tile: coded blocks in, rows of samples out on demand. Internal to
// codecs/. Allocates only for sizes larger than any before.
//
// If only a part is wanted, each level transforms that part and the surrounding samples that the
// lifting steps reach; only the code-blocks that hold those are decoded. The outermost samples come
// out wrong, but no wanted sample depends on them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "codecs/ht/ht_kernels.h"
#include "codecs/htj2k/htj2k_tile.h"
#include "codecs/htj2k/wavelet_rows.h"
#include "codecs/simd/kernels.h"

namespace codecs {

// A code-block, and the destination of its samples.
template <class Halves>
struct BlockToDecode {
  HtCodedBlock coded;
  HtBlock<Halves> samples;
};

// Provides rows of a band; decodes one row of code-blocks at a time. `Halves`: int16_t if all bands
// have at most kHtMostPlanes16 planes, else int32_t.
template <class Halves>
class BandDecoder {
 public:
  // Starts with the wanted part, which lies within the band.
  void begin(const TileBand& band, const Area& wanted, bool stripe_causal) {
    band_ = &band;
    wanted_ = wanted;
    stripe_causal_ = stripe_causal;
    end();
    if (wanted.is_empty()) return;
    const int last_column = (wanted.x1 - 1) >> band.block_width_log2;
    const int last_row = (wanted.y1 - 1) >> band.block_height_log2;
    first_ = (wanted.x0 >> band.block_width_log2) - band.first_column();
    end_ = last_column + 1 - band.first_column();
    next_ = (wanted.y0 >> band.block_height_log2) - band.first_row();
    end_row_ = last_row + 1 - band.first_row();
    left_ = left_of(first_);
    stride_ = padded_count(right_of(end_ - 1) - left_);
    const size_t samples = static_cast<size_t>(stride_)
                           << std::min(band.block_height_log2, kMostBlockHeightLog2);
    constexpr size_t kBehind = kRowStep;  // after the last row
    if (samples + kBehind > rows_.size()) rows_.resize(samples + kBehind);
  }
  // Ends the band, or marks it as empty.
  void end() { next_ = end_row_ = filled_ = taken_ = 0; }

  // Whether all decoded rows were taken.
  bool is_taken() const { return taken_ == filled_; }
  // Adds the next row of code-blocks, if any. They must be decoded before rows are taken.
  void add_next(Htj2kTile& tile, std::vector<BlockToDecode<Halves>>& blocks) {
    if (next_ == end_row_) return;
    const int top =
        std::max((band_->first_row() + next_) << band_->block_height_log2, band_->area.y0);
    const int bottom =
        std::min((band_->first_row() + next_ + 1) << band_->block_height_log2, band_->area.y1);
    filled_ = bottom - top;
    taken_ = std::max(wanted_.y0 - top, 0);
    for (int i = first_; i < end_; ++i) add(tile.block(*band_, i, next_), i, blocks);
    ++next_;
  }
  const Halves* next_row() {
    return rows_.data() + ptrdiff_t{stride_} * taken_++ + (wanted_.x0 - left_);
  }
  int width() const { return wanted_.width(); }

 private:
  static constexpr int kMostBlockHeightLog2 = 10;

  // Horizontal edges of a column of code-blocks.
  int left_of(int i) const {
    return std::max((band_->first_column() + i) << band_->block_width_log2, band_->area.x0);
  }
  int right_of(int i) const {
    return std::min((band_->first_column() + i + 1) << band_->block_width_log2, band_->area.x1);
  }
  void add(const TileBlock& block, int i, std::vector<BlockToDecode<Halves>>& blocks) {
    const int left = left_of(i);
    const HtBlock<Halves> to{rows_.data() + (left - left_), stride_, right_of(i) - left, filled_};
    if (block.passes == 0) {
      for (int y = 0; y < to.height; ++y) {
        std::fill_n(to.samples + y * to.stride, to.width, Halves{});
      }
      return;
    }
    blocks.push_back({{.cleanup = block.cleanup,
                       .refinement = block.refinement,
                       .passes = block.passes,
                       .planes = band_->planes,
                       .zero_planes = block.zero_planes,
                       .stripe_causal = stripe_causal_},
                      to});
  }

  const TileBand* band_ = nullptr;
  Area wanted_;
  bool stripe_causal_ = false;
  int first_ = 0, end_ = 0;  // columns of code-blocks
  int left_ = 0;             // left edge of their samples
  int stride_ = 0;
  int next_ = 0, end_row_ = 0;  // rows of code-blocks
  int filled_ = 0;              // rows of samples
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

  // Starts decoding a part of the picture halved `reduction` times: a non-empty part of the tile.
  void begin(Htj2kTile& tile, int component, int reduction, const Area& wanted) {
    tile_ = &tile;
    component_ = component;
    last_ = reduction + 1;
    const int levels = tile.levels(component);
    const auto count = static_cast<size_t>(levels) + 1;
    if (levels_.size() < count) levels_.resize(count);
    while (columns_.size() < count) columns_.emplace_back(wavelet(), Direction::kInverse);
    for (Level& level : levels_) {
      for (Band& band : level.bands) band.decoder.end();
    }
    double scale = 1;
    Area lowest = wanted;
    for (int level = last_; level <= levels; ++level) lowest = begin_level(level, lowest, scale);
    begin_band(levels, 0, kLowLow, lowest, scale);
    grow(lowest_, row_half_size(std::max(lowest.width(), 0)));
  }

  // Null if a code-block is invalid.
  const Sample* next_row() { return next_row(last_); }
  // next_halves() returns the two halves of the next row instead: `even` has the first, third, …
  // sample. Requires has_halves(): there is at least one level to transform.
  bool has_halves() const { return last_ <= tile_->levels(component_); }
  RowHalves<Sample> next_halves() { return next_halves(last_); }

 private:
  struct Band {
    BandDecoder<Halves> decoder;
    float half_step = 1;
  };
  struct Level {
    Run across, down;         // extent of the transformed area
    int left = 0, above = 0;  // margin left of the wanted part; rows above it still to skip
    int wanted_width = 0;
    int arrived = 0;
    std::array<Band, 4> bands;
    AlignedVector<Sample> halves;  // a row before its transform
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

  static void grow(AlignedVector<Sample>& samples, size_t count) {
    if (samples.size() < count) samples.resize(count);
  }

  // The area that must be transformed for the wanted one.
  static Area reached(const Area& wanted, const Area& all) {
    constexpr int kReach = LiftingSteps<Sample>::kCount;
    const auto from = [](int at, int begin) { return std::max((at - kReach) & ~1, begin); };
    return {from(wanted.x0, all.x0), from(wanted.y0, all.y0), std::min(wanted.x1 + kReach, all.x1),
            std::min(wanted.y1 + kReach, all.y1)};
  }
  // The corresponding area of a band of the next level.
  static Area part_of(const Area& area, BandKind kind) {
    const auto across = [kind](int at) {
      return static_cast<int>(band_edge(at, 1, (kind & 1) != 0));
    };
    const auto down = [kind](int at) {
      return static_cast<int>(band_edge(at, 1, (kind & 2) != 0));
    };
    return {across(area.x0), down(area.y0), across(area.x1), down(area.y1)};
  }

  // Returns the area that is needed of the lowest band.
  Area begin_level(int level, const Area& wanted, double& scale) {
    Level& here = level_of(level);
    const int resolution = tile_->levels(component_) - level + 1;
    const Area area = reached(wanted, tile_->resolution(component_, resolution).area);
    here.across = {area.x0 % 2 != 0, area.width()};
    here.down = {area.y0 % 2 != 0, area.height()};
    here.left = wanted.x0 - area.x0;
    here.above = wanted.y0 - area.y0;
    here.wanted_width = wanted.width();
    here.arrived = 0;
    columns_[static_cast<size_t>(level)].begin(here.across, here.down);
    grow(here.halves, 2 * row_half_size(std::max(here.across.evens(), here.across.odds())));
    grow(here.row, 2 * row_half_size((here.wanted_width + 1) / 2));
    for (const BandKind kind : {kHighLow, kLowHigh, kHighHigh}) {
      begin_band(level, resolution, kind, part_of(area, kind),
                 scale * gain((kind & 1) != 0, here.across) * gain((kind & 2) != 0, here.down));
    }
    scale *= gain(false, here.across) * gain(false, here.down);
    return part_of(area, kLowLow);
  }
  static double gain(bool high, const Run& run) {
    return band_gain(high, run.count, run.begins_odd);
  }
  void begin_band(int level, int resolution, BandKind kind, const Area& wanted, double scale) {
    Band& band = level_of(level).bands[kind];
    const J2kCoding& coding = tile_->coding();
    band.decoder.begin(tile_->resolution(component_, resolution).bands[kind], wanted,
                       coding.component(component_).stripe_causal);
    const float step =
        coding.quantiser(component_, resolution, kind).step(tile_->header().shape.bits, kind);
    band.half_step = static_cast<float>(0.5 * scale * static_cast<double>(step));
  }

  // A row of the picture before this level's transform, or null.
  const Sample* next_row(int level) {
    const int levels = tile_->levels(component_);
    if (level > levels) {
      return restore(levels, kLowLow, lowest_.data()) ? lowest_.data() : nullptr;
    }
    const RowHalves<Sample> row = next_halves(level);
    if (row.even == nullptr) return nullptr;
    Level& here = level_of(level);
    wavelet().merge(row.even, row.odd, padded_count((here.wanted_width + 1) / 2), here.row.data());
    return here.row.data();
  }
  // The half with the first sample is returned as the even one.
  RowHalves<Sample> next_halves(int level) {
    Level& here = level_of(level);
    for (;;) {
      const RowHalves<Sample> row = next_transformed(level);
      if (row.even == nullptr) return {};
      if (here.above > 0) {
        --here.above;
        continue;
      }
      Sample* const first = here.across.begins_odd ? row.odd : row.even;
      Sample* const second = here.across.begins_odd ? row.even : row.odd;
      const int pairs = here.left / 2;
      if (here.left % 2 == 0) return {first + pairs, second + pairs};
      return {second + pairs, first + pairs + 1};
    }
  }
  RowHalves<Sample> next_transformed(int level) {
    auto& columns = columns_[static_cast<size_t>(level)];
    while (!columns.has_ready()) {
      if (!put_row(level, columns.next())) return {};
      columns.arrive();
    }
    return columns.take();
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
      // The horizontal transform writes only to the margins of `from`.
      from.even = const_cast<Sample*>(next_row(level + 1));
      if (from.even == nullptr) return false;
    }
    if (!restore(level, high ? kHighHigh : kHighLow, odd)) return false;
    rows_.run(here.across, from, to);
    return true;
  }
  bool put_at_once(int level, bool high, const RowHalves<Sample>& to) {
    Level& here = level_of(level);
    const auto halves = [&](BandKind kind) { return next_band_row(here, kind); };
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
  // Null if a code-block is invalid.
  const Halves* next_band_row(Level& here, BandKind kind) {
    BandDecoder<Halves>& decoder = here.bands[kind].decoder;
    if (decoder.is_taken() && !decode_blocks(here)) return nullptr;
    return decoder.next_row();
  }
  // Decodes the next code-blocks of all bands that need some, usually all of the level: two at a
  // time for the interleaved kernel.
  bool decode_blocks(Level& here) {
    blocks_.clear();
    for (Band& band : here.bands) {
      if (band.decoder.is_taken()) band.decoder.add_next(*tile_, blocks_);
    }
    size_t i = 0;
    for (; i + 1 < blocks_.size(); i += 2) {
      const HtCodedBlock both[] = {blocks_[i].coded, blocks_[i + 1].coded};
      const HtBlock<Halves> samples[] = {blocks_[i].samples, blocks_[i + 1].samples};
      if (!ht_decode_two(coder_, both, samples)) return false;
    }
    return i == blocks_.size() || ht_decode(coder_, blocks_[i].coded, blocks_[i].samples);
  }
  bool restore(int level, BandKind kind, Sample* row) {
    Level& here = level_of(level);
    const Band& band = here.bands[kind];
    const int count = band.decoder.width();
    if (count <= 0) return true;
    const Halves* const halves = next_band_row(here, kind);
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
  int last_ = 1;  // the level that is transformed last
  std::vector<Level> levels_;
  std::vector<ColumnTransform<Sample>> columns_;
  AlignedVector<Sample> lowest_;
  std::vector<BlockToDecode<Halves>> blocks_;  // reused
};

}  // namespace codecs
