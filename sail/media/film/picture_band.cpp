#include "sail/media/film/picture_band.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "sail/core/wall/block_grid.h"
#include "sail/core/wall/parts.h"

namespace sail {
namespace {

// Picture rows per row of the plane.
int rows_each(sail_pixel_format format, int plane) {
  const bool halved = format == SAIL_NV12 || format == SAIL_I420 || format == SAIL_I420_DEEP;
  return halved && plane > 0 ? 2 : 1;
}

void cut_blocks(CompressedPicture& blocks, const BlockGrid& grid, const Rect& band) {
  const Rect rows = grid.blocks_touching(band);
  const auto columns = static_cast<size_t>(grid.columns());
  const auto before = blocks.lengths.first(static_cast<size_t>(rows.y) * columns);
  blocks.lengths =
      blocks.lengths.subspan(before.size(), static_cast<size_t>(rows.height) * columns);
  const auto sum = [](std::span<const uint32_t> lengths) {
    return std::accumulate(lengths.begin(), lengths.end(), size_t{0});
  };
  blocks.bytes = blocks.bytes.subspan(sum(before), sum(blocks.lengths));
}

}  // namespace

Rect band_of(const Picture& picture, int rank, int ranks) {
  if (!picture.compressed) return band_of(picture.size, rank, ranks);
  const BlockGrid grid(picture.size, picture.compressed->block_size);
  const auto edge = [&](int band) {
    const int rows = grid.rows() * band / ranks;
    return std::min(rows * grid.block_size().height, picture.size.height);
  };
  return Rect::from_edges(0, edge(rank), picture.size.width, edge(rank + 1));
}

Picture band_view(const Picture& picture, const Rect& band) {
  Picture view;
  view.pixels = picture.pixels;
  view.pixels.release = nullptr;
  view.compressed = picture.compressed;
  view.size = {band.width, band.height};
  view.display_size = picture.display_size;
  view.pts_ns = picture.pts_ns;
  view.duration_ns = picture.duration_ns;
  if (view.compressed) {
    cut_blocks(*view.compressed, {picture.size, picture.compressed->block_size}, band);
    return view;
  }
  for (int plane = 0; plane < 3; ++plane) {
    if (view.pixels.planes[plane] == nullptr) continue;
    const ptrdiff_t row = band.y / rows_each(view.pixels.format, plane);
    view.pixels.planes[plane] += row * view.pixels.strides[plane];
  }
  return view;
}

}  // namespace sail
