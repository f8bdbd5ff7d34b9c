#include "codecs/color/reduce.h"

#include <algorithm>
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

}  // namespace codecs
