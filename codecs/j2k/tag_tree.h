// The shape of a tag tree (ISO/IEC 15444-1, B.10.2): each node covers 2×2 nodes of the level below,
// up to one root. Internal to codecs/.
#pragma once

#include <array>
#include <cstddef>

namespace codecs {

class TagTreeShape {
 public:
  // At least one leaf.
  TagTreeShape(int across, int down) {
    for (;; across = (across + 1) / 2, down = (down + 1) / 2) {
      first_[levels_] = nodes_;
      across_[levels_] = across;
      nodes_ += static_cast<size_t>(across) * static_cast<size_t>(down);
      ++levels_;
      if (across <= 1 && down <= 1) break;
    }
  }

  int root() const { return static_cast<int>(levels_) - 1; }  // leaves have level 0
  size_t nodes() const { return nodes_; }
  // The node of a level above leaf (x, y).
  size_t node(int level, int x, int y) const {
    const auto i = static_cast<size_t>(level);
    return first_[i] + static_cast<size_t>((y >> level) * across_[i] + (x >> level));
  }

 private:
  static constexpr size_t kMostLevels = 16;
  std::array<size_t, kMostLevels> first_;
  std::array<int, kMostLevels> across_;
  size_t levels_ = 0;
  size_t nodes_ = 0;
};

}  // namespace codecs
