// The division of a stream's frame into pixel blocks. Pure.
#pragma once

#include <cstdint>

#include "codecs/color/scaling.h"
#include "sail/core/base/geometry.h"
#include "sail/core/text/limits.h"

namespace sail {

// Blocks of block_size from the top left; the last column and row may be smaller.
class BlockGrid {
 public:
  constexpr BlockGrid() = default;
  // Sizes must be positive; callers check external values against limits.h.
  constexpr BlockGrid(Size frame_size, Size block_size) : frame_(frame_size), block_(block_size) {}

  bool operator==(const BlockGrid&) const = default;

  Size frame_size() const { return frame_; }
  Size block_size() const { return block_; }
  int columns() const { return (frame_.width + block_.width - 1) / block_.width; }
  int rows() const { return (frame_.height + block_.height - 1) / block_.height; }
  uint32_t count() const {
    return static_cast<uint32_t>(columns()) * static_cast<uint32_t>(rows());
  }

  // source_rect of a block, clipped to the frame.
  Rect block_rect(int column, int row) const {
    return intersect({column * block_.width, row * block_.height, block_.width, block_.height},
                     {0, 0, frame_.width, frame_.height});
  }
  // The block columns and rows that touch a rectangle, which is non-empty and within the frame.
  Rect blocks_touching(const Rect& source_rect) const {
    const int left = source_rect.x / block_.width;
    const int top = source_rect.y / block_.height;
    return Rect::from_edges(left, top, (source_rect.right() - 1) / block_.width + 1,
                            (source_rect.bottom() - 1) / block_.height + 1);
  }

 private:
  Size frame_{1, 1};
  Size block_{128, 64};
};

// How the frames of a stream are reduced in size.
enum class Scaling : uint8_t {
  kFrame,  // the frame is halved, then cut: fewer blocks of the same size
  kBlock,  // each block holds all resolutions: the same number of blocks, each smaller
};
static_assert(kScalableBlockStep == 2 << codecs::kMaxReduction);
constexpr Scaling scaling_of(codecs::CodecId codec) {
  return codecs::is_j2k(codec) ? Scaling::kBlock : Scaling::kFrame;
}

// Size of a frame that is halved `reduction` times before it is cut and compressed.
constexpr Size reduced_size(Size frame_size, int reduction) {
  return {codecs::reduced_side(frame_size.width, reduction),
          codecs::reduced_side(frame_size.height, reduction)};
}

constexpr BlockGrid reduced_grid(Size frame_size, Size block_size, int reduction, Scaling scaling) {
  return {reduced_size(frame_size, reduction),
          scaling == Scaling::kBlock
              ? Size{block_size.width >> reduction, block_size.height >> reduction}
              : block_size};
}

// Default block sizes. 128×64 divides the usual tile sides well; its 4 KiB of DXT1 are large beside
// a message header and small beside a tile. A wavelet transform needs larger blocks; 480 also
// divides the usual tile widths (codecs/README.md has measurements).
constexpr Size kDefaultBlockSize{128, 64};
constexpr Size kDefaultJ2kBlockSize{480, 240};
constexpr Size default_block_size(codecs::CodecId codec) {
  return codecs::is_j2k(codec) ? kDefaultJ2kBlockSize : kDefaultBlockSize;
}

}  // namespace sail
