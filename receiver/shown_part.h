// Which part of a stream's frames this node's tiles read, in the layout that is shown and in the
// one to come: what is worth decoding of pictures that come whole. What lies over a window does not
// matter, since it may be lifted. Smaller blocks, as streams are cut, are decoded whole: a window
// that is moved shows other parts of them at once. Pure.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "receiver/frame.h"
#include "sail/wall/visibility.h"
#include "sail/wire/control_messages.h"

namespace receiver {

class ShownPart {
 public:
  // A layout to come has this window; it is the one that is shown now.
  void prepare(const sail::SceneWindow& window);
  void commit(const sail::SceneWindow& window);
  void forget() { by_reduction_ = {}; }  // the tiles are others

  // Bounds, in the frame's pixels; empty: nothing of it. All of it where blocks are small or no
  // tiles are known.
  sail::Rect of(const Frame& frame, const std::vector<sail::TileView>& tiles);

 private:
  sail::Rect bounds(const Frame& frame, const std::vector<sail::TileView>& tiles) const;

  std::optional<sail::SceneWindow> shown_;
  std::optional<sail::SceneWindow> coming_;
  // What was found, until something changes.
  std::array<std::optional<sail::Rect>, codecs::kMaxReduction + 1> by_reduction_;
};

}  // namespace receiver
