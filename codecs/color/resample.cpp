#include "codecs/color/resample.h"

#include <algorithm>
#include <cstring>

#include "codecs/simd/kernels.h"

namespace codecs {
namespace {

ColumnTaps column_taps(std::span<const Tap> taps) {
  ColumnTaps columns{taps.data(), static_cast<int>(taps.size()), taps[0].first, taps[0].first};
  for (const Tap& tap : taps) {
    columns.first_column = std::min(columns.first_column, tap.first);
    columns.last_column = std::max(columns.last_column, tap.second);
  }
  return columns;
}

// Whether the output columns are consecutive source columns: rows then need no scaling.
bool is_copy(std::span<const Tap> taps) {
  for (size_t i = 0; i < taps.size(); ++i) {
    const bool one_source = taps[i].weight == 0 || taps[i].first == taps[i].second;
    if (!one_source || taps[i].first != taps[0].first + static_cast<int>(i)) return false;
  }
  return true;
}

// Caches the last two source rows, scaled horizontally: output proceeds downwards, so each source
// row is scaled once.
class ScaledRows {
 public:
  ScaledRows(const uint8_t* source, ptrdiff_t stride, std::span<const Tap> columns,
             std::span<uint8_t> scratch, ScaleRow scale_row)
      : source_(source),
        stride_(stride),
        columns_(column_taps(columns)),
        copy_(is_copy(columns)),
        rows_{scratch.data(), scratch.data() + columns.size() * 4},
        scale_row_(scale_row) {}

  // The pointer is valid until the second following call for another row.
  const uint8_t* row(int32_t y) {
    const uint8_t* from = source_ + stride_ * y;
    if (copy_) return from + ptrdiff_t{4} * columns_.first_column;
    if (held_[newest_] == y) return rows_[newest_];
    newest_ = 1 - newest_;
    if (held_[newest_] != y) {
      scale_row_(from, columns_, rows_[newest_]);
      held_[newest_] = y;
    }
    return rows_[newest_];
  }

 private:
  const uint8_t* source_;
  ptrdiff_t stride_;
  ColumnTaps columns_;
  bool copy_;
  uint8_t* rows_[2];
  ScaleRow scale_row_;
  int32_t held_[2] = {-1, -1};
  int newest_ = 0;
};

}  // namespace

void resample_bilinear(const uint8_t* source, ptrdiff_t source_stride, std::span<const Tap> columns,
                       std::span<const Tap> rows, std::span<uint8_t> scratch, BgraTarget target,
                       CpuLevel cpu) {
  if (columns.empty()) return;
  const KernelSet& kernels = kernels_for(cpu);
  const size_t row_bytes = columns.size() * 4;
  ScaledRows scaled(source, source_stride, columns, scratch, kernels.scale_row);
  uint8_t* out = target.pixels;
  for (const Tap& tap : rows) {
    if (tap.weight == 0 || tap.first == tap.second) {
      std::memcpy(out, scaled.row(tap.first), row_bytes);
    } else {
      const uint8_t* upper = scaled.row(tap.first);
      const uint8_t* lower = scaled.row(tap.second);
      kernels.blend_rows(upper, lower, tap.weight, row_bytes, out);
    }
    out += target.stride;
  }
}

}  // namespace codecs
