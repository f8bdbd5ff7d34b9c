// Neighbour state of the reference block coders: the significance of the quad to the left, and the
// exponents of the row above (T.814, 7.3.5 and 7.3.7). Internal to codecs/.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

#include "codecs/ht/ht_block.h"

namespace codecs::reference {

class HtNeighbours {
 public:
  void begin_row() { left_rho_ = 0; }
  void end_row() {
    above_ = here_;
    here_.fill(0);
  }
  void put_rho(int rho) { left_rho_ = rho; }
  // Sets the exponent of a sample in the lower half of the row.
  void put_exponent(int column, int exponent) { here_[static_cast<size_t>(column + 1)] = exponent; }

  // Equations 1 and 2, for the neighbours of figure 5.
  int context(int x, bool first_row) const {
    const int left = left_rho_;
    if (first_row) return (left >> 1) | (left & 1);
    const int corner = above(x, -1) != 0 || above(x, 0) != 0 ? 1 : 0;
    const int side = (left & 0b1100) != 0 ? 2 : 0;
    const int far = above(x, 1) != 0 || above(x, 2) != 0 ? 4 : 0;
    return corner | side | far;
  }
  // Equations 5 and 6.
  int bound_known(int x, bool first_row, int rho) const {
    if (first_row || std::popcount(static_cast<unsigned>(rho)) < 2) return 1;
    const int greatest =
        std::max(std::max(above(x, -1), above(x, 0)), std::max(above(x, 1), above(x, 2)));
    return std::max(greatest - 1, 1);
  }

 private:
  // Exponents of the row above; i from −1 (left of the quad) to 2 (right of it).
  int above(int x, int i) const { return above_[static_cast<size_t>(x + i + 1)]; }

  // Exponents of the lower samples by column, from the column left of the block on.
  std::array<int, kHtMostSide + 6> above_{};
  std::array<int, kHtMostSide + 6> here_{};
  int left_rho_ = 0;
};

}  // namespace codecs::reference
