// Computes the area of a stream's frames that this node's tiles show in the current or the next
// layout. Other areas need not be decoded. With small blocks, the area is the whole frame, so that
// a moved window shows its new parts immediately. Ignores windows on top, since they may be
// removed. Pure.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "receiver/frame/frame.h"
#include "sail/core/wall/visibility.h"
#include "sail/core/wire/receiver_messages.h"

namespace receiver {

class VisibleRegion {
 public:
  // A future layout contains this window; the window is now on screen.
  void prepare(const sail::SceneWindow& window);
  void commit(const sail::SceneWindow& window);
  void forget() { by_reduction_ = {}; }  // Called when the tiles change.

  // Returns the bounding box in frame pixels; empty: nothing is visible. Returns the whole frame if
  // its blocks are small or no tiles are known.
  sail::Rect of(const Frame& frame, const std::vector<sail::TileView>& tiles);

 private:
  sail::Rect bounds(const Frame& frame, const std::vector<sail::TileView>& tiles) const;

  std::optional<sail::SceneWindow> shown_;
  std::optional<sail::SceneWindow> coming_;
  // cached results, by reduction
  std::array<std::optional<sail::Rect>, codecs::kMaxReduction + 1> by_reduction_;
};

}  // namespace receiver
