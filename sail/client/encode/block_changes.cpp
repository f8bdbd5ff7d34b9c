#include "sail/client/encode/block_changes.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <bit>

namespace sail {
namespace {

using codecs::ImageView;
using codecs::PixelFormat;

// After this many changes in a row, a block is hashed in only two consecutive frames out of
// kPeriod: the first provides a hash, the second compares with it.
constexpr uint8_t kRestless = 4;
constexpr uint64_t kPeriod = 16;

// Maps pixel rectangles to samples of a plane. Edges of subsampled chroma are rounded outwards.
struct PlaneShape {
  int sample_bytes = 1;
  bool half_width = false;
  bool half_height = false;

  Rect samples(const Rect& rect) const {
    const int x_step = half_width ? 2 : 1, y_step = half_height ? 2 : 1;
    return Rect::from_edges(rect.x / x_step, rect.y / y_step, (rect.right() + x_step - 1) / x_step,
                            (rect.bottom() + y_step - 1) / y_step);
  }
};

// The layout of the first plane and that of the other planes.
struct Shape {
  PlaneShape first;
  int others = 0;
  PlaneShape other;
};

Shape shape_of(PixelFormat format) {
  switch (format) {
    case PixelFormat::kRgba:
    case PixelFormat::kBgra:
      return {.first = {4}, .others = 0, .other = {}};
    case PixelFormat::kRgb:
      return {.first = {3}, .others = 0, .other = {}};
    case PixelFormat::kNv12:
      return {.first = {1}, .others = 1, .other = {2, true, true}};
    case PixelFormat::kNv16:
      return {.first = {1}, .others = 1, .other = {2, true, false}};
    case PixelFormat::kI420:
      return {.first = {1}, .others = 2, .other = {1, true, true}};
    case PixelFormat::kI422:
      return {.first = {1}, .others = 2, .other = {1, true, false}};
    case PixelFormat::kI444:
      return {.first = {1}, .others = 2, .other = {1}};
    case PixelFormat::kI420Deep:
      return {.first = {2}, .others = 2, .other = {2, true, true}};
    case PixelFormat::kI422Deep:
      return {.first = {2}, .others = 2, .other = {2, true, false}};
    case PixelFormat::kI444Deep:
      return {.first = {2}, .others = 2, .other = {2}};
    case PixelFormat::kRgbDeep:
      return {.first = {6}, .others = 0, .other = {}};
  }
  return {};
}

void hash_plane(const ImageView& image, int plane, const PlaneShape& shape,
                std::span<BlockChanges::BlockCheck> looks) {
  const Rect rows = shape.samples(looks.front().source_rect);
  for (int y = rows.y; y < rows.bottom(); ++y) {
    const uint8_t* row = image.planes[plane] + y * image.strides[plane];
    for (BlockChanges::BlockCheck& look : looks) {
      if (!look.due) continue;
      const Rect samples = shape.samples(look.source_rect);
      const uint64_t hash = XXH3_64bits(row + ptrdiff_t{samples.x} * shape.sample_bytes,
                                        static_cast<size_t>(samples.width * shape.sample_bytes));
      look.hash = (std::rotl(look.hash, 29) ^ hash) * 0x9e3779b97f4a7c15;
    }
  }
}

}  // namespace

void hash_pixels(const ImageView& image, std::span<BlockChanges::BlockCheck> looks) {
  if (looks.empty()) return;
  // Include format, matrix and range: the same samples with another meaning are a change.
  const uint64_t meaning = static_cast<uint64_t>(image.format) << 16 |
                           static_cast<uint64_t>(image.matrix) << 8 |
                           static_cast<uint64_t>(image.range);
  for (BlockChanges::BlockCheck& look : looks) look.hash = meaning;
  const Shape shape = shape_of(image.format);
  hash_plane(image, 0, shape.first, looks);
  for (int plane = 1; plane <= shape.others; ++plane) hash_plane(image, plane, shape.other, looks);
}

void BlockChanges::find_changes(const ImageView& image, uint64_t frame,
                                std::span<BlockChanges::BlockCheck> looks) {
  bool any = false;
  for (BlockChanges::BlockCheck& look : looks) {
    look.due = due(blocks_[look.block], frame, look.source_rect);
    any |= look.due;
  }
  if (any) hash_pixels(image, looks);
  for (BlockChanges::BlockCheck& look : looks) {
    Block& block = blocks_[look.block];
    look.same = look.due && update(block, look.hash);
    block.known = look.due;
  }
}

// Blocks on different rows are due in different frames, which spreads the work evenly.
bool BlockChanges::due(const Block& block, uint64_t frame, const Rect& source_rect) const {
  if (block.changes < kRestless) return true;
  const uint64_t turn = static_cast<uint64_t>(source_rect.y) / 32;
  return (frame + turn) % kPeriod < 2;
}

// Returns true if the block has not changed since the previous find_changes().
bool BlockChanges::update(Block& block, uint64_t hash) {
  const bool same = block.known && hash == block.hash;
  if (same) {
    block.changes = 0;
  } else if (block.known && block.changes < kRestless) {
    ++block.changes;
  }
  block.hash = hash;
  return same;
}

}  // namespace sail
