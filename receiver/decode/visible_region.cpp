#include "receiver/decode/visible_region.h"

#include "receiver/frame/tile_layout.h"

namespace receiver {

void VisibleRegion::prepare(const sail::SceneWindow& window) {
  coming_ = window;
  forget();
}

void VisibleRegion::commit(const sail::SceneWindow& window) {
  shown_ = window;
  coming_.reset();
  forget();
}

sail::Rect VisibleRegion::of(const Frame& frame, const std::vector<sail::TileView>& tiles) {
  auto& known = by_reduction_[static_cast<size_t>(frame.reduction())];
  if (!known) known = bounds(frame, tiles);
  return *known;
}

sail::Rect VisibleRegion::bounds(const Frame& frame,
                                 const std::vector<sail::TileView>& tiles) const {
  const sail::Size block = frame.full_grid().block_size();
  constexpr sail::Size kSmall = sail::kDefaultJ2kBlockSize;
  const bool small = block.width * block.height <= kSmall.width * kSmall.height;
  if (tiles.empty() || small) return frame.all();
  sail::Rect part;
  for (const auto& window : {shown_, coming_}) {
    if (!window) continue;
    const LaidWindow laid{*window, frame.grid()};
    for (const sail::TileView& tile : tiles) part = sail::united(part, read_by(tile, laid));
  }
  return part;
}

}  // namespace receiver
