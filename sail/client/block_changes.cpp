#include "sail/client/block_changes.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <bit>

namespace sail {
namespace {

// From so many changes in a row on, a block is looked at in two of kPeriod frames: one to have a
// hash, one to compare with it.
constexpr uint8_t kRestless = 4;
constexpr uint64_t kPeriod = 16;

class PixelHash {
 public:
  // What the samples mean counts, too.
  explicit PixelHash(const codecs::ImageView& image)
      : hash_(static_cast<uint64_t>(image.format) << 16 | static_cast<uint64_t>(image.matrix) << 8 |
              static_cast<uint64_t>(image.range)) {}

  void add(const uint8_t* from, ptrdiff_t stride, size_t row_bytes, int rows) {
    for (int row = 0; row < rows; ++row, from += stride) {
      hash_ = (std::rotl(hash_, 29) ^ XXH3_64bits(from, row_bytes)) * 0x9e3779b97f4a7c15;
    }
  }
  uint64_t value() const { return hash_; }

 private:
  uint64_t hash_;
};

}  // namespace

uint64_t hash_pixels(const codecs::ImageView& image, const Rect& rect) {
  PixelHash hash(image);
  const auto add_plane = [&](int plane, int sample_bytes, const Rect& samples) {
    hash.add(image.planes[plane] + samples.y * image.strides[plane] +
                 ptrdiff_t{samples.x} * sample_bytes,
             image.strides[plane], static_cast<size_t>(samples.width * sample_bytes),
             samples.height);
  };
  // The chroma samples of a rectangle whose edges need not be even.
  const auto halved = [](const Rect& r, bool rows_too) {
    return rows_too ? Rect::from_edges(r.x / 2, r.y / 2, (r.right() + 1) / 2, (r.bottom() + 1) / 2)
                    : Rect::from_edges(r.x / 2, r.y, (r.right() + 1) / 2, r.bottom());
  };
  using codecs::PixelFormat;
  switch (image.format) {
    case PixelFormat::kRgba:
    case PixelFormat::kBgra:
      add_plane(0, 4, rect);
      break;
    case PixelFormat::kRgb:
      add_plane(0, 3, rect);
      break;
    case PixelFormat::kNv12:
    case PixelFormat::kNv16:
      add_plane(0, 1, rect);
      add_plane(1, 2, halved(rect, image.format == PixelFormat::kNv12));
      break;
    case PixelFormat::kI420:
    case PixelFormat::kI422: {
      const Rect chroma = halved(rect, image.format == PixelFormat::kI420);
      add_plane(0, 1, rect);
      add_plane(1, 1, chroma);
      add_plane(2, 1, chroma);
      break;
    }
  }
  return hash.value();
}

bool BlockChanges::same(size_t index, const codecs::ImageView& image, const Rect& source_rect,
                        uint64_t frame) {
  Block& block = blocks_[index];
  // Blocks take turns, so that each frame has the same work.
  if (block.changes >= kRestless && (frame + 2 * index) % kPeriod > 1) {
    block.known = false;
    return false;
  }
  const uint64_t hash = hash_pixels(image, source_rect);
  const bool same = block.known && hash == block.hash;
  const bool compared = block.known;
  block.hash = hash;
  block.known = true;
  if (same) {
    block.changes = 0;
  } else if (compared && block.changes < kRestless) {
    ++block.changes;
  }
  return same;
}

}  // namespace sail
