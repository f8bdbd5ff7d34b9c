#include "codecs/color/scaling.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "codecs/color/convert.h"
#include "codecs/simd/kernels.h"

namespace codecs {
namespace {

// Source columns per piece: the converted pixels stay in the first-level cache.
constexpr int kPieceColumns = 256;

// Four-byte pixels of the frame, or converted from it.
struct Piece {
  const uint8_t* pixels;
  ptrdiff_t stride;
  int width;
  int height;
  ChannelOrder order;
};

class RowConverter {
 public:
  RowConverter(const ImageView& frame, CpuLevel cpu) : frame_(frame), cpu_(cpu) {}

  Piece piece(int x, int y, int width, int height) {
    if (frame_.format == PixelFormat::kRgba || frame_.format == PixelFormat::kBgra) {
      return {frame_.planes[0] + frame_.strides[0] * y + kBgraBytes * x, frame_.strides[0], width,
              height,
              frame_.format == PixelFormat::kRgba ? ChannelOrder::kRgba : ChannelOrder::kBgra};
    }
    convert_to_bgra(frame_, x, y, width, height, {pixels_[0], sizeof(pixels_[0])}, cpu_);
    return {pixels_[0], sizeof(pixels_[0]), width, height, ChannelOrder::kBgra};
  }

 private:
  const ImageView& frame_;
  CpuLevel cpu_;
  alignas(64) uint8_t pixels_[1 << kMaxReduction][kPieceColumns * kBgraBytes];
};

// Writes the mean of the part of a square inside the piece; the square begins at column x.
void reduce_cut_square(const Piece& piece, int x, int side, uint8_t* bgra) {
  const int width = std::min(side, piece.width - x);
  const int area = width * piece.height;
  int sums[kBgraBytes] = {};
  for (int row = 0; row < piece.height; ++row) {
    const uint8_t* from = piece.pixels + piece.stride * row + kBgraBytes * x;
    for (int i = 0; i < kBgraBytes * width; ++i) sums[i % kBgraBytes] += from[i];
  }
  if (piece.order == ChannelOrder::kRgba) std::swap(sums[0], sums[2]);
  for (int c = 0; c < kBgraBytes; ++c) {
    bgra[c] = static_cast<uint8_t>((sums[c] + area / 2) / area);
  }
}

void reduce_piece(const Piece& piece, int reduction, ReduceRow reduce_row, uint8_t* bgra) {
  const int side = 1 << reduction;
  const int whole = piece.height == side ? piece.width >> reduction : 0;
  if (whole > 0) {
    reduce_row({piece.pixels, piece.stride, reduction, whole, piece.order}, bgra);
  }
  for (int i = whole; i << reduction < piece.width; ++i) {
    reduce_cut_square(piece, i << reduction, side, bgra + kBgraBytes * i);
  }
}

}  // namespace

void reduce_to_bgra(const ImageView& frame, int reduction, int x, int y, int width, int height,
                    BgraTarget target, CpuLevel cpu) {
  const ReduceRow reduce_row = kernels_for(cpu).reduce_row;
  const int right = std::min((x + width) << reduction, frame.width);
  RowConverter rows(frame, cpu);
  for (int row = 0; row < height; ++row) {
    const int source_y = (y + row) << reduction;
    const int rows_there = std::min(1 << reduction, frame.height - source_y);
    uint8_t* to = target.pixels + target.stride * row;
    for (int source_x = x << reduction; source_x < right; source_x += kPieceColumns) {
      const int columns = std::min(kPieceColumns, right - source_x);
      reduce_piece(rows.piece(source_x, source_y, columns, rows_there), reduction, reduce_row, to);
      to += kBgraBytes * (kPieceColumns >> reduction);
    }
  }
}

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
